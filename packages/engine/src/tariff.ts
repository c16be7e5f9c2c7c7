import { usageUnits, type Usage, type UsageUnit } from '@tollgate/provider';
import { microsMax, parseMillionths } from './micros.ts';

/** What a host writes down: credits for a million units, per model id, `*` for every model not named. */
export interface TariffInput {
  /** Names this price list for ever; other prices need another version. */
  readonly version: string;
  readonly models: Readonly<Record<string, ModelTariffInput>>;
}

export interface ModelTariffInput {
  /** Credits for one million units, as a decimal with at most six places. */
  readonly perMillion: Readonly<Partial<Record<UsageUnit, string | number>>>;
  /** Credits that every operation reserves at the least. */
  readonly holdMinimum?: string | number;
}

/** Prices of one model in whole pico-credits a unit. */
export interface ModelTariff {
  readonly picosPerUnit: ReadonlyMap<UsageUnit, bigint>;
  readonly holdMinimumMicros: bigint;
}

export interface Tariff {
  readonly version: string;
  readonly models: ReadonlyMap<string, ModelTariff>;
  /** The list as written, kept beside the operations priced by it. */
  readonly input: TariffInput;
}

/** A unit without a price of its own is charged as this one, so that a finer meter never means a free ride. */
const chargedAs: Readonly<Partial<Record<UsageUnit, UsageUnit>>> = {
  input_image_tokens: 'input_text_tokens',
  input_audio_tokens: 'input_text_tokens',
  input_video_tokens: 'input_text_tokens',
  input_document_tokens: 'input_text_tokens',
  cached_input_tokens: 'input_text_tokens',
  tool_use_input_tokens: 'input_text_tokens',
  output_image_tokens: 'output_text_tokens',
  output_audio_tokens: 'output_text_tokens',
  thought_tokens: 'output_text_tokens',
};

const picosPerMicro = 1_000_000n;

const parseModel = (model: string, input: ModelTariffInput): ModelTariff => {
  const picosPerUnit = new Map<UsageUnit, bigint>();
  for (const [unit, price] of Object.entries(input.perMillion)) {
    const known = usageUnits.find((candidate) => candidate === unit);
    if (known === undefined) throw new TypeError(`tariff of ${model}: unknown unit ${unit}`);
    // Credits a million units, in millionths of a credit, are exactly pico-credits a unit: 10^6 × 10^6 = 10^12.
    const picos = parseMillionths(price);
    if (picos === null || picos < 0n) throw new TypeError(`tariff of ${model}: bad price of ${unit}`);
    picosPerUnit.set(known, picos);
  }
  const holdMinimumMicros = parseMillionths(input.holdMinimum ?? 0);
  if (holdMinimumMicros === null || holdMinimumMicros < 0n || holdMinimumMicros > microsMax)
    throw new TypeError(`tariff of ${model}: bad holdMinimum`);
  return { picosPerUnit, holdMinimumMicros };
};

/** Checks a price list and turns it into integers. Throws with the place of the first fault. */
export const parseTariff = (input: TariffInput): Tariff => {
  if (input.version === '') throw new TypeError('a tariff needs a version');
  const models = new Map<string, ModelTariff>();
  for (const [model, prices] of Object.entries(input.models)) models.set(model, parseModel(model, prices));
  return { version: input.version, models, input };
};

/** The prices of a model, or null: without a tariff nothing is executed (ledger:precheck:missing-tariff). */
export const findModelTariff = (tariff: Tariff, model: string): ModelTariff | null =>
  tariff.models.get(model) ?? tariff.models.get('*') ?? null;

const picosOf = (tariff: ModelTariff, unit: UsageUnit): bigint | null => {
  const own = tariff.picosPerUnit.get(unit);
  if (own !== undefined) return own;
  const other = chargedAs[unit];
  return other === undefined ? null : (tariff.picosPerUnit.get(other) ?? null);
};

/** Quantities of one operation; `Usage` and stored usage both fit. */
export type Quantities = readonly Pick<Usage, 'unit' | 'quantity'>[];

/**
 * The price of all meters together, rounded once to micro-credits: up for an estimate, half up for a charge. Null where a
 * unit that was used has no price, or the sum is beyond every amount.
 */
export const priceOf = (tariff: ModelTariff, quantities: Quantities, rounding: 'up' | 'half_up'): bigint | null => {
  let picos = 0n;
  for (const { unit, quantity } of quantities) {
    if (quantity === 0) continue;
    const price = picosOf(tariff, unit);
    if (price === null) return null;
    picos += price * BigInt(quantity);
  }
  const micros = (picos + (rounding === 'up' ? picosPerMicro - 1n : picosPerMicro / 2n)) / picosPerMicro;
  return micros > microsMax ? null : micros;
};

/** What an operation reserves: its estimate rounded up, at least the tariff's minimum (ledger:hold:estimate). */
export const holdOf = (tariff: ModelTariff, estimate: Quantities): bigint | null => {
  const micros = priceOf(tariff, estimate, 'up');
  if (micros === null) return null;
  return micros > tariff.holdMinimumMicros ? micros : tariff.holdMinimumMicros;
};
