import { z } from 'zod';
import { limits } from '../../limits.ts';
import { resourceRecordSchemas } from '../resource-record.ts';

// caches:record:name-and-result
/** The record of a cache; it has a result from the moment it can be used. */
export const cacheRecords = resourceRecordSchemas('cache', {
  shown: {
    // caches:use:reference-form
    /** What a generation names as `cachedContent`. */
    name: z.string().regex(/^caches\//),
    ttl_seconds: z.int().min(limits.cache.ttlSecondsMin).max(limits.cache.ttlSecondsMax),
  },
  result: { total_tokens: z.int().min(0), expires_at: z.iso.datetime() },
});
