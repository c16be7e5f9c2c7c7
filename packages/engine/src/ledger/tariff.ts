import { checkConfiguration } from '@tollgate/contract/configuration';
import { usageUnits, type Usage, type UsageUnit } from '@tollgate/provider';
import { measureOfPicos, picosPerMicro, type Measure } from '../decisions/carry.ts';
import { microsMax, parseMillionths } from './micros.ts';
import { tariffCheck } from './tariff-check.ts';
import type { BatchTariffInput, ModelTariffInput, Rounding, TariffInput } from './tariff-input.ts';
import { unitTable } from './unit-table.ts';

type Prices = ReadonlyMap<UsageUnit, bigint>;

/** Prices of one model in whole pico-credits a unit. */
export interface ModelTariff {
  readonly picosPerUnit: Prices;
  readonly holdMinimumMicros: bigint;
  readonly chargeMinimumMicros: bigint;
  readonly rounding: Rounding;
  /** The same for an item of a batch (batches:tariff:separate). */
  readonly batchPicosPerUnit?: Prices | undefined;
}

export interface Tariff {
  readonly version: string;
  readonly models: ReadonlyMap<string, ModelTariff>;
  /** The list as written, kept beside the operations priced by it. */
  readonly input: TariffInput;
}

/** What the check has found to be a decimal. */
const millionths = (decimal: string | number): bigint => parseMillionths(decimal) ?? 0n;

// Credits a million units, in millionths of a credit, are exactly pico-credits a unit: 10^6 × 10^6 = 10^12.
const parsePrices = (perMillion: ModelTariffInput['perMillion']): Map<UsageUnit, bigint> =>
  new Map(
    usageUnits.flatMap((unit) => {
      const price = perMillion[unit];
      return price === undefined ? [] : [[unit, millionths(price)] as const];
    }),
  );

const millionth = 1_000_000n;

/** Prices of batches: the direct ones times the factor, rounded up to whole pico-credits, and those of their own instead. */
const parseBatch = (direct: Prices, input: BatchTariffInput): Prices => {
  const factor = millionths(input.factor ?? 1);
  const scaled = [...direct].map(([unit, picos]) => [unit, (picos * factor + millionth - 1n) / millionth] as const);
  return new Map([...scaled, ...parsePrices(input.perMillion ?? {})]);
};

const parseModel = (input: ModelTariffInput, rounding: Rounding): ModelTariff => {
  const picosPerUnit = parsePrices(input.perMillion);
  const { batch } = input;
  return {
    picosPerUnit,
    holdMinimumMicros: millionths(input.holdMinimum ?? 0),
    chargeMinimumMicros: millionths(input.chargeMinimum ?? 0),
    rounding,
    batchPicosPerUnit: batch === undefined ? undefined : parseBatch(picosPerUnit, batch),
  };
};

/** Checks a price list and turns it into integers. Throws a `ConfigurationError` with every fault and its place. */
export const parseTariff = (input: TariffInput): Tariff => {
  checkConfiguration('parseTariff', tariffCheck, input);
  const { rounding = 'carry' } = input;
  const models = new Map(Object.entries(input.models).map(([model, prices]) => [model, parseModel(prices, rounding)]));
  return { version: input.version, models, input };
};

/** The prices of a model, or null: without a price list nothing is executed (ledger:precheck:missing-tariff). */
export const findModelTariff = (tariff: Tariff, model: string): ModelTariff | null =>
  tariff.models.get(model) ?? tariff.models.get('*') ?? null;

/** What an operation of a kind is charged by: the items of a batch have prices of their own (batches:tariff:separate). */
export const findKindTariff = (tariff: Tariff, model: string, kind: string): ModelTariff | null => {
  const direct = findModelTariff(tariff, model);
  if (kind !== 'batch' || direct?.batchPicosPerUnit === undefined) return direct;
  const { batchPicosPerUnit, ...rest } = direct;
  return { ...rest, picosPerUnit: batchPicosPerUnit };
};

/** The price of one unit, by the table of units; null where it has none. */
export const picosOf = (tariff: ModelTariff, unit: UsageUnit): bigint | null => {
  const { chargedAs, paidBy } = unitTable[unit];
  const own = tariff.picosPerUnit.get(unit);
  if (own !== undefined) return own;
  if (paidBy !== undefined && (tariff.picosPerUnit.get(paidBy) ?? 0n) > 0n) return 0n;
  for (const priced of chargedAs) {
    const picos = tariff.picosPerUnit.get(priced);
    if (picos !== undefined) return picos;
  }
  return null;
};

/** Whether images are charged by the piece: they cost something, and their tokens have no price of their own. */
export const pricesImages = ({ picosPerUnit }: ModelTariff): boolean =>
  (picosPerUnit.get('images') ?? 0n) > 0n && !picosPerUnit.has('output_image_tokens');

/** Quantities of one operation; `Usage` and stored usage both fit. */
export type Quantities = readonly Pick<Usage, 'unit' | 'quantity'>[];

/** What quantities cost in whole pico-credits; null where a unit that was used has no price. */
export const picosOfUsage = (tariff: ModelTariff, quantities: Quantities): bigint | null => {
  let picos = 0n;
  for (const { unit, quantity } of quantities) {
    if (quantity === 0) continue;
    const price = picosOf(tariff, unit);
    if (price === null) return null;
    picos += price * BigInt(quantity);
  }
  return picos;
};

const roundedUp = (picos: bigint): bigint => (picos + picosPerMicro - 1n) / picosPerMicro;
const roundedHalfUp = (picos: bigint): bigint => (picos + picosPerMicro / 2n) / picosPerMicro;

/** Whole micro-credits, rounded up: what is reserved always covers what is charged. Null beyond every amount. */
export const microsUp = (picos: bigint): bigint | null => {
  const micros = roundedUp(picos);
  return micros > microsMax ? null : micros;
};

/**
 * The price of all meters together, rounded once to micro-credits: up for an estimate, half up where the price list rounds so. Null
 * where a unit that was used has no price, or the sum is beyond every amount.
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

/**
 * What an operation costs that used this: the price of all meters together, rounded once by the price list's choice, and at least its
 * minimum where anything was used. Null as `priceOf`.
 */
export const chargeOf = (tariff: ModelTariff, quantities: Quantities): Measure | null => {
  const picos = picosOfUsage(tariff, quantities);
  if (picos === null) return null;
  const isUsed = quantities.some(({ quantity }) => quantity > 0);
  const minimumPicos = isUsed ? tariff.chargeMinimumMicros * picosPerMicro : 0n;
  const duePicos = picos > minimumPicos ? picos : minimumPicos;
  return roundedUp(duePicos) > microsMax ? null : roundedBy(tariff.rounding, duePicos);
};
