import { limits } from '@tollgate/contract';
import { storeBatchInput, type Access } from '@tollgate/engine';
import type { GatewayRequest, GatewayResponse } from '../gateway-request.ts';
import { identityOf } from '../identity-of.ts';
import { dropLifted } from '../media-json/lift-bytes.ts';
import { readMediaJson } from '../media-json/read-media-json.ts';
import { answerCreated } from '../resources/create-resource-answer.ts';
import type { Service } from '../service.ts';
import { planBatch, prepareBatch } from './plan-batch.ts';

const request = 'requests.*.request';

/** Where base64 stands in the body, in both spellings. */
const mediaPlaces = (snakeCase: boolean): readonly string[] => [
  `${request}.contents.*.parts.*.inlineData.data`,
  `${request}.content.parts.*.inlineData.data`,
  ...(snakeCase ? [`${request}.contents.*.parts.*.inline_data.data`] : []),
];

/** POST /batches: 200 with the record, while a worker goes on (batches:*). */
export const createBatch = async (
  service: Service,
  access: Access,
  asked: GatewayRequest,
): Promise<GatewayResponse> => {
  const identity = identityOf(asked);
  const body = await readMediaJson(service, asked, {
    path: '/batches',
    bytesMax: limits.bodyBytesMax.batches,
    places: mediaPlaces(service.compatibility.snakeCase === true),
  });
  const stored: string[] = [];
  let kept = false;
  try {
    const prepared = await prepareBatch(service, access, body.value);
    const input = await storeBatchInput(service.engine, prepared.items);
    stored.push(input.blobKey);
    const named = { access, identity, fingerprint: body.fingerprint };
    const answer = await answerCreated(service, planBatch(service, prepared, input, named));
    // What was put aside for a batch that exists already is not used.
    kept = answer.headers['idempotency-replayed'] === 'false';
    return answer;
  } finally {
    if (!kept) await Promise.all([body.release(), dropLifted(service, stored)]);
  }
};
