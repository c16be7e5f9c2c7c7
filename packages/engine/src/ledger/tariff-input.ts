import type { UsageUnit } from '@tollgate/provider';

/** What a host writes down: credits for a million units, per model id, `*` for every model not named. */
export interface TariffInput {
  /** Names this price list for ever; other prices need another version. */
  readonly version: string;
  readonly models: Readonly<Record<string, ModelTariffInput>>;
  /** How the part of a charge below a micro-credit is treated; `carry` by default. */
  readonly rounding?: Rounding;
}

/**
 * `carry` debits whole micro-credits and keeps the rest with the account, so that the sum of many small charges is exact. `up` and
 * `half_up` round each charge by itself and keep nothing.
 */
export type Rounding = 'carry' | 'up' | 'half_up';

export interface ModelTariffInput {
  /** Credits for one million units, as a decimal with at most six places. */
  readonly perMillion: Readonly<Partial<Record<UsageUnit, string | number>>>;
  /** Credits that every operation reserves at the least. */
  readonly holdMinimum?: string | number;
  /** Credits that an operation costs at the least which has used anything. */
  readonly chargeMinimum?: string | number;
  /** What the items of a batch cost; without it they cost what the same calls cost directly. */
  readonly batch?: BatchTariffInput;
}

export interface BatchTariffInput {
  /** Of the direct price, for every unit that has no batch price of its own: `0.5` halves it. 1 where it is left out. */
  readonly factor?: string | number;
  /** Credits for one million units, as a decimal with at most six places. */
  readonly perMillion?: Readonly<Partial<Record<UsageUnit, string | number>>>;
}
