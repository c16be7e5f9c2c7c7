/** How far a session has come with its money. Amounts in micro-credits. */
export interface LiveHoldState {
  /** What was used so far, as measured. */
  readonly usedMicros: bigint;
  /** What is set aside for the session in all. */
  readonly holdMicros: bigint;
  /** What a period is taken to cost: the first hold. */
  readonly periodMicros: bigint;
  /** The most expensive piece so far: the next one may cost as much. */
  readonly largestMicros: bigint;
  /** The most input, by its bound, that was sent before a measure came: the next turn may send as much. */
  readonly largestSentMicros: bigint;
}

/** What is to be set aside in all: as much as is wanted, or at the least. */
export interface LiveWanting {
  readonly wantedMicros: bigint;
  readonly leastMicros: bigint;
}

/** Input beyond the hold is paid for by this share of a period at the least, so that small frames do not extend it one by one. */
const sharesOfPeriod = 8n;

const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other);

/** The part of the hold that is kept for the current turn: half a period, or as much as the most expensive turn so far. */
const reserveMicros = ({ periodMicros, largestMicros }: LiveHoldState): bigint =>
  larger((periodMicros + 1n) / 2n, largestMicros);

/** How much input that no measure counts yet the hold covers beside the reserve. */
export const coveredSentMicros = (holdState: LiveHoldState): bigint =>
  larger(0n, holdState.holdMicros - holdState.usedMicros - reserveMicros(holdState));

// live:reservation:renewed
/**
 * A hold is renewed ahead of use: what is left of it must cover the reserve, and as much input as a turn has sent so far
 *. Null while it does. Only the reserve is needed to go on.
 */
export const wantedLiveHold = (holdState: LiveHoldState): LiveWanting | null => {
  const { usedMicros, holdMicros, periodMicros, largestSentMicros } = holdState;
  const leastMicros = usedMicros + reserveMicros(holdState);
  const aheadMicros = leastMicros + largestSentMicros;
  return holdMicros >= aheadMicros ? null : { wantedMicros: aheadMicros + periodMicros, leastMicros };
};

/**
 * The hold that input needs before it is sent, at its bound and on top of the reserve; null while it is covered. What is wanted
 * is twice the input, or a period more: a burst of large frames extends the hold a few times, and ordinary audio once a period.
 */
export const wantedSentHold = (holdState: LiveHoldState, sentMicros: bigint): LiveWanting | null => {
  if (sentMicros <= coveredSentMicros(holdState)) return null;
  const { usedMicros, periodMicros } = holdState;
  const neededMicros = usedMicros + reserveMicros(holdState) + sentMicros;
  return {
    wantedMicros: neededMicros + larger(periodMicros, sentMicros),
    leastMicros: neededMicros + periodMicros / sharesOfPeriod,
  };
};
