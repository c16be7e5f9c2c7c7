import { limits, parseInteractionRequest } from '@tollgate/contract';
import type { Access, ResourcePlan } from '@tollgate/engine';
import type { GatewayRequest, GatewayResponse } from '../gateway-request.ts';
import { identityOf } from '../identity-of.ts';
import { readMediaJson } from '../media-json/read-media-json.ts';
import { answerCreated } from '../resources/create-resource-answer.ts';
import type { Service } from '../service.ts';
import { checkToolHeaders } from './check-interaction.ts';
import { dropGuarded } from './drop-guarded.ts';
import { planInteraction } from './plan-interaction.ts';

const reading = { path: '/interactions', bytesMax: limits.bodyBytesMax.interactions, places: ['input.*.data'] };

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
    checkToolHeaders(asked.tools);
    plan = await planInteraction(service, access, asked, { identity, fingerprint: body.fingerprint });
    const answer = await answerCreated(service, plan);
    // What was put aside for an interaction that exists already is of no use to anybody.
    kept = answer.headers['idempotency-replayed'] === 'false';
    return answer;
  } finally {
    if (!kept) {
      if (plan !== null) await dropGuarded(service, plan);
      await body.release();
    }
  }
};
