import { callable, oneOf, optionsCheck, timerMs } from '@tollgate/contract/configuration';
import type { HookFailurePolicy, OnRequest, RequestHook } from '@tollgate/routes';

/** Functions of the host, in its own process. */
export interface HookOptions {
  /**
   * Asked about each charged request after it was authenticated and read, and before anything is reserved: it refuses, has another
   * model run, or notes tags. A repeat under an Idempotency-Key that is in use is not asked about again.
   */
  readonly onRequest?: OnRequest;
  /** How long `onRequest` may take (default 2,000); then it has failed. */
  readonly timeoutMs?: number;
  /**
   * What becomes of a request whose `onRequest` takes too long, throws, or returns what is no decision: `refuse` (default) returns
   * 503, `pass` lets it go on as it was asked. Either is logged with the code `on_request_failed`.
   */
  readonly onFailure?: HookFailurePolicy;
}

const timeoutMsDefault = 2_000;

/** What is accepted of the hooks of a host. */
export const hookOptionsCheck = optionsCheck<HookOptions>({
  onRequest: callable(),
  timeoutMs: timerMs({ min: 1 }),
  onFailure: oneOf('refuse', 'pass'),
});

/** The hook that is asked about requests; null where the host has none. */
export const requestHookOf = ({ hooks = {} }: { readonly hooks?: HookOptions }): RequestHook | null => {
  const { onRequest, timeoutMs = timeoutMsDefault, onFailure = 'refuse' } = hooks;
  return onRequest === undefined ? null : { onRequest, timeoutMs, onFailure };
};
