import { setTimeout as wait } from 'node:timers/promises';
import { callable, optionsCheck, timerMs, whole } from '@tollgate/contract/configuration';
import type { NotExecuted, Provider } from '@tollgate/provider';
import { mayRepeat } from './ask-in-order.ts';
import type { Invocation } from './invocation.ts';
import { providerOfOne } from './routed-provider.ts';
import { checkRouting } from './check-routing.ts';

export interface RetryOptions {
  /** Calls in all, the first included (default 3). */
  readonly attemptsMax?: number;
  /** Before the second call where the provider names no time (default 200); doubles with each further one. */
  readonly waitMs?: number;
  /** A longer wait is not waited: the failure is the answer (default 2,000). */
  readonly waitMsMax?: number;
  /** Spreads the waits that the provider does not name over their second half; 0 to 1 (default `Math.random`). */
  readonly random?: () => number;
  /** Waits; rejects when the signal aborts. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

const retryCheck = optionsCheck<RetryOptions>({
  attemptsMax: whole({ min: 1 }),
  waitMs: timerMs(),
  waitMsMax: timerMs(),
  random: callable(),
  sleep: callable(),
});

const attemptsMaxDefault = 3;
const waitMsDefault = 200;
const waitMsMaxDefault = 2_000;

/**
 * Asks again where it is certain that nothing ran (`rate_limited`, `unavailable`, `failed`), and no sooner than the provider
 * says. What the same call would get again is not repeated: a refused content or setting, credentials, an unknown model. Never after a piece was handed over, nor for a call that was given up.
 */
export const withRetry = (provider: Provider, options: RetryOptions = {}): Provider => {
  checkRouting('withRetry', [provider], retryCheck, options);
  const settings: Required<RetryOptions> = {
    attemptsMax: options.attemptsMax ?? attemptsMaxDefault,
    waitMs: options.waitMs ?? waitMsDefault,
    waitMsMax: options.waitMsMax ?? waitMsMaxDefault,
    random: options.random ?? Math.random,
    sleep: options.sleep ?? ((ms, signal) => wait(ms, undefined, { signal })),
  };
  return providerOfOne(provider, (invocation) => askRepeatedly(provider, invocation, settings));
};

const askRepeatedly = async <Answer>(
  provider: Provider,
  invocation: Invocation<Answer>,
  settings: Required<RetryOptions>,
): Promise<Answer> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await invocation.ask(provider);
    } catch (failure) {
      if (attempt >= settings.attemptsMax || !mayRepeat(failure, invocation)) throw failure;
      if (!(await waited(failure, attempt, invocation.signal, settings))) throw failure;
    }
  }
};

/** False where the wait is too long, or was given up: the failure stays what it was. */
const waited = async (
  { retryAfterMs }: NotExecuted,
  attempt: number,
  signal: AbortSignal,
  { waitMs, waitMsMax, random, sleep }: Required<RetryOptions>,
): Promise<boolean> => {
  const grownMs = Math.min(waitMs * 2 ** (attempt - 1), waitMsMax);
  const ms = retryAfterMs ?? Math.ceil(grownMs * (0.5 + random() / 2));
  if (ms > waitMsMax) return false;
  return sleep(ms, signal).then(
    () => !signal.aborted,
    () => false,
  );
};
