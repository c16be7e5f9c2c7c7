import type { OccurrenceRecord, TriggerRecord } from '@tollgate/storage';

/** What prevents an occurrence without being the project's doing: it says nothing of the next one. */
const passing: ReadonlySet<string | null> = new Set([
  'service_unavailable',
  'access_or_service_unavailable',
  'rate_limited',
]);

/**
 * A schedule after one more of its occurrences was concluded: counts refusals in a row, and pauses it by itself once there are
 * `refusalsMax` (null never does). An interaction that was opened ends the row. The same record where nothing changes.
 */
export const afterOccurrence = (
  trigger: TriggerRecord,
  { status, operationId, errorCode }: Pick<OccurrenceRecord, 'status' | 'operationId' | 'errorCode'>,
  { refusalsMax, nowMs }: { readonly refusalsMax: number | null; readonly nowMs: number },
): TriggerRecord => {
  if (trigger.status !== 'enabled' || status === 'pending' || status === 'skipped') return trigger;
  if (operationId !== null) return trigger.refusals === 0 ? trigger : { ...trigger, refusals: 0 };
  if (passing.has(errorCode)) return trigger;
  const refusals = trigger.refusals + 1;
  if (refusalsMax === null || refusals < refusalsMax) return { ...trigger, refusals };
  const idle = { nextRunAtMs: null, dueAtMs: null, owner: null };
  return { ...trigger, ...idle, refusals, status: 'paused', pausedCode: errorCode, updatedAtMs: nowMs };
};
