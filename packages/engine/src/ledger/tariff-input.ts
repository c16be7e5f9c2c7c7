import type { PricedTier, UsageUnit } from '@tollgate/provider';

/** An amount as it is written: a decimal of at least 0 with at most six places, as a text or a number. */
export type DecimalInput = string | number;

/** Credits for one million units, by unit. */
export type PricesInput = Readonly<Partial<Record<UsageUnit, DecimalInput>>>;

/** What a host writes down: credits for a million units, per model id, `*` for every model not named. */
export interface TariffInput {
  /** Names this price list for ever; other prices need another version. */
  readonly version: string;
  readonly models: Readonly<Record<string, ModelTariffInput>>;
  /** How the part of a charge below a micro-credit is treated; `carry` by default. */
  readonly rounding?: Rounding;
  /** From when on the list holds, as an ISO 8601 time with its zone; a list without one holds from the beginning. */
  readonly validFrom?: string;
  /** Every price of a unit and every fee times this: `1.2` sells at a fifth more than `models` says. 1 where it is left out. */
  readonly markUp?: DecimalInput;
  /** What a service tier costs, for every model that names none itself. */
  readonly serviceTiers?: ServiceTiersInput;
  /** What accounts pay that have the plan of this name. */
  readonly plans?: Readonly<Record<string, PriceLayerInput>>;
  /** What an account pays, by its id; over its plan. */
  readonly customers?: Readonly<Record<string, PriceLayerInput>>;
}

/**
 * The service tiers that are sold, each with its part of the standard price of every unit: `{ flex: 0.5, priority: 2 }`. A tier that is
 * not named is refused.
 */
export type ServiceTiersInput = Readonly<Partial<Record<PricedTier, DecimalInput>>>;

/**
 * `carry` debits whole micro-credits and keeps the rest with the account, so that the sum of many small charges is exact. `up` and
 * `half_up` round each charge by itself and keep nothing.
 */
export type Rounding = 'carry' | 'up' | 'half_up';

export interface ModelTariffInput {
  /** Credits for one million units, as a decimal with at most six places. */
  readonly perMillion: PricesInput;
  /** Credits that an operation which has used anything costs in addition to its units. */
  readonly requestFee?: DecimalInput;
  /** Credits that every operation reserves at the least. */
  readonly holdMinimum?: DecimalInput;
  /** Credits that an operation costs at the least which has used anything, its fee included. */
  readonly chargeMinimum?: DecimalInput;
  /** What the items of a batch cost; without it they cost what the same calls cost directly. */
  readonly batch?: BatchTariffInput;
  /** In place of the service tiers of the list: `{}` sells none. */
  readonly serviceTiers?: ServiceTiersInput;
  /** What an operation costs whose input is longer; the one with the highest threshold that it passes holds for all its units. */
  readonly tiers?: readonly PriceTierInput[];
  /** What an operation costs that this provider carried out, by the provider's name, where several may. */
  readonly providers?: Readonly<Record<string, ProviderPricesInput>>;
}

export interface BatchTariffInput {
  /** Of the direct price, for every unit that has no batch price of its own: `0.5` halves it. 1 where it is left out. */
  readonly factor?: DecimalInput;
  /** Credits for one million units, as a decimal with at most six places. */
  readonly perMillion?: PricesInput;
}

export interface PriceTierInput {
  /** Input tokens of all kinds, from a cache and written into one included, that an operation must have more of. */
  readonly above: number;
  /** Whether just so many tokens are enough. */
  readonly inclusive?: boolean;
  /** Prices in place of the model's; a unit that is not named keeps its price. */
  readonly perMillion: PricesInput;
}

export interface ProviderPricesInput {
  /** Prices in place of the model's; a unit that is not named keeps its price. Tiers hold over them. */
  readonly perMillion: PricesInput;
}

/** Prices over those of a list. */
export interface PriceLayerInput {
  /** Every price of a unit and every fee below the layer times this: `0.9` takes a tenth off. 1 where it is left out. */
  readonly factor?: DecimalInput;
  /** Prices of the layer's own, by model, `*` for every model not named. They are taken as they are written. */
  readonly models?: Readonly<Record<string, ModelLayerInput>>;
}

/** What a layer says of a model; what it leaves out stays as it is below. */
export interface ModelLayerInput {
  readonly perMillion?: PricesInput;
  readonly requestFee?: DecimalInput;
  readonly holdMinimum?: DecimalInput;
  readonly chargeMinimum?: DecimalInput;
  /** In place of all tiers below. */
  readonly tiers?: readonly PriceTierInput[];
}
