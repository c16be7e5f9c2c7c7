import { limits, parseInteractionRequest } from '@tollgate/contract';
import { dropPendingBlob, type Access, type ResourcePlan } from '@tollgate/engine';
import { callerKey } from '../authenticate.ts';
import type { GatewayRequest, GatewayResponse } from '../gateway-request.ts';
import { identityOf } from '../identity-of.ts';
import { readMediaJson } from '../media-json/read-media-json.ts';
import { answerCreated } from '../resources/create-resource-answer.ts';
import type { Service } from '../service.ts';
import { checkToolHeaders } from './check-interaction.ts';
import { planInteraction } from './plan-interaction.ts';

const reading = { path: '/interactions', bytesMax: limits.bodyBytesMax.interactions, places: ['input.*.data'] };

/** What was put aside for an interaction that was not opened; what cannot be removed now is the sweep's. */
const dropAll = async ({ engine, logger }: Service, { guard }: ResourcePlan): Promise<void> => {
  for (const key of guard?.blobKeys ?? [])
    await dropPendingBlob(engine, key).catch((cause: unknown) =>
      logger.warn('a blob was left to the sweep', { key, cause }),
    );
};

/** POST /interactions: 200 with the record, while a worker goes on (interactions:*). */
export const createInteraction = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
): Promise<GatewayResponse> => {
  const identity = identityOf(request);
  const body = await readMediaJson(service, request, reading);
  let plan: ResourcePlan | null = null;
  let kept = false;
  try {
    const asked = parseInteractionRequest(body.value);
    checkToolHeaders(asked.tools, callerKey(request));
    plan = await planInteraction(service, access, asked, { identity, fingerprint: body.fingerprint });
    const answer = await answerCreated(service, plan);
    // What was put aside for an interaction that exists already is of no use to anybody.
    kept = answer.headers['idempotency-replayed'] === 'false';
    return answer;
  } finally {
    if (!kept) {
      if (plan !== null) await dropAll(service, plan);
      await body.release();
    }
  }
};
