import { GatewayError, limits, parseCachePatch } from '@tollgate/contract';
import { endCache, changeCacheTtl, type Access } from '@tollgate/engine';
import type { GatewayRequest, GatewayResponse } from '../gateway-request.ts';
import { jsonAnswer } from '../json-answer.ts';
import { readJson } from '../read-json.ts';
import { encodeResource } from '../resources/encode-resource.ts';
import { requireResource } from '../resources/resource-queries.ts';
import type { Service } from '../service.ts';

const busy = (detail: string): GatewayError => new GatewayError('request_in_progress', { detail });

/** PATCH /caches/{id}: another time to live, reserved for again, or nothing changes (caches:patch:*). */
export const patchCache = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
  id: string,
): Promise<GatewayResponse> => {
  const { resource } = await requireResource(service, access, { kind: 'cache', id });
  const { value } = await readJson(service, request, limits.bodyBytesMax.other);
  const ttlSeconds = parseCachePatch(value);
  const model = service.models.find(resource.model);
  const provider = model === null ? null : service.models.providerOf(model);
  const outcome = await changeCacheTtl(service.engine, { projectId: access.projectId, id, ttlSeconds, provider });
  switch (outcome.kind) {
    case 'ttl_changed':
      return jsonAnswer(service, encodeResource(service, outcome.found));
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

/** DELETE /caches/{id}: ends its storage, charged for the time that it was stored (caches:delete:*). */
export const deleteCache = async (service: Service, access: Access, id: string): Promise<GatewayResponse> => {
  await requireResource(service, access, { kind: 'cache', id });
  const outcome = await endCache(service.engine, service.resourceKinds, access.projectId, id);
  switch (outcome.kind) {
    case 'deleted':
      return jsonAnswer(service, encodeResource(service, outcome.found, { deleted: true }));
    case 'in_use':
      throw busy('The cache is in use, or has not been created.');
    case 'missing':
      throw new GatewayError('not_found');
  }
};
