import type { ApiKeyRecord, CapRecord, Records } from '@tollgate/storage';
import type { Budget } from './spend.ts';
import { keySpendId, windowEndMs } from './spend-window.ts';

/** How far the cap of a key is used in its window, or the budget of a token in all. */
export interface KeySpending {
  readonly window: CapRecord['window'];
  readonly timeZone: string;
  readonly limitMicros: bigint;
  readonly spentMicros: bigint;
  readonly reservedMicros: bigint;
  /** What a further operation can hold; 0 where more is used than the cap, as after it was lowered. */
  readonly remainingMicros: bigint;
  /** Null for a window without an end. */
  readonly endsAtMs: number | null;
}

/** The id of the record that counts a key's window at an instant; null for a key without a cap. */
export const currentSpendId = ({ id, cap }: Pick<ApiKeyRecord, 'id' | 'cap'>, nowMs: number): string | null =>
  cap === null ? null : keySpendId(id, cap, windowEndMs(cap, nowMs));

/** How far a limit is used, by the record that counts it. */
const usedOf = (records: Records, id: string, limitMicros: bigint) => {
  const { spentMicros = 0n, heldMicros = 0n } = records.get('spend', id) ?? {};
  const leftMicros = limitMicros - spentMicros - heldMicros;
  return { limitMicros, spentMicros, reservedMicros: heldMicros, remainingMicros: leftMicros < 0n ? 0n : leftMicros };
};

/** The cap of a key at an instant, from the record of its window; a window in which nothing was opened has none. */
export const keySpendingOf = (
  key: Pick<ApiKeyRecord, 'id' | 'cap'>,
  records: Records,
  nowMs: number,
): KeySpending | null => {
  const id = currentSpendId(key, nowMs);
  if (key.cap === null || id === null) return null;
  const { window, timeZone, micros } = key.cap;
  return { window, timeZone, ...usedOf(records, id, BigInt(micros)), endsAtMs: windowEndMs(key.cap, nowMs) };
};

/** The budget of a token, which has no window. */
export const budgetSpendingOf = (
  { id, limitMicros }: Pick<Budget, 'id' | 'limitMicros'>,
  records: Records,
): KeySpending => ({
  window: 'total',
  timeZone: 'UTC',
  ...usedOf(records, id, limitMicros),
  endsAtMs: null,
});
