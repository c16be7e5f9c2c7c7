import { flag, optionsCheck, text } from '@tollgate/contract/configuration';
import type { Provider } from '@tollgate/provider';
import { askInOrder } from './ask-in-order.ts';
import { balanceOrderCheck, createOrdering, type BalanceOrder, type Ordering } from './balance-order.ts';
import { providerOfMany } from './routed-provider.ts';
import type { Invocation } from './invocation.ts';
import { checkRouting } from './check-routing.ts';

export interface BalancedProvider {
  readonly provider: Provider;
  /** Its share of the calls, against the sum of all weights: a positive number (default 1). */
  readonly weight?: number;
}

export interface BalanceOptions {
  /** Stands in logs, and on attempts that no provider served (default `balance`). */
  readonly name?: string;
  /** Who is asked first (default `{ kind: 'turns' }`). */
  readonly order?: BalanceOrder;
  /**
   * Asks the others, in their order, as `withFallback` does (default false: the failure is the answer; true where what belongs together
   * stays together).
   */
  readonly fallback?: boolean;
}

const balanceCheck = optionsCheck<BalanceOptions>({ name: text(), order: balanceOrderCheck, fallback: flag() });

/**
 * Spreads calls over providers by weight. Smooth and without chance: in any run of calls as long as the sum of whole weights
 * each provider gets exactly its share, spread out. Takes turns for each method apart, among those that have it. `order` keeps what
 * belongs together on one provider, or gives more turns to those that answer sooner.
 */
export const balance = (entries: readonly BalancedProvider[], options: BalanceOptions = {}): Provider => {
  const members = entries.map(({ provider }) => provider);
  checkRouting('balance', members, balanceCheck, options);
  const { order = { kind: 'turns' } } = options;
  const weighted = entries.map(({ provider, weight }) => ({ item: provider, weight: weight ?? 1 }));
  const ordering = createOrdering(weighted, order);
  const fallback = options.fallback ?? order.kind === 'sticky';
  return providerOfMany(options.name ?? 'balance', members, (invocation) => {
    const asked = ordering.orderOf(invocation);
    return askInOrder(fallback ? asked : asked.slice(0, 1), measured(ordering, invocation));
  });
};

/** The same call, of which is noted how soon a provider gives its first piece or its answer. */
const measured = <Answer>({ note, now }: Ordering, invocation: Invocation<Answer>): Invocation<Answer> => {
  if (note === null) return invocation;
  return {
    ...invocation,
    ask: async (member) => {
      const startedAtMs = now();
      let isNoted = false;
      const noteFirst = (): void => {
        if (!isNoted) note(invocation, member, now() - startedAtMs);
        isNoted = true;
      };
      const takes = (): boolean => {
        noteFirst();
        return true;
      };
      const answer = await invocation.ask(member, { takes });
      noteFirst();
      return answer;
    },
  };
};
