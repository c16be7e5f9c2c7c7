import type { Usage, UsageUnit } from '@tollgate/provider';
import { measureOfPicos, picosPerMicro, type Measure } from '../decisions/carry.ts';
import { microsMax } from './micros.ts';
import type { ModelTariff, Prices } from './model-prices.ts';
import type { Rounding } from './tariff-input.ts';
import { unitTable } from './unit-table.ts';

/** The price of one unit, by the table of units; null where it has none. */
export const picosOf = ({ picosPerUnit }: Pick<ModelTariff, 'picosPerUnit'>, unit: UsageUnit): bigint | null => {
  const { chargedAs, paidBy } = unitTable[unit];
  const own = picosPerUnit.get(unit);
  if (own !== undefined) return own;
  if (paidBy !== undefined && (picosPerUnit.get(paidBy) ?? 0n) > 0n) return 0n;
  for (const priced of chargedAs) {
    const picos = picosPerUnit.get(priced);
    if (picos !== undefined) return picos;
  }
  return null;
};

/** Whether images are charged by the piece: they cost something, and their tokens have no price of their own. */
export const pricesImages = ({ picosPerUnit }: Pick<ModelTariff, 'picosPerUnit'>): boolean =>
  (picosPerUnit.get('images') ?? 0n) > 0n && !picosPerUnit.has('output_image_tokens');

/** Quantities of one operation; `Usage` and stored usage both fit. */
export type Quantities = readonly Pick<Usage, 'unit' | 'quantity'>[];

/** Tokens that a request is sent with, and those that its tools add. */
const isInputToken = (unit: UsageUnit): boolean =>
  unit.endsWith('_tokens') && (unitTable[unit].bound === 'input' || unitTable[unit].bound === 'tool_calls');

/** Tokens of the input, of every kind, read from a cache or written into one included. */
export const inputTokensOf = (quantities: Quantities): number =>
  quantities.reduce((sum, { unit, quantity }) => (isInputToken(unit) ? sum + quantity : sum), 0);

const over = (prices: Prices, own: Prices | undefined): Prices =>
  own === undefined || own.size === 0 ? prices : new Map([...prices, ...own]);

/**
 * The prices that hold for an operation of so many input tokens, which a provider carried out: the model's, over them those of the
 * provider, over both those of the length.
 */
export const pricesFor = (tariff: ModelTariff, tokens: number, provider: string | null): ModelTariff => {
  const { tiers, providers } = tariff;
  if (tiers.length === 0 && providers === undefined) return tariff;
  const own = provider === null ? undefined : providers?.get(provider);
  const tier = tiers.findLast(({ fromTokens }) => tokens >= fromTokens);
  const picosPerUnit = over(over(tariff.picosPerUnit, own), tier?.picosPerUnit);
  return { ...tariff, picosPerUnit, tiers: [], providers: undefined };
};

const addUp = (prices: ModelTariff, quantities: Quantities): bigint | null => {
  let picos = 0n;
  for (const { unit, quantity } of quantities) {
    if (quantity === 0) continue;
    const price = picosOf(prices, unit);
    if (price === null) return null;
    picos += price * BigInt(quantity);
  }
  return picos;
};

/**
 * What quantities cost in whole pico-credits, without any fee; null where a unit that was used has no price. Of several requests
 * together, each is taken to have the mean length.
 */
export const picosOfUsage = (
  tariff: ModelTariff,
  quantities: Quantities,
  provider: string | null = null,
  requests = 1,
): bigint | null =>
  tariff.tiers.length === 0 && tariff.providers === undefined
    ? addUp(tariff, quantities)
    : addUp(pricesFor(tariff, Math.floor(inputTokensOf(quantities) / requests), provider), quantities);

const roundedUp = (picos: bigint): bigint => (picos + picosPerMicro - 1n) / picosPerMicro;
/** Whole micro-credits, rounded to the nearest. */
export const roundedHalfUp = (picos: bigint): bigint => (picos + picosPerMicro / 2n) / picosPerMicro;

/** Whole micro-credits, rounded up: what is reserved always covers what is charged. Null beyond every amount. */
export const microsUp = (picos: bigint): bigint | null => {
  const micros = roundedUp(picos);
  return micros > microsMax ? null : micros;
};

/**
 * The price of all meters together, without any fee, rounded once to micro-credits: up for an estimate, half up where the price list
 * rounds so. Null where a unit that was used has no price, or the sum is beyond every amount.
 */
export const priceOf = (tariff: ModelTariff, quantities: Quantities, rounding: 'up' | 'half_up'): bigint | null => {
  const picos = picosOfUsage(tariff, quantities);
  if (picos === null) return null;
  const micros = rounding === 'up' ? roundedUp(picos) : roundedHalfUp(picos);
  return micros > microsMax ? null : micros;
};

const roundedBy = (rounding: Rounding, picos: bigint): Measure => {
  switch (rounding) {
    case 'carry':
      return measureOfPicos(picos);
    case 'up':
      return { micros: roundedUp(picos), fractionPicos: 0 };
    case 'half_up':
      return { micros: roundedHalfUp(picos), fractionPicos: 0 };
  }
};

/** What an operation costs whose units cost so much: with the fee, rounded once, and at least its minimum. Null beyond every amount. */
export const chargeOfPicos = (tariff: ModelTariff, picos: bigint, isUsed: boolean): Measure | null => {
  const withFee = isUsed ? picos + tariff.requestFeeMicros * picosPerMicro : picos;
  const minimumPicos = isUsed ? tariff.chargeMinimumMicros * picosPerMicro : 0n;
  const duePicos = withFee > minimumPicos ? withFee : minimumPicos;
  return roundedUp(duePicos) > microsMax ? null : roundedBy(tariff.rounding, duePicos);
};

/** Whether anything was used at all. */
export const isUsed = (quantities: Quantities): boolean => quantities.some(({ quantity }) => quantity > 0);

/**
 * What an operation costs that used this: the price of all meters together and the fee, rounded once by the price list's choice, and
 * at least its minimum. Nothing where nothing was used. Null as `priceOf`. `provider` is who carried it out, null where that is not
 * one.
 */
export const chargeOf = (
  tariff: ModelTariff,
  quantities: Quantities,
  provider: string | null = null,
): Measure | null => {
  const picos = picosOfUsage(tariff, quantities, provider);
  return picos === null ? null : chargeOfPicos(tariff, picos, isUsed(quantities));
};
