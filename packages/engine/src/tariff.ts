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
  /** What the items of a batch cost; without it they cost what the same calls cost directly. */
  readonly batch?: BatchTariffInput;
}

export interface BatchTariffInput {
  /** Of the direct price, for every unit that has no batch price of its own: `0.5` halves it. 1 where it is left out. */
  readonly factor?: string | number;
  /** Credits for one million units, as a decimal with at most six places. */
  readonly perMillion?: Readonly<Partial<Record<UsageUnit, string | number>>>;
}

type Prices = ReadonlyMap<UsageUnit, bigint>;

/** Prices of one model in whole pico-credits a unit. */
export interface ModelTariff {
  readonly picosPerUnit: Prices;
  readonly holdMinimumMicros: bigint;
  /** The same for an item of a batch (batches:tariff:separate). */
  readonly batchPicosPerUnit?: Prices;
}

export interface Tariff {
  readonly version: string;
  readonly models: ReadonlyMap<string, ModelTariff>;
  /** The list as written, kept beside the operations priced by it. */
  readonly input: TariffInput;
}

/** What a token is charged as where it has no price of its own: the first of these that has one. */
const anyInput: readonly UsageUnit[] = ['input_text_tokens'];
const anyOutput: readonly UsageUnit[] = ['output_text_tokens'];

/**
 * A finer meter never means a free ride: a token without a price of its own costs what a coarser one costs. What is counted
 * in other things than tokens (pictures, seconds, characters, queries, runs) is like nothing else, and has its own price or none.
 */
const chargedAs: Readonly<Partial<Record<UsageUnit, readonly UsageUnit[]>>> = {
  input_image_tokens: anyInput,
  input_audio_tokens: anyInput,
  input_video_tokens: anyInput,
  input_document_tokens: anyInput,
  cached_input_tokens: anyInput,
  cached_image_tokens: ['cached_input_tokens', 'input_image_tokens', ...anyInput],
  cached_audio_tokens: ['cached_input_tokens', 'input_audio_tokens', ...anyInput],
  cached_video_tokens: ['cached_input_tokens', 'input_video_tokens', ...anyInput],
  cached_document_tokens: ['cached_input_tokens', 'input_document_tokens', ...anyInput],
  tool_use_input_tokens: anyInput,
  embedding_tokens: anyInput,
  indexing_tokens: ['embedding_tokens', ...anyInput],
  output_image_tokens: anyOutput,
  output_audio_tokens: anyOutput,
  output_video_tokens: anyOutput,
  thought_tokens: anyOutput,
};

const picosPerMicro = 1_000_000n;

const parsePrices = (model: string, perMillion: ModelTariffInput['perMillion']): Map<UsageUnit, bigint> => {
  const picosPerUnit = new Map<UsageUnit, bigint>();
  for (const [unit, price] of Object.entries(perMillion)) {
    const known = usageUnits.find((candidate) => candidate === unit);
    if (known === undefined) throw new TypeError(`tariff of ${model}: unknown unit ${unit}`);
    // Credits a million units, in millionths of a credit, are exactly pico-credits a unit: 10^6 × 10^6 = 10^12.
    const picos = parseMillionths(price);
    if (picos === null || picos < 0n) throw new TypeError(`tariff of ${model}: bad price of ${unit}`);
    picosPerUnit.set(known, picos);
  }
  return picosPerUnit;
};

const millionth = 1_000_000n;

/** Prices of batches: the direct ones times the factor, rounded up to whole pico-credits, and those of their own instead. */
const parseBatch = (model: string, direct: Prices, input: BatchTariffInput): Prices => {
  const factor = parseMillionths(input.factor ?? 1);
  if (factor === null || factor < 0n) throw new TypeError(`tariff of ${model}: bad factor of batch`);
  const scaled = [...direct].map(([unit, picos]) => [unit, (picos * factor + millionth - 1n) / millionth] as const);
  return new Map([...scaled, ...parsePrices(`${model}, batch`, input.perMillion ?? {})]);
};

const parseModel = (model: string, input: ModelTariffInput): ModelTariff => {
  const picosPerUnit = parsePrices(model, input.perMillion);
  const holdMinimumMicros = parseMillionths(input.holdMinimum ?? 0);
  if (holdMinimumMicros === null || holdMinimumMicros < 0n || holdMinimumMicros > microsMax)
    throw new TypeError(`tariff of ${model}: bad holdMinimum`);
  const { batch } = input;
  return {
    picosPerUnit,
    holdMinimumMicros,
    ...(batch === undefined ? {} : { batchPicosPerUnit: parseBatch(model, picosPerUnit, batch) }),
  };
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

/** What an operation of a kind is charged by: the items of a batch have prices of their own (batches:tariff:separate). */
export const findKindTariff = (tariff: Tariff, model: string, kind: string): ModelTariff | null => {
  const direct = findModelTariff(tariff, model);
  if (kind !== 'batch' || direct?.batchPicosPerUnit === undefined) return direct;
  return { picosPerUnit: direct.batchPicosPerUnit, holdMinimumMicros: direct.holdMinimumMicros };
};

const picosOf = (tariff: ModelTariff, unit: UsageUnit): bigint | null => {
  for (const priced of [unit, ...(chargedAs[unit] ?? [])]) {
    const picos = tariff.picosPerUnit.get(priced);
    if (picos !== undefined) return picos;
  }
  return null;
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

/** What an operation reserves: its estimate rounded up, at least the tariff's minimum; null where there is no price (ledger:hold:estimate). */
export const holdOf = (tariff: ModelTariff | null, estimate: Quantities): bigint | null => {
  if (tariff === null) return null;
  const micros = priceOf(tariff, estimate, 'up');
  if (micros === null) return null;
  return micros > tariff.holdMinimumMicros ? micros : tariff.holdMinimumMicros;
};
