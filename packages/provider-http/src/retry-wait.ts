import { UnknownOutcome, type NotExecuted, type NotExecutedReason } from '@tollgate/provider';

export interface RetryLimits {
  /** Wire calls for one step, the first included. */
  readonly attemptsMax: number;
  /** A longer wait is not waited for. */
  readonly waitMsMax: number;
}

/** Wait before the second wire call where the upstream names none; doubles with each further one. */
const waitMsFirst = 200;

const passing: ReadonlySet<NotExecutedReason> = new Set(['rate_limited', 'unavailable', 'failed']);

/** Whether the same call can be answered a little later: the request is not at fault, nor the host's credentials, model or address. */
const mayPass = ({ reason, lasting }: NotExecuted): boolean => passing.has(reason) && !lasting;

/**
 * How long to wait before another wire call, after so many attempts (the first is 1); undefined where there must be none, as
 * after anything that may have run, and after a refusal that the same request would get again.
 */
export const retryWaitMs = (
  limits: RetryLimits,
  failure: NotExecuted | UnknownOutcome,
  attempt: number,
): number | undefined => {
  if (failure instanceof UnknownOutcome || !mayPass(failure) || attempt >= limits.attemptsMax) return undefined;
  const waitMs = failure.retryAfterMs ?? waitMsFirst * 2 ** (attempt - 1);
  return waitMs <= limits.waitMsMax ? waitMs : undefined;
};

/** How often wire calls are made, and the host's clock for it. */
export interface RetryClock {
  readonly retry: RetryLimits;
  readonly now: () => number;
  /** Rejects when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface FailedAttempt {
  readonly failure: NotExecuted | UnknownOutcome;
  /** Counts from 1. */
  readonly attempt: number;
  /** When the whole step is over. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** Waits until another wire call may be made; throws the failure where there must be none, or none before the deadline. */
export const waitToRepeat = async (
  { retry, now, sleep }: RetryClock,
  { failure, attempt, deadlineMs, signal }: FailedAttempt,
): Promise<void> => {
  const waitMs = retryWaitMs(retry, failure, attempt);
  if (waitMs === undefined || now() + waitMs >= deadlineMs) throw failure;
  // A wait that is given up leaves the failure as it is: certain.
  const waited = await sleep(waitMs, signal).then(
    () => true,
    () => false,
  );
  if (!waited) throw failure;
};
