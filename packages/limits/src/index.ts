export type { LimitsOf } from './limit-buckets.ts';
export type { LimitsOptions } from './limits-options.ts';
export { memoryLimits, type MemoryLimitsOptions } from './memory-limits.ts';
export { postgresLimits } from './postgres-limits.ts';
export type { PostgresLimitsOptions } from './postgres-options.ts';
