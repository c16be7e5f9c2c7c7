import { limits, parseCacheRequest } from '@tollgate/contract';
import type { Access } from '@tollgate/engine';
import type { GatewayRequest, GatewayResponse } from '../gateway-request.ts';
import { identityOf } from '../identity-of.ts';
import { dropLifted } from '../media-json/lift-bytes.ts';
import { readMediaJson } from '../media-json/read-media-json.ts';
import { answerCreated } from '../resources/create-resource-answer.ts';
import type { Service } from '../service.ts';
import { planCache, prepareCache, storeContents } from './plan-cache.ts';

/** Where base64 stands in the body, in both spellings. */
const mediaPlaces = (snakeCase: boolean): readonly string[] => [
  'contents.*.parts.*.inlineData.data',
  ...(snakeCase ? ['contents.*.parts.*.inline_data.data'] : []),
];

/** POST /caches: 200 with the record, while a worker creates it (caches:*). */
export const createCache = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
): Promise<GatewayResponse> => {
  const identity = identityOf(request);
  const { google = false, snakeCase = false } = service.compatibility;
  const body = await readMediaJson(service, request, {
    path: '/caches',
    bytesMax: limits.bodyBytesMax.caches,
    places: mediaPlaces(snakeCase),
  });
  const stored: string[] = [];
  let kept = false;
  try {
    const asked = parseCacheRequest(body.value, { googleCompat: google, snakeCase });
    const prepared = await prepareCache(service, access, asked);
    const input = await storeContents(service, prepared, stored);
    const named = { access, identity, fingerprint: body.fingerprint, id: service.engine.newId() };
    const answer = await answerCreated(service, planCache(service, prepared, input, named));
    // What was put aside for a cache that exists already is not used.
    kept = answer.headers['idempotency-replayed'] === 'false';
    return answer;
  } finally {
    if (!kept) await Promise.all([body.release(), dropLifted(service, stored)]);
  }
};
