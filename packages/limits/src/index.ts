export type { LimitsOf } from './limit-buckets.ts';
export type { LimitsOptions } from './limits-options.ts';
export { memoryLimits, type MemoryLimitsOptions } from './memory-limits.ts';
