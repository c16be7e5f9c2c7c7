import type { Key, Records } from '@tollgate/storage';

/** The occurrence of a schedule that an opening is for. */
export interface OccurrenceGuard {
  readonly occurrenceId: string;
}

export const occurrenceGuardKeys = (guard: OccurrenceGuard | undefined): readonly Key[] =>
  guard === undefined ? [] : [{ table: 'occurrence', id: guard.occurrenceId }];

/** Whether it still waits for this very operation: another try may have found meanwhile that it cannot be opened. */
export const isAwaited = (records: Records, guard: OccurrenceGuard | undefined, operationId: string): boolean => {
  if (guard === undefined) return true;
  const occurrence = records.get('occurrence', guard.occurrenceId);
  if (occurrence?.operationId !== operationId) return false;
  return occurrence.status === 'pending' || occurrence.status === 'processing';
};
