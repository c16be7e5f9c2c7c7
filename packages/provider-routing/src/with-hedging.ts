import { byKind, callable, number, optionsCheck, required, text, timerMs } from '@tollgate/contract/configuration';
import type { Provider } from '@tollgate/provider';
import { afterTimeout, type After } from './after-timeout.ts';
import { askInOrder } from './ask-in-order.ts';
import { checkRouting } from './check-routing.ts';
import { contend, contestMethods, settleMsMaxDefault, type ContestRules } from './contest.ts';
import type { Invocation } from './invocation.ts';
import { createLatencyWindow, type LatencyWindow } from './latency-window.ts';
import { providerOfMany } from './routed-provider.ts';

/** So long as that share of the provider's last calls took, by method and model. */
export interface HedgePercentile {
  /** From 1 to 100. */
  readonly percentile: number;
  /** While fewer than 20 calls are known. */
  readonly elseMs: number;
}

export interface HedgingOptions {
  /** How long a provider may give neither a piece nor an answer before the next one is asked beside it. */
  readonly afterMs: number | HedgePercentile;
  /** Stands in logs, and on attempts that no provider served (default `hedging`). */
  readonly name?: string;
  /** How long the end of an aborted call is waited for, so that it goes on record (default 1,000). */
  readonly settleMsMax?: number;
  readonly now?: () => number;
  readonly after?: After;
}

const percentileCheck = optionsCheck<HedgePercentile>({
  percentile: required(number({ min: 1, max: 100 })),
  elseMs: required(timerMs({ min: 1 })),
});

const hedgingCheck = optionsCheck<HedgingOptions>({
  afterMs: required(
    byKind({ number: timerMs({ min: 1 }), object: percentileCheck }, 'is milliseconds, or a percentile with elseMs'),
  ),
  name: text(),
  settleMsMax: timerMs(),
  now: callable(),
  after: callable(),
});

/** Members with a method and a model whose times are kept; the one longest unheard of is forgotten. */
const keysMax = 1_000;

/**
 * Asks the first provider, and beside it the next one where it has given neither a piece nor an answer after `afterMs`: two at a time at
 * the most. The first to give something is chosen, and the other is aborted. The client is charged for the answer that it got; the
 * other's upstream request stands on the operation's record as abandoned, with what it is known to have used, for the host pays both.
 * A failure is followed by the next provider as with `withFallback`. What is not a generation or an embedding is asked of one at a time.
 */
export const withHedging = (providers: readonly Provider[], options: HedgingOptions): Provider => {
  checkRouting('withHedging', providers, hedgingCheck, options);
  const latencies = createLatencyWindow(keysMax);
  return providerOfMany(options.name ?? 'hedging', providers, (invocation) =>
    contestMethods.has(invocation.method)
      ? contend(providers, invocation, rulesOf({ options, latencies, providers }, invocation))
      : askInOrder(providers, invocation),
  );
};

interface Hedging {
  readonly options: HedgingOptions;
  readonly latencies: LatencyWindow;
  readonly providers: readonly Provider[];
}

const rulesOf = <Answer>(
  { options, latencies, providers }: Hedging,
  { method, upstreamModel = '' }: Invocation<Answer>,
): ContestRules => {
  const { afterMs } = options;
  const keyOf = (member: Provider): string => JSON.stringify([providers.indexOf(member), method, upstreamModel]);
  return {
    patienceMs: (member) =>
      typeof afterMs === 'number'
        ? afterMs
        : (latencies.percentile(keyOf(member), afterMs.percentile) ?? afterMs.elseMs),
    late: 'joined',
    onMeasured: (member, ms) => latencies.note(keyOf(member), ms),
    settleMsMax: options.settleMsMax ?? settleMsMaxDefault,
    now: options.now ?? Date.now,
    after: options.after ?? afterTimeout,
  };
};
