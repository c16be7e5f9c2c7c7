import type { JsonRecord } from '@tollgate/contract';

/** The first member that a value of the host has and must not have. */
export const unknownMember = (record: JsonRecord, known: readonly string[]): string | undefined =>
  Object.keys(record).find((name) => !known.includes(name));
