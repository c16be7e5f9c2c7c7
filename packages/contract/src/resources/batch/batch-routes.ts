import { batchRecords } from './batch-record.ts';
import { BatchRequestBody } from './batch-request.ts';
import { limits } from '../../limits.ts';
import { cancelRoute, resourceCreationStatuses, resourceRoutes } from '../resource-routes.ts';
import type { Route } from '../../http/route.ts';

const batch = { one: 'Batch', many: 'Batches', path: '/batches', noun: 'batch job' } as const;

const createBatch = {
  id: 'createBatch',
  method: 'POST',
  path: '/batches',
  summary: 'Run up to 100 requests in the background',
  errorForm: 'object',
  charged: true,
  takesIdentity: true,
  bodyBytesMax: limits.bodyBytesMax.batches,
  family: null,
  pathParameters: null,
  request: BatchRequestBody,
  success: {
    description: 'The batch, which may be in progress.',
    contents: { 'application/json': batchRecords.record },
  },
  statuses: resourceCreationStatuses,
} as const satisfies Route;

/** Every route of batches. */
export const batchRoutes = [
  createBatch,
  ...resourceRoutes(batch, batchRecords),
  cancelRoute(batch, batchRecords),
] as const;
