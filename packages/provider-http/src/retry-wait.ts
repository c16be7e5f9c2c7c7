import { UnknownOutcome, type NotExecuted, type NotExecutedReason } from '@tollgate/provider';

export interface RetryLimits {
  /** Upstream requests of one step, the first included. */
  readonly attemptsMax: number;
  /** A longer wait is not waited for. */
  readonly waitMsMax: number;
}

/** Wait before the second upstream request where the upstream names none; doubles with each further one. */
const waitMsFirst = 200;

/** Reasons with which the same request may be taken a little later, if the adapter says so. */
const passing: ReadonlySet<NotExecutedReason> = new Set(['rate_limited', 'unavailable', 'failed']);

/**
 * Whether the same request can be answered a little later. By default only if the upstream asked for that: what it says that it
 * failed may fail again and again, at its cost.
 */
const mayPass = ({ reason, lasting }: NotExecuted, isPassing: boolean): boolean =>
  !lasting && (reason === 'rate_limited' || (isPassing && passing.has(reason)));

/**
 * How long to wait before another upstream request, after so many attempts (the first is 1); undefined where there must be none, as
 * after anything that may have run, and after a refusal that the same request would get again.
 */
export const retryWaitMs = (
  limits: RetryLimits,
  { failure, attempt, isPassing = false }: Pick<FailedAttempt, 'failure' | 'attempt' | 'isPassing'>,
): number | undefined => {
  if (failure instanceof UnknownOutcome || !mayPass(failure, isPassing) || attempt >= limits.attemptsMax)
    return undefined;
  const waitMs = failure.retryAfterMs ?? waitMsFirst * 2 ** (attempt - 1);
  return waitMs <= limits.waitMsMax ? waitMs : undefined;
};

/** How often upstream requests are made, and the host's clock for it. */
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
  /**
   * Whether the request was not sent, or the upstream is one that takes the same request a little later, as after a 503 or 529
   * (default false: only `rate_limited` is repeated).
   */
  readonly isPassing?: boolean;
  /** When the whole step is over. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** Waits until another upstream request may be made; throws the failure where there must be none, or none before the deadline. */
export const waitToRepeat = async (
  { retry, now, sleep }: RetryClock,
  { deadlineMs, signal, ...failed }: FailedAttempt,
): Promise<void> => {
  const { failure } = failed;
  const waitMs = retryWaitMs(retry, failed);
  if (waitMs === undefined || now() + waitMs >= deadlineMs) throw failure;
  // A wait that is given up leaves the failure as it is: certain.
  const waited = await sleep(waitMs, signal).then(
    () => true,
    () => false,
  );
  if (!waited) throw failure;
};
