import { pricedTiers, usageUnits, type UsageUnit } from '@tollgate/provider';
import { parseMillionths } from './micros.ts';
import type { TierFactors } from './service-tier.ts';
import type {
  DecimalInput,
  ModelLayerInput,
  ModelTariffInput,
  PriceLayerInput,
  PricesInput,
  Rounding,
  ServiceTiersInput,
  TariffInput,
  PriceTierInput,
} from './tariff-input.ts';

/** Whole pico-credits a unit. */
export type Prices = ReadonlyMap<UsageUnit, bigint>;

/** Prices of operations with a long input. */
export interface PriceTier {
  /** The least input tokens of an operation that it holds for. */
  readonly fromTokens: number;
  /** Those that differ from the model's. */
  readonly picosPerUnit: Prices;
}

/** What an operation of one model costs. */
export interface ModelTariff {
  readonly picosPerUnit: Prices;
  readonly holdMinimumMicros: bigint;
  readonly chargeMinimumMicros: bigint;
  readonly rounding: Rounding;
  /** What an operation costs beside its units that has used anything. */
  readonly requestFeeMicros: bigint;
  /** By length of the input, the shortest first. */
  readonly tiers: readonly PriceTier[];
  /** Prices that differ by who carried it out; absent where that makes no difference. */
  readonly providers?: ReadonlyMap<string, Prices> | undefined;
}

/** What a model costs directly and by batches, while layers are laid over it. */
export interface ModelSheet extends ModelTariff {
  /** The factor in millionths, and prices of its own; absent where batches cost what direct calls cost. */
  readonly batch?: { readonly factor: bigint; readonly picosPerUnit: Prices } | undefined;
  /** The service tiers that are sold beside the standard one. */
  readonly serviceTiers: TierFactors;
}

/** What the check has found to be a decimal. */
const millionths = (decimal: DecimalInput): bigint => parseMillionths(decimal) ?? 0n;

const millionth = 1_000_000n;

/** An amount times a factor in millionths, rounded up. */
const times = (amount: bigint, factor: bigint): bigint =>
  factor === millionth ? amount : (amount * factor + millionth - 1n) / millionth;

// Credits a million units, in millionths of a credit, are exactly pico-credits a unit: 10^6 × 10^6 = 10^12.
const parsePrices = (perMillion: PricesInput = {}): Prices =>
  new Map(
    usageUnits.flatMap((unit) => {
      const price = perMillion[unit];
      return price === undefined ? [] : [[unit, millionths(price)] as const];
    }),
  );

const parseTiers = (tiers: readonly PriceTierInput[]): readonly PriceTier[] =>
  tiers
    .map(({ above, inclusive = false, perMillion }) => ({
      fromTokens: inclusive ? above : above + 1,
      picosPerUnit: parsePrices(perMillion),
    }))
    .toSorted((one, other) => one.fromTokens - other.fromTokens);

const parseServiceTiers = (input: ServiceTiersInput = {}): TierFactors =>
  new Map(
    pricedTiers.flatMap((tier) => {
      const factor = input[tier];
      return factor === undefined ? [] : [[tier, millionths(factor)] as const];
    }),
  );

type ListTerms = Pick<TariffInput, 'rounding' | 'serviceTiers'>;

const parseModel = (input: ModelTariffInput, { rounding = 'carry', serviceTiers }: ListTerms): ModelSheet => {
  const { requestFee, tiers, providers, batch } = input;
  return {
    serviceTiers: parseServiceTiers(input.serviceTiers ?? serviceTiers),
    picosPerUnit: parsePrices(input.perMillion),
    holdMinimumMicros: millionths(input.holdMinimum ?? 0),
    chargeMinimumMicros: millionths(input.chargeMinimum ?? 0),
    rounding,
    requestFeeMicros: millionths(requestFee ?? 0),
    tiers: parseTiers(tiers ?? []),
    providers:
      providers === undefined
        ? undefined
        : new Map(Object.entries(providers).map(([name, { perMillion }]) => [name, parsePrices(perMillion)])),
    batch:
      batch === undefined
        ? undefined
        : { factor: millionths(batch.factor ?? 1), picosPerUnit: parsePrices(batch.perMillion) },
  };
};

type Change = (prices: Prices) => Prices;

/** Changes every map of prices of a sheet alike. */
const changePrices = <Sheet extends ModelTariff>(sheet: Sheet, change: Change): Sheet => ({
  ...sheet,
  picosPerUnit: change(sheet.picosPerUnit),
  tiers: sheet.tiers.map((tier) => ({ ...tier, picosPerUnit: change(tier.picosPerUnit) })),
  providers:
    sheet.providers === undefined
      ? undefined
      : new Map(Array.from(sheet.providers, ([name, prices]) => [name, change(prices)])),
});

const scaled =
  (factor: bigint): Change =>
  (prices) =>
    new Map(Array.from(prices, ([unit, picos]) => [unit, times(picos, factor)]));

/** Prices with every price of a unit times a factor in millionths; fees and minimums stay. */
export const scaleUnits = (prices: ModelTariff, factor: bigint): ModelTariff => changePrices(prices, scaled(factor));

const scale = (sheet: ModelSheet, factor: bigint): ModelSheet => {
  if (factor === millionth) return sheet;
  const change = scaled(factor);
  const { requestFeeMicros, batch } = sheet;
  return {
    ...changePrices(sheet, change),
    requestFeeMicros: times(requestFeeMicros, factor),
    batch: batch === undefined ? undefined : { ...batch, picosPerUnit: change(batch.picosPerUnit) },
  };
};

/** What a layer says of a model, over what is below. Prices by agreement hold for every length and every provider. */
const override = (below: ModelSheet, own: ModelLayerInput): ModelSheet => {
  const prices = parsePrices(own.perMillion);
  const priced = prices.size === 0 ? below : changePrices(below, (of) => new Map([...of, ...prices]));
  return {
    ...priced,
    requestFeeMicros: own.requestFee === undefined ? below.requestFeeMicros : millionths(own.requestFee),
    holdMinimumMicros: own.holdMinimum === undefined ? below.holdMinimumMicros : millionths(own.holdMinimum),
    chargeMinimumMicros: own.chargeMinimum === undefined ? below.chargeMinimumMicros : millionths(own.chargeMinimum),
    tiers: own.tiers === undefined ? priced.tiers : parseTiers(own.tiers),
  };
};

/** The prices of a model under a layer: the layer's factor first, then what it says of the model. */
export const layModel = (below: ModelSheet, layer: PriceLayerInput, model: string): ModelSheet =>
  override(scale(below, millionths(layer.factor ?? 1)), layer.models?.[model] ?? layer.models?.['*'] ?? {});

/** The prices of every model as the list has them, its mark-up included. */
export const parseModels = ({ models, markUp = 1, ...terms }: TariffInput): ReadonlyMap<string, ModelSheet> =>
  new Map(Object.entries(models).map(([model, input]) => [model, scale(parseModel(input, terms), millionths(markUp))]));

// batches:tariff:separate
/** The prices of an item of a batch: the direct ones times the factor, and those of its own instead. */
export const batchPrices = ({ batch, ...direct }: ModelSheet): ModelTariff => {
  if (batch === undefined) return direct;
  const prices = scaleUnits(direct, batch.factor);
  if (batch.picosPerUnit.size === 0) return prices;
  return changePrices(prices, (below) => new Map([...below, ...batch.picosPerUnit]));
};
