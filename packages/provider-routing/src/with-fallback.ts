import { callable, optionsCheck, text, timerMs } from '@tollgate/contract/configuration';
import type { Provider } from '@tollgate/provider';
import { afterTimeout, type After } from './after-timeout.ts';
import { askInOrder } from './ask-in-order.ts';
import { contend, contestMethods, settleMsMaxDefault, type ContestRules } from './contest.ts';
import { providerOfMany } from './routed-provider.ts';
import { checkRouting } from './check-routing.ts';

export interface FallbackOptions {
  /** Stands in logs, and on attempts that no provider served (default `fallback`). */
  readonly name?: string;
  /**
   * How long a provider may give neither a piece nor an answer before it is aborted and the next one is asked; without it as long as
   * it likes. What the aborted one used may be billed to the host and is charged to no client: it stands on the operation's record.
   */
  readonly firstPieceMs?: number;
  /** How long the end of an aborted call is waited for (default 1,000). */
  readonly settleMsMax?: number;
  readonly now?: () => number;
  readonly after?: After;
}

const fallbackCheck = optionsCheck<FallbackOptions>({
  name: text(),
  firstPieceMs: timerMs({ min: 1 }),
  settleMsMax: timerMs(),
  now: callable(),
  after: callable(),
});

/**
 * Asks the first provider, and the next one only where it is certain that nothing ran (`rate_limited`, `unavailable`,
 * `failed`) and no piece was handed over; never after the upstream refused content or a setting. A provider without a method, or
 * that cannot express the call (`unsupported`), is passed over.
 */
export const withFallback = (providers: readonly Provider[], options: FallbackOptions = {}): Provider => {
  checkRouting('withFallback', providers, fallbackCheck, options);
  const { firstPieceMs } = options;
  const rules: ContestRules | null =
    firstPieceMs === undefined
      ? null
      : {
          patienceMs: () => firstPieceMs,
          late: 'abandoned',
          settleMsMax: options.settleMsMax ?? settleMsMaxDefault,
          now: options.now ?? Date.now,
          after: options.after ?? afterTimeout,
        };
  return providerOfMany(options.name ?? 'fallback', providers, (invocation) =>
    rules !== null && contestMethods.has(invocation.method)
      ? contend(providers, invocation, rules)
      : askInOrder(providers, invocation),
  );
};
