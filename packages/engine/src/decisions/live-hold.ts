/** How far a session has come with its money. Amounts in micro-credits. */
export interface LiveStanding {
  /** What was used so far. */
  readonly usedMicros: bigint;
  /** What is set aside for the session in all. */
  readonly holdMicros: bigint;
  /** What a period is taken to cost: the first hold. */
  readonly periodMicros: bigint;
  /** The dearest piece so far: the next one may cost as much. */
  readonly largestMicros: bigint;
}

/** What is to be set aside in all: as much as is wanted, or at the least. */
export interface LiveWanting {
  readonly wantedMicros: bigint;
  readonly leastMicros: bigint;
}

/**
 * A hold is renewed ahead of use: what is left of it must cover half a period and a piece as dear as the dearest so far
 * (live:reservation:renewed). Null while it does.
 */
export const wantedLiveHold = (standing: LiveStanding): LiveWanting | null => {
  const { usedMicros, holdMicros, periodMicros, largestMicros } = standing;
  const half = (periodMicros + 1n) / 2n;
  const reserve = half > largestMicros ? half : largestMicros;
  if (holdMicros - usedMicros >= reserve) return null;
  return { wantedMicros: usedMicros + reserve + periodMicros, leastMicros: usedMicros + reserve };
};
