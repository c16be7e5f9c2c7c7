import { z } from 'zod';
import { cacheRecords } from './cache-record.ts';
import { CachePatchBody, CacheRequestBody } from './cache-request.ts';
import { limits } from '../../limits.ts';
import { resourceCreationStatuses, resourceRoutes } from '../resource-routes.ts';
import type { Route } from '../../http/route.ts';

const cache = { one: 'Cache', many: 'Caches', path: '/caches', noun: 'cache' } as const;

const answers = (description: string): Route['success'] => ({
  description,
  contents: { 'application/json': cacheRecords.record },
});

const createCache = {
  id: 'createCache',
  method: 'POST',
  path: '/caches',
  summary: 'Keep context for later generations',
  errorForm: 'object',
  charged: true,
  takesIdentity: true,
  bodyBytesMax: limits.bodyBytesMax.caches,
  family: 'generate',
  pathParameters: null,
  request: CacheRequestBody,
  success: answers('The cache, which may not be active yet.'),
  statuses: resourceCreationStatuses,
} as const satisfies Route;

const patchCache = {
  id: 'patchCache',
  method: 'PATCH',
  path: '/caches/{id}',
  summary: 'Change how long one cache is kept',
  errorForm: 'object',
  charged: false,
  takesIdentity: false,
  bodyBytesMax: limits.bodyBytesMax.other,
  family: null,
  pathParameters: z.object({ id: z.uuid() }),
  request: CachePatchBody,
  success: answers('The cache with its new time, counted from now.'),
  statuses: [200, 400, 401, 402, 403, 404, 409, 413, 422, 429, 503],
} as const satisfies Route;

/** Every route of caches. */
export const cacheRoutes = [createCache, ...resourceRoutes(cache, cacheRecords), patchCache] as const;
