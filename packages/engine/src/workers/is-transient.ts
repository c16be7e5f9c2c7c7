import { isNotExecuted, type NotExecuted } from '@tollgate/provider';

const isTransientReason = ({ reason }: NotExecuted): boolean => reason === 'rate_limited' || reason === 'unavailable';

/** Whether nothing was executed for a cause that can pass: another try can succeed. */
export const isTransient = (cause: unknown): cause is NotExecuted => isNotExecuted(cause) && isTransientReason(cause);

/** How long the upstream asks to wait, where nothing was executed and it says so. */
export const retryAfterMsOf = (cause: unknown): number | undefined =>
  isNotExecuted(cause) ? cause.retryAfterMs : undefined;

/** Whether the upstream itself reports the end of a job that it ran: a question without an answer is asked again. */
export const isFailureReport = (cause: unknown): boolean =>
  isNotExecuted(cause) && !isTransientReason(cause) && cause.reason !== 'cancelled';
