import { GatewayError, limits, parseCachePatch } from '@tollgate/contract';
import { endCache, changeCacheTtl, type Access, type FoundResource } from '@tollgate/engine';
import type { GatewayRequest, GatewayResponse } from '../gateway-request.ts';
import { jsonAnswer } from '../json-answer.ts';
import { readJson } from '../read-json.ts';
import { encodeResource } from '../resources/encode-resource.ts';
import { requireResource } from '../resources/resource-queries.ts';
import type { Service } from '../service.ts';

const busy = (detail: string): GatewayError => new GatewayError('request_in_progress', { detail });

/** Gives a cache the time to live that a body asks for, reserved for again, or nothing changes. */
export const extendCache = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
  { id, ttlSecondsOf }: { readonly id: string; readonly ttlSecondsOf: (body: unknown) => number },
): Promise<FoundResource> => {
  const { resource } = await requireResource(service, access, { kind: 'cache', id });
  const { value } = await readJson(service, request, limits.bodyBytesMax.other);
  const ttlSeconds = ttlSecondsOf(value);
  const model = service.models.find(resource.model);
  const provider = model === null ? null : service.models.providerOf(model);
  const { projectId, requestId } = access;
  const outcome = await changeCacheTtl(service.engine, { requestId, projectId, id, ttlSeconds, provider });
  switch (outcome.kind) {
    case 'ttl_changed':
      return outcome.found;
    case 'insufficient':
      throw new GatewayError('ai_insufficient_credits');
    case 'pending':
      throw busy('The cache has not been created, or is being ended.');
    case 'missing':
      throw new GatewayError('not_found', { detail: 'The cache has been deleted or has expired.' });
    case 'unavailable':
      throw new GatewayError('service_unavailable');
  }
};

// caches:patch:*
/** PATCH /caches/{id}: another time to live. */
export const patchCache = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
  id: string,
): Promise<GatewayResponse> => {
  const found = await extendCache(service, access, request, { id, ttlSecondsOf: parseCachePatch });
  return jsonAnswer(encodeResource(service, found));
};

/** Ends the storage of a cache, charged for the time that it was stored. */
export const dropCache = async (service: Service, access: Access, id: string): Promise<FoundResource> => {
  await requireResource(service, access, { kind: 'cache', id });
  const outcome = await endCache(service.engine, service.resourceKinds, access.projectId, id);
  switch (outcome.kind) {
    case 'deleted':
      return outcome.found;
    case 'in_use':
      throw busy('The cache is in use, or has not been created.');
    case 'missing':
      throw new GatewayError('not_found');
  }
};

// caches:delete:*
/** DELETE /caches/{id}. */
export const deleteCache = async (service: Service, access: Access, id: string): Promise<GatewayResponse> =>
  jsonAnswer(encodeResource(service, await dropCache(service, access, id), { deleted: true }));
