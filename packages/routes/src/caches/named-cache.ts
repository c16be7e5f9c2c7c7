import { GatewayError, isUuid, type CatalogModel } from '@tollgate/contract';
import { findResource, readCacheEstimate, type Access, type CacheEstimate, type ResourceUse } from '@tollgate/engine';
import type { Service } from '../service.ts';

/** The cache that a generation names. */
export interface NamedCache {
  /** For the plan of the operation: the step that opens it checks that the cache can be used. */
  readonly use: ResourceUse;
  /** What reading it is reserved for. */
  readonly estimate: CacheEstimate;
}

// caches:use:*
/**
 * Looks up the cache that a call names. One that this project never had is 404, one of another model 422. Whether it can be used now
 * is decided by the step that opens the operation, so that a replay outlives its cache.
 */
export const findNamedCache = async (
  service: Service,
  access: Access,
  model: CatalogModel,
  cacheId: string,
): Promise<NamedCache> => {
  const found = isUuid(cacheId) ? await findResource(service.engine, access.projectId, 'cache', cacheId) : null;
  if (found === null) throw new GatewayError('not_found', { detail: 'There is no such cache in this project.' });
  if (found.resource.model !== model.id)
    throw new GatewayError('invalid_request', {
      detail: 'The field cachedContent names a cache of another model; accepted is one of the model of this call.',
    });
  // Nothing ever used it and nothing ever will: 409 would ask the client to wait.
  if (found.operation.state === 'failed' && found.resource.availability === 'follows')
    throw new GatewayError('invalid_request', { detail: 'The cache could not be created.' });
  return {
    use: { id: cacheId, kind: 'cache', model: model.id },
    estimate: await readCacheEstimate(service.engine, cacheId),
  };
};
