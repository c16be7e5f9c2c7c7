import { flag, optionsCheck, text } from '@tollgate/contract/configuration';
import type { Provider } from '@tollgate/provider';
import { askInOrder } from './ask-in-order.ts';
import { providerOfMany } from './routed-provider.ts';
import { createTurns } from './turns.ts';
import { checkRouting } from './check-routing.ts';

export interface BalancedProvider {
  readonly provider: Provider;
  /** Its share of the calls, against the sum of all weights: a positive number (default 1). */
  readonly weight?: number;
}

export interface BalanceOptions {
  /** Stands in logs, and on attempts that no provider served (default `balance`). */
  readonly name?: string;
  /** Asks the others, by turns, as `withFallback` does (default false: the failure is the answer). */
  readonly fallback?: boolean;
}

const balanceCheck = optionsCheck<BalanceOptions>({ name: text(), fallback: flag() });

/**
 * Spreads calls over providers by weight. Smooth and without chance: in any run of calls as long as the sum of whole weights
 * each provider gets exactly its share, spread out. Takes turns for each method apart, among those that have it.
 */
export const balance = (entries: readonly BalancedProvider[], options: BalanceOptions = {}): Provider => {
  const members = entries.map(({ provider }) => provider);
  checkRouting('balance', members, balanceCheck, options);
  const turns = createTurns(entries.map(({ provider, weight }) => ({ item: provider, weight: weight ?? 1 })));
  return providerOfMany(options.name ?? 'balance', members, (invocation) => {
    const order = turns.next(invocation.method, invocation.offers);
    return askInOrder(options.fallback === true ? order : order.slice(0, 1), invocation);
  });
};
