import type { JsonObject } from '@tollgate/provider';

const isRecord = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Members of checked messages, empty where they were left out. */
export const recordOf = (value: unknown): JsonObject => (isRecord(value) ? value : {});
// Sound: `Array.isArray` proves an array, and unknown takes any element.
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
