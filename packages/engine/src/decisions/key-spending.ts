import type { ApiKeyRecord, CapRecord, Records } from '@tollgate/storage';
import { keySpendId, windowEndMs } from './spend-window.ts';

/** How far the cap of a key is used in its window. */
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

/** The cap of a key at an instant, from the record of its window; a window in which nothing was opened has none. */
export const keySpendingOf = (
  key: Pick<ApiKeyRecord, 'id' | 'cap'>,
  records: Records,
  nowMs: number,
): KeySpending | null => {
  const id = currentSpendId(key, nowMs);
  if (key.cap === null || id === null) return null;
  const { window, timeZone, micros } = key.cap;
  const limitMicros = BigInt(micros);
  const { spentMicros = 0n, heldMicros = 0n } = records.get('spend', id) ?? {};
  const leftMicros = limitMicros - spentMicros - heldMicros;
  return {
    window,
    timeZone,
    limitMicros,
    spentMicros,
    reservedMicros: heldMicros,
    remainingMicros: leftMicros < 0n ? 0n : leftMicros,
    endsAtMs: windowEndMs(key.cap, nowMs),
  };
};
