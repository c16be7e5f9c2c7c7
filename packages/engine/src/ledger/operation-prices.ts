import type { AttemptRecord, BatchItemRecord, OperationRecord } from '@tollgate/storage';
import type { AccessIds } from '../decisions/access.ts';
import { storedAttempts } from '../decisions/stored-values.ts';
import type { Engine } from '../engine.ts';
import type { ModelTariff } from './model-prices.ts';
import { picosOfUsage, type Quantities } from './price-usage.ts';
import type { TierFactors } from './service-tier.ts';
import { findHoldPrices, findPrices, listPrices, type Tariff } from './tariff.ts';

/** What an operation is priced by. */
export type Priced = Pick<
  OperationRecord,
  'model' | 'kind' | 'accountId' | 'plan' | 'tariffVersion' | 'serviceTier' | 'servedTier'
>;

/** The prices of an operation: by the list and the plan under which it was opened. Null where the list has none for its model. */
export const pricesOf = ({ policy }: Pick<Engine, 'policy'>, operation: Priced): ModelTariff | null =>
  findPrices(policy.priceLists.of(operation.tariffVersion), operation);

/** The prices by which an operation goes on to reserve: those of its opening, by the most expensive service tier that it may be served. */
export const holdPricesOf = ({ policy }: Pick<Engine, 'policy'>, operation: Priced): ModelTariff | null =>
  findHoldPrices(policy.priceLists.of(operation.tariffVersion), operation);

/** An operation that is not opened yet. */
export interface Unopened {
  readonly access: Pick<AccessIds, 'accountId' | 'plan'>;
  readonly model: string;
  readonly kind: string;
  /** How it asks to be served; null or left out where it does not say. */
  readonly serviceTier?: string | null | undefined;
}

/** The prices by which an operation is opened. */
export const openingPrices = (list: Tariff, { access, model, kind, serviceTier }: Unopened): ModelTariff | null =>
  findHoldPrices(list, { model, kind, accountId: access.accountId, plan: access.plan ?? null, serviceTier });

/** The same by the list that holds now, for an estimate. */
export const pricesNow = ({ policy }: Pick<Engine, 'policy'>, unopened: Unopened): ModelTariff | null =>
  openingPrices(policy.priceLists.current(), unopened);

/** The service tiers that the list sells for a model now, beside the standard one, and what each costs of its prices. */
export const soldTiers = ({ policy }: Pick<Engine, 'policy'>, model: string): TierFactors =>
  listPrices(policy.priceLists.current(), model)?.serviceTiers ?? new Map();

/** Who carried an operation out, where it was one provider: what several have done is charged by the price of the list. */
export const answeringProvider = (attempts: readonly AttemptRecord[]): string | null => {
  const names = new Set(
    attempts.flatMap(({ provider, outcome, abandoned }) =>
      outcome === 'answered' && abandoned !== true ? [provider] : [],
    ),
  );
  const [only] = names;
  return names.size === 1 && only !== undefined ? only : null;
};

/** What one item of a batch costs, without any fee: by its own length, and by who carried it out. Null where a unit has no price. */
export const picosOfItem = (
  prices: ModelTariff,
  { attempts }: Pick<BatchItemRecord, 'attempts'>,
  usage: Quantities,
): bigint | null => picosOfUsage(prices, usage, answeringProvider(storedAttempts(attempts)));

type BatchItem = Pick<BatchItemRecord, 'state' | 'attempts'>;

/** Who carried out the items, where it was one provider. */
const providerOfItems = (items: readonly BatchItem[]): string | null =>
  answeringProvider(items.flatMap(({ attempts }) => storedAttempts(attempts)));

/**
 * What the items of a batch cost of which the sum alone is said, without any fee: each as one of their mean length, since many short
 * items are no long one. Items that certainly did not run do not count. Null where a unit has no price.
 */
export const picosOfAllItems = (prices: ModelTariff, items: readonly BatchItem[], usage: Quantities): bigint | null => {
  const ran = items.filter(({ state }) => state !== 'failed' && state !== 'cancelled');
  return picosOfUsage(prices, usage, providerOfItems(ran), Math.max(1, ran.length));
};
