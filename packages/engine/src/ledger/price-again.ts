import { isUsageUnit } from '@tollgate/provider';
import type { BatchItemRecord, OperationRecord, UsageRecord } from '@tollgate/storage';
import { exactPicos } from '../decisions/carry.ts';
import { storedUsage } from '../decisions/stored-values.ts';
import { answeringProvider, picosOfAllItems, picosOfItem } from './operation-prices.ts';
import { chargeOfPicos, isUsed, picosOfUsage, type Quantities } from './price-usage.ts';
import type { ModelTariff } from './model-prices.ts';
import { findPrices, type Tariff } from './tariff.ts';

/** Why an operation has no price by another list. */
export type UnpricedReason =
  /** The list has no prices of the model, or none of a unit that was used. */
  | 'no_price'
  /** The price is beyond every amount. */
  | 'beyond_amounts'
  /** Its amount was decided, not measured. */
  | 'decided'
  /** Nothing is on record of what it used, or of the items of a batch. */
  | 'no_usage';

export type PricedAgain =
  | { readonly kind: 'priced'; readonly picos: bigint }
  | { readonly kind: 'unpriced'; readonly reason: UnpricedReason };

const unpriced = (reason: UnpricedReason): PricedAgain => ({ kind: 'unpriced', reason });

/** The quantities of a stored usage; null where one is of a unit that this version does not know. */
const quantitiesOf = (usage: readonly UsageRecord[]): Quantities | null => {
  const known = usage.flatMap(({ unit, quantity }) => (isUsageUnit(unit) ? [{ unit, quantity }] : []));
  return known.length === usage.length ? known : null;
};

/** What is due for units that cost so much, with the fee and the minimum. */
const priced = (prices: ModelTariff, picos: bigint, anyUsed: boolean): PricedAgain => {
  const charge = chargeOfPicos(prices, picos, anyUsed);
  return charge === null ? unpriced('beyond_amounts') : { kind: 'priced', picos: exactPicos(charge) };
};

/** Each item by itself, and the fee and the minimum once, as the batch was charged. */
const priceItems = (prices: ModelTariff, items: readonly BatchItemRecord[]): PricedAgain => {
  let picos = 0n;
  let anyUsed = false;
  for (const item of items) {
    if (item.state !== 'completed') continue;
    const usage = quantitiesOf(storedUsage(item.usage ?? []));
    const own = usage === null ? null : picosOfItem(prices, item, usage);
    if (usage === null || own === null) return unpriced('no_price');
    picos += own;
    anyUsed ||= isUsed(usage);
  }
  return priced(prices, picos, anyUsed);
};

const priceUsage = (prices: ModelTariff, { usage, attempts }: OperationRecord): PricedAgain => {
  if (usage === null) return unpriced('no_usage');
  const quantities = quantitiesOf(usage);
  const picos = quantities === null ? null : picosOfUsage(prices, quantities, answeringProvider(attempts));
  return quantities === null || picos === null ? unpriced('no_price') : priced(prices, picos, isUsed(quantities));
};

/** A batch of which a verdict said the sum. */
const priceSum = (prices: ModelTariff, { usage }: OperationRecord, items: readonly BatchItemRecord[]): PricedAgain => {
  const quantities = quantitiesOf(usage ?? []);
  const picos = quantities === null ? null : picosOfAllItems(prices, items, quantities);
  return quantities === null || picos === null ? unpriced('no_price') : priced(prices, picos, isUsed(quantities));
};

/**
 * What an operation that completed would have cost by a list: what it used, by the plan and the account that it was charged by. `items`
 * are those of a batch; null for every other operation.
 */
export const priceAgain = (
  list: Tariff,
  operation: OperationRecord,
  items: readonly BatchItemRecord[] | null,
): PricedAgain => {
  const { verdict } = operation;
  if (verdict !== null && verdict.kind !== 'charge_measured') return unpriced('decided');
  const prices = findPrices(list, operation);
  if (prices === null) return unpriced('no_price');
  if (items === null) return priceUsage(prices, operation);
  if (items.length === 0) return unpriced('no_usage');
  return verdict === null ? priceItems(prices, items) : priceSum(prices, operation, items);
};
