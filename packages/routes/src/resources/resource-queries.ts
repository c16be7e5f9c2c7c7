import { GatewayError, isUuid, type ResourceKind } from '@tollgate/contract';
import {
  cancelResource,
  deleteResource,
  findResource,
  listResources,
  type Access,
  type FoundResource,
} from '@tollgate/engine';
import type { ResourceRecord } from '@tollgate/storage';
import type { GatewayResponse } from '../gateway-request.ts';
import { jsonAnswer } from '../json-answer.ts';
import type { Service } from '../service.ts';
import { encodeResource, encodeResourceList, resourceBody } from './encode-resource.ts';

/** Which resource a query is about. An id that is no uuid is as good as unknown. */
export interface ResourceName {
  readonly kind: ResourceKind;
  readonly id: string;
}

const requireFound = <T>(found: T | null): T => {
  if (found === null) throw new GatewayError('not_found');
  return found;
};

/** The resource of a path, a deleted one too, or 404. */
export const requireResource = async (service: Service, access: Access, name: ResourceName): Promise<FoundResource> =>
  requireFound(isUuid(name.id) ? await findResource(service.engine, access.projectId, name.kind, name.id) : null);

export const listResourcesOf = async (service: Service, access: Access, kind: ResourceKind): Promise<GatewayResponse> =>
  jsonAnswer(encodeResourceList(service, await listResources(service.engine, access.projectId, kind)));

export const getResource = async (service: Service, access: Access, name: ResourceName): Promise<GatewayResponse> =>
  jsonAnswer(resourceBody(service, await requireResource(service, access, name)));

// resources:cancel:requested
/** POST .../cancel: 200 with the record, whatever could still be cancelled. */
export const cancelResourceOf = async (
  service: Service,
  access: Access,
  name: ResourceName,
): Promise<GatewayResponse> => {
  const { resource } = await requireResource(service, access, name);
  if (resource.availability === 'deleted') throw new GatewayError('not_found');
  const found = requireFound(await cancelResource(service.engine, access.projectId, name.kind, name.id));
  return jsonAnswer(resourceBody(service, found));
};

// resources:delete:*
/** DELETE: 200 with the record as deleted; 409 while anything under way needs it. */
export const deleteResourceOf = async (
  service: Service,
  access: Access,
  name: ResourceName,
  isBusy?: (resource: ResourceRecord) => Promise<boolean>,
): Promise<GatewayResponse> => {
  await requireResource(service, access, name);
  const outcome = await deleteResource(service.engine, access.projectId, name, isBusy);
  switch (outcome.kind) {
    case 'deleted':
      return jsonAnswer(encodeResource(service, outcome.found, { deleted: true }));
    case 'in_use':
      throw new GatewayError('request_in_progress', {
        detail: 'The resource is in use, or its execution has not ended.',
      });
    case 'missing':
      throw new GatewayError('not_found');
  }
};
