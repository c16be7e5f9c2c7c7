import { isUsageUnit } from '@tollgate/provider';
import type { BatchItemRecord, OperationRecord, UsageRecord } from '@tollgate/storage';
import type { Measure } from '../decisions/carry.ts';
import { storedUsage } from '../decisions/stored-values.ts';
import { addRecords, type UsedPart, type VerdictFacts } from '../decisions/verdict.ts';
import type { ModelTariff } from '../ledger/model-prices.ts';
import { picosOfAllItems, picosOfItem } from '../ledger/operation-prices.ts';
import { chargeOfPicos, isUsed, type Quantities } from '../ledger/price-usage.ts';
import { measureBy } from '../operations/conclude.ts';
import { knownUsageOf } from './operation-parts.ts';

/** How a verdict on an operation is priced. */
type VerdictPrices = Pick<VerdictFacts, 'price' | 'priceParts'>;

const quantitiesOf = (usage: readonly UsageRecord[]): Quantities =>
  usage.flatMap(({ unit, quantity }) => (isUsageUnit(unit) ? [{ unit, quantity }] : []));

/** One request: its parts add up, and so does its length. */
export const verdictPrices = (prices: ModelTariff | null, operation: OperationRecord): VerdictPrices => {
  const price = (usage: readonly UsageRecord[]): Measure | null => {
    const confirmed = quantitiesOf(usage).map((each) => ({ ...each, confirmed: true }));
    return measureBy(prices, confirmed, operation.attempts);
  };
  return {
    price,
    priceParts: (said) => price(addRecords(knownUsageOf(operation), ...said.map(({ usage }) => usage))),
  };
};

/** What each item is known, or said, to have used. */
const usagesOf = (
  items: readonly BatchItemRecord[],
  said: readonly UsedPart[],
): readonly (readonly [item: BatchItemRecord, usage: Quantities])[] => {
  const saidOf = new Map(said.map(({ part, usage }) => [part, usage]));
  return items.map((item) => {
    const known = item.state === 'completed' ? storedUsage(item.usage ?? []) : [];
    return [item, quantitiesOf(saidOf.get(item.key) ?? known)];
  });
};

const priceItems = (
  prices: ModelTariff,
  items: readonly BatchItemRecord[],
  said: readonly UsedPart[],
): Measure | null => {
  let picos = 0n;
  let anyUsed = false;
  for (const [item, usage] of usagesOf(items, said)) {
    const own = picosOfItem(prices, item, usage);
    if (own === null) return null;
    picos += own;
    anyUsed ||= isUsed(usage);
  }
  return chargeOfPicos(prices, picos, anyUsed);
};

/** A batch: each of its items by its own length; where the sum alone is said, each as one of the mean length. */
export const verdictPricesOfBatch = (prices: ModelTariff | null, items: readonly BatchItemRecord[]): VerdictPrices => ({
  price: (usage) => {
    const quantities = quantitiesOf(usage);
    if (quantities.length === 0) return null;
    const picos = prices === null ? null : picosOfAllItems(prices, items, quantities);
    return prices === null || picos === null ? null : chargeOfPicos(prices, picos, isUsed(quantities));
  },
  priceParts: (said) => (prices === null ? null : priceItems(prices, items, said)),
});
