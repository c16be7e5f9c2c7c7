import { z } from 'zod';
import { limits } from '../../limits.ts';
import { resourceRecordSchemas } from '../resource-record.ts';

/** The record of a cache; it has a result from the moment it can be used [caches:record:name-and-result]. */
export const cacheRecords = resourceRecordSchemas('cache', {
  shown: {
    /** What a generation names as `cachedContent` [caches:use:reference-form]. */
    name: z.string().regex(/^caches\//),
    ttl_seconds: z.int().min(limits.cache.ttlSecondsMin).max(limits.cache.ttlSecondsMax),
  },
  result: { total_tokens: z.int().min(0), expires_at: z.iso.datetime() },
});
