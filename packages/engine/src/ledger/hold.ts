import type { Usage, UsageUnit } from '@tollgate/provider';
import { picosPerMicro } from '../decisions/carry.ts';
import type { ModelTariff } from './model-prices.ts';
import { inputTokensOf, microsUp, picosOf, pricesFor } from './price-usage.ts';
import { unitTable } from './unit-table.ts';

/** At most so much of a unit; `Infinity` where nothing bounds it. */
export interface Estimated extends Pick<Usage, 'unit' | 'quantity'> {
  /** Units that may be reported in its place beside those of the table; the most expensive is reserved. */
  readonly or?: readonly UsageUnit[] | undefined;
  /** Reserved only where the price list has a price of its own for it: the upstream may meter something else instead. */
  readonly ifPriced?: true | undefined;
  /** Measured already, so that nothing else can be reported in its place. */
  readonly exact?: true | undefined;
}

/** What an operation may use at the most. */
export type Estimate = readonly Estimated[];

/** What an estimate costs in whole pico-credits, or the first unit that keeps it from being told. */
export type EstimatePrice =
  | { readonly kind: 'picos'; readonly picos: bigint }
  /** The price list has no price for a unit that is certain to be used. */
  | { readonly kind: 'unpriced'; readonly unit: UsageUnit }
  /** The unit has a price, and nothing bounds how much of it is used. */
  | { readonly kind: 'unbounded'; readonly unit: UsageUnit };

const highestPriceOf = (tariff: ModelTariff, { unit, or = [], exact }: Estimated): bigint | null => {
  const own = picosOf(tariff, unit);
  if (own === null || exact === true) return own;
  return [...unitTable[unit].mayBe, ...or].reduce((highest, other) => {
    const picos = picosOf(tariff, other) ?? 0n;
    return picos > highest ? picos : highest;
  }, own);
};

/** The highest of the prices that may come to hold; null where the unit has none by one of them. */
const highestOf = (possible: readonly ModelTariff[], estimated: Estimated): bigint | null => {
  let highest = 0n;
  for (const tariff of possible) {
    const price = highestPriceOf(tariff, estimated);
    if (price === null) return null;
    if (price > highest) highest = price;
  }
  return highest;
};

/** The prices that may come to hold: of every provider, and of every length that the estimate can reach. */
const possiblePrices = (tariff: ModelTariff, estimate: Estimate): readonly ModelTariff[] => {
  const { tiers, providers } = tariff;
  if (tiers.length === 0 && providers === undefined) return [tariff];
  const most = inputTokensOf(estimate);
  const lengths = [0, ...tiers.flatMap(({ fromTokens }) => (fromTokens <= most ? [fromTokens] : []))];
  const names = [null, ...(providers?.keys() ?? [])];
  return names.flatMap((provider) => lengths.map((tokens) => pricesFor(tariff, tokens, provider)));
};

/**
 * Prices an estimate: each unit at the most expensive that may be reported in its place, by the most expensive of the lengths and the
 * providers that are possible. Each unit by itself, since the items of a batch may each have another length.
 */
export const priceEstimate = (tariff: ModelTariff, estimate: Estimate): EstimatePrice => {
  const possible = possiblePrices(tariff, estimate);
  let picos = 0n;
  for (const estimated of estimate) {
    const { unit, quantity, ifPriced } = estimated;
    if (quantity === 0 || (ifPriced === true && possible.every(({ picosPerUnit }) => !picosPerUnit.has(unit))))
      continue;
    const price = highestOf(possible, estimated);
    if (price === null) return { kind: 'unpriced', unit };
    if (price === 0n) continue;
    if (!Number.isFinite(quantity)) return { kind: 'unbounded', unit };
    picos += price * BigInt(quantity);
  }
  return { kind: 'picos', picos };
};

/** What is reserved for an operation, or why nothing can be. */
export type Hold =
  | { readonly kind: 'amount'; readonly micros: bigint }
  | { readonly kind: 'no_tariff' }
  | { readonly kind: 'beyond_amounts' }
  | Exclude<EstimatePrice, { readonly kind: 'picos' }>;

// ledger:hold:estimate
/**
 * What an operation reserves: its estimate rounded up and the fee, at least what the price list holds and charges at the least
 */
export const judgeHold = (tariff: ModelTariff | null, estimate: Estimate): Hold => {
  if (tariff === null) return { kind: 'no_tariff' };
  const price = priceEstimate(tariff, estimate);
  if (price.kind !== 'picos') return price;
  const micros = microsUp(price.picos + tariff.requestFeeMicros * picosPerMicro);
  if (micros === null) return { kind: 'beyond_amounts' };
  const least = [tariff.holdMinimumMicros, tariff.chargeMinimumMicros];
  return { kind: 'amount', micros: least.reduce((most, each) => (each > most ? each : most), micros) };
};

/** The amount that an operation reserves; null where nothing can be. */
export const holdOf = (tariff: ModelTariff | null, estimate: Estimate): bigint | null => {
  const hold = judgeHold(tariff, estimate);
  return hold.kind === 'amount' ? hold.micros : null;
};

/**
 * The hold of an operation that turns out to use more than it was opened for, as if all of it had been known then: together both may
 * reach prices of longer input that neither reaches alone. Null where nothing can be reserved.
 */
export const raisedHold = (tariff: ModelTariff | null, opened: Estimate, more: Estimate): bigint | null =>
  holdOf(tariff, [...opened, ...more]);
