import { limits, parseCacheRequest } from '@tollgate/contract';
import { operationIdOf, type Access } from '@tollgate/engine';
import type { GatewayRequest, GatewayResponse } from '../gateway-request.ts';
import { identityOf } from '../identity-of.ts';
import { dropLifted } from '../media-json/lift-bytes.ts';
import { readMediaJson } from '../media-json/read-media-json.ts';
import { createdAnswer, createPlanned, type CreatedResource } from '../resources/create-resource-answer.ts';
import { resourceBody } from '../resources/encode-resource.ts';
import type { Service } from '../service.ts';
import { planCache, prepareCache, storeContents, type AskedCache } from './plan-cache.ts';

/** How a body asks for a cache: its path, which is part of the identity, and its form. */
export interface CacheReading {
  readonly path: string;
  readonly read: (service: Service, body: unknown) => AskedCache;
}

/** Where base64 stands in the body, in both spellings. */
const mediaPlaces = (snakeCase: boolean): readonly string[] => [
  'contents.*.parts.*.inlineData.data',
  ...(snakeCase ? ['contents.*.parts.*.inline_data.data'] : []),
];

const ownReading: CacheReading = {
  path: '/caches',
  read: ({ compatibility: { google = false, snakeCase = false } }, body) => ({
    cache: parseCacheRequest(body, { googleCompat: google, snakeCase }),
  }),
};

/** Opens the cache that a request asks for. */
export const keepCache = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
  { path, read }: CacheReading = ownReading,
): Promise<CreatedResource> => {
  const identity = identityOf(request);
  const places = mediaPlaces(service.compatibility.snakeCase === true);
  const body = await readMediaJson(service, request, { path, bytesMax: limits.bodyBytesMax.caches, places });
  const stored: string[] = [];
  let kept = false;
  try {
    const prepared = await prepareCache(service, access, read(service, body.value));
    const input = await storeContents(service, prepared, stored);
    const id = operationIdOf(service.engine, prepared.access);
    const named = { access: prepared.access, identity, fingerprint: body.fingerprint, id };
    const created = await createPlanned(service, planCache(service, prepared, input, named));
    // What was put aside for a cache that exists already is not used.
    kept = !created.replayed;
    return created;
  } finally {
    if (!kept) await Promise.all([body.release(), dropLifted(service, stored, request.id)]);
  }
};

// caches:*
/** POST /caches: 200 with the record, while a worker creates it. */
export const createCache = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
): Promise<GatewayResponse> => {
  const created = await keepCache(service, access, request);
  return createdAnswer(created, resourceBody(service, created.found));
};
