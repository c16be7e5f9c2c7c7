import { GatewayError } from '@tollgate/contract';
import { listResources, type Access, type FoundResource } from '@tollgate/engine';
import { asCount, asObject } from '@tollgate/provider';
import { dropCache, extendCache } from '../../../caches/change-cache.ts';
import { keepCache } from '../../../caches/create-cache.ts';
import type { GatewayRequest, GatewayResponse } from '../../../gateway-request.ts';
import { jsonAnswer } from '../../../json-answer.ts';
import { createdAnswer } from '../../../resources/create-resource-answer.ts';
import { requireResource } from '../../../resources/resource-queries.ts';
import type { Service } from '../../../service.ts';
import { awaitResource, hasEnded } from '../../../resources/await-resource.ts';
import { failureOf } from '../failure-of.ts';
import { pageOf } from '../page-of.ts';
import { fromCachedContent, fromCachePatch } from './to-cache-body.ts';

const iso = (ms: number): string => new Date(ms).toISOString();

/** The size of a cache that can be used. */
const tokensOf = ({ result }: FoundResource): number | undefined =>
  result === null ? undefined : asCount(asObject(JSON.parse(result))?.['total_tokens']);

/** A cache in this dialect. Its `name` is what `cachedContent` takes. */
const toCachedContent = (found: FoundResource) => {
  const { resource, operation } = found;
  const tokens = tokensOf(found);
  return {
    name: `cachedContents/${resource.id}`,
    model: `models/${resource.model}`,
    displayName: resource.displayName ?? undefined,
    createTime: iso(resource.createdAtMs),
    updateTime: iso(Math.max(resource.updatedAtMs, operation.updatedAtMs)),
    expireTime: resource.expiresAtMs === null ? undefined : iso(resource.expiresAtMs),
    usageMetadata: tokens === undefined ? undefined : { totalTokenCount: tokens },
  };
};

/** Whether it can be used, or will be; what has ended is not found in this dialect. */
const isThere = (found: FoundResource): boolean => {
  const { availability } = found.resource;
  return availability === 'active' || (availability === 'follows' && !hasEnded(found));
};

const body = (found: FoundResource): string => JSON.stringify(toCachedContent(found));

const isReady = (found: FoundResource): boolean => found.resource.availability !== 'follows' || hasEnded(found);

/** `POST cachedContents`: waits until it can be used, as these clients name it at once. */
export const createCachedContent = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
): Promise<GatewayResponse> => {
  const { google = false, snakeCase = false } = service.compatibility;
  const created = await keepCache(service, access, request, {
    path: '/cachedContents',
    read: (_, value) =>
      fromCachedContent(value, service.engine.clock.wallClockMs(), { googleCompat: google, snakeCase }),
  });
  const found = await awaitResource(service, created.found, { access, request, kind: 'cache', isReady });
  if (found.resource.availability === 'follows' && hasEnded(found)) throw failureOf(found);
  return createdAnswer({ ...created, found }, body(found));
};

const requireThere = async (service: Service, access: Access, id: string): Promise<FoundResource> => {
  const found = await requireResource(service, access, { kind: 'cache', id });
  if (!isThere(found)) throw new GatewayError('not_found');
  return found;
};

export const getCachedContent = async (service: Service, access: Access, id: string): Promise<string> =>
  body(await requireThere(service, access, id));

export const listCachedContents = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
): Promise<GatewayResponse> => {
  const found = await listResources(service.engine, access.projectId, 'cache');
  const { rows, nextPageToken } = pageOf(request, found.filter(isThere));
  return jsonAnswer(JSON.stringify({ cachedContents: rows.map(toCachedContent), nextPageToken }));
};

export const patchCachedContent = async (
  service: Service,
  access: Access,
  request: GatewayRequest,
  id: string,
): Promise<GatewayResponse> => {
  const ttlSecondsOf = (value: unknown): number => fromCachePatch(value, service.engine.clock.wallClockMs());
  return jsonAnswer(body(await extendCache(service, access, request, { id, ttlSecondsOf })));
};

export const deleteCachedContent = async (service: Service, access: Access, id: string): Promise<string> => {
  await requireThere(service, access, id);
  await dropCache(service, access, id);
  return '{}';
};
