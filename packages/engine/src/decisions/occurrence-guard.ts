import type { Key, Records } from '@tollgate/storage';

/** The occurrence of a schedule that an opening is for. */
export interface OccurrenceGuard {
  readonly occurrenceId: string;
}

const scheduledPrefix = 'trigger ';

/** Of every try of one occurrence. No client can send it, as it holds spaces. */
export const scheduledIdentity = (triggerId: string, scheduledForMs: number): string =>
  `${scheduledPrefix}${triggerId} ${scheduledForMs}`;

export const isScheduledIdentity = (identity: string): boolean => identity.startsWith(scheduledPrefix);

export const occurrenceGuardKeys = (guard: OccurrenceGuard | undefined): readonly Key[] =>
  guard === undefined ? [] : [{ table: 'occurrence', id: guard.occurrenceId }];

/** Whether it still waits for this very operation: another try may have found meanwhile that it cannot be opened. */
export const isAwaited = (records: Records, guard: OccurrenceGuard | undefined, operationId: string): boolean => {
  if (guard === undefined) return true;
  const occurrence = records.get('occurrence', guard.occurrenceId);
  if (occurrence?.operationId !== operationId) return false;
  return occurrence.status === 'pending' || occurrence.status === 'processing';
};
