/** A balance before and after one entry. */
export interface BalanceChange {
  readonly beforeMicros: bigint;
  readonly afterMicros: bigint;
}

/** Whether a balance falls below a threshold by this change: once, until it has been lifted to the threshold again. */
export const fallsBelow = ({ beforeMicros, afterMicros }: BalanceChange, thresholdMicros: bigint): boolean =>
  beforeMicros >= thresholdMicros && afterMicros < thresholdMicros;

const isUsed = (balanceMicros: bigint, toppedMicros: bigint, share: number): boolean =>
  (toppedMicros - balanceMicros) * 100n >= BigInt(share) * toppedMicros;

/**
 * The highest share, in percent, of a topped-up balance that is used up by this change and was not before; null where none is, and
 * where nothing was ever topped up.
 */
export const shareReached = (
  { beforeMicros, afterMicros }: BalanceChange,
  toppedMicros: bigint,
  shares: readonly number[],
): number | null => {
  if (toppedMicros <= 0n) return null;
  const reached = shares.filter(
    (share) => isUsed(afterMicros, toppedMicros, share) && !isUsed(beforeMicros, toppedMicros, share),
  );
  return reached.length === 0 ? null : Math.max(...reached);
};
