import type { NotExecuted } from './not-executed.ts';
import { UnknownOutcome } from './unknown-outcome.ts';

export interface RetryLimits {
  /** Wire calls for one step, the first included. */
  readonly attemptsMax: number;
  /** A longer wait is not waited for. */
  readonly waitMsMax: number;
}

/** Wait before the second wire call where the upstream names none; doubles with each further one. */
const waitMsFirst = 200;

/**
 * How long to wait before another wire call, after so many attempts (the first is 1); undefined where there must be none, as
 * after anything that may have run.
 */
export const retryWaitMs = (
  limits: RetryLimits,
  failure: NotExecuted | UnknownOutcome,
  attempt: number,
): number | undefined => {
  if (failure instanceof UnknownOutcome || attempt >= limits.attemptsMax) return undefined;
  const waitMs = failure.retryAfterMs ?? waitMsFirst * 2 ** (attempt - 1);
  return waitMs <= limits.waitMsMax ? waitMs : undefined;
};
