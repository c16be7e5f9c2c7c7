import { z } from 'zod';
import { resourceRecordSchemas } from '../resource-record.ts';

const count = z.int().min(0);

// batches:result:item-shape, batches:result:keyed-any-order
/** One result, found by the key of its request; the order says nothing. */
export const BatchResultItem = z.looseObject({
  key: z.string(),
  status: z.enum(['completed', 'failed', 'cancelled']),
  /** What the route of the request would have answered, without a receipt. */
  response: z.looseObject({}).exactOptional(),
  error: z.looseObject({ code: z.string(), message: z.string() }).exactOptional(),
  /** Confirmed credits of this request; they add up to those of the batch. */
  credits: z.number().min(0).exactOptional(),
});
export type BatchResultItem = z.infer<typeof BatchResultItem>;

// batches:record:counts
/** The record of a batch. */
export const batchRecords = resourceRecordSchemas('batch', {
  shown: { request_count: count, completed_count: count, failed_count: count },
  result: { results: z.array(BatchResultItem) },
});
