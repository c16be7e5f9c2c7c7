import { callable, optionsCheck, required, timerMs, whole } from '@tollgate/contract/configuration';
import { NotExecuted, type Provider } from '@tollgate/provider';
import { afterTimeout } from './after-timeout.ts';
import { createGate, type GateLimits } from './gate.ts';
import { providerOfOne } from './routed-provider.ts';
import { checkRouting } from './check-routing.ts';

export interface ConcurrencyOptions extends Partial<GateLimits> {
  /** Calls at the same time. */
  readonly inFlightMax: number;
  /** Calls that wait for another to end, in the order in which they came (default 0: none waits). */
  readonly waitingMax?: number;
  /** How long a call waits at the most (default 5,000). */
  readonly waitMsMax?: number;
  /** When a refused client may retry (default 1,000). */
  readonly retryAfterMs?: number;
  /** Runs after so many milliseconds, unless the timer is cancelled. */
  readonly after?: (ms: number, run: () => void) => () => void;
}

const concurrencyCheck = optionsCheck<ConcurrencyOptions>({
  inFlightMax: required(whole({ min: 1 })),
  waitingMax: whole(),
  waitMsMax: timerMs(),
  retryAfterMs: whole(),
  after: callable(),
});

const waitMsMaxDefault = 5_000;
const retryAfterMsDefault = 1_000;

/**
 * Makes no more than `inFlightMax` calls at a time, whatever their method, and refuses what it has no room for
 * (`rate_limited`), so that a slow upstream holds up no memory without bound. A call that is given up while it waits is never
 * made.
 */
export const withConcurrency = (provider: Provider, options: ConcurrencyOptions): Provider => {
  checkRouting('withConcurrency', [provider], concurrencyCheck, options);
  const gate = createGate({
    inFlightMax: options.inFlightMax,
    waitingMax: options.waitingMax ?? 0,
    waitMsMax: options.waitMsMax ?? waitMsMaxDefault,
    after: options.after ?? afterTimeout,
  });
  const retryAfterMs = options.retryAfterMs ?? retryAfterMsDefault;
  return providerOfOne(provider, async (invocation) => {
    const admission = await gate.enter(invocation.signal);
    switch (admission.kind) {
      case 'given_up':
        throw new NotExecuted({ reason: 'cancelled', cause: invocation.signal.reason });
      case 'full':
      case 'late':
        throw new NotExecuted({ reason: 'rate_limited', cause: `the queue is ${admission.kind}`, retryAfterMs });
      case 'admitted':
        break;
    }
    return invocation.ask(provider).finally(admission.leave);
  });
};
