import { usageUnits, type UsageUnit } from '@tollgate/provider';
import { shiftedDecimal } from './decimal.ts';
import type { ModelTariffInput } from '../tariff-input.ts';

/** A price field of a model of a published list, and why it is not taken. */
export interface PriceNote {
  readonly model: string;
  /** As the list names it. */
  readonly field: string;
  readonly reason:
    | 'unknown_field'
    | 'not_an_amount'
    | 'zero'
    | 'beyond_bound'
    | 'conflict'
    | 'other_service'
    | 'tool'
    | 'ignored'
    | 'legacy';
}

/** What a published list of prices becomes. */
export interface ImportedPrices {
  readonly models: Readonly<Record<string, ModelTariffInput>>;
  /** Fields for which their model is left out as a whole: without them it could be sold below its price. */
  readonly refused: readonly PriceNote[];
  /** Fields that are left out while their model is taken, as the gateway never asks an upstream for what they price. */
  readonly leftOut: readonly PriceNote[];
}

export interface ImportOptions {
  /** Takes prices of zero. */
  readonly allowZero?: boolean | undefined;
  /** Takes prices beyond the bounds. */
  readonly force?: boolean | undefined;
  /** Fields, as the list or a note names them, that are left out while their model is taken. */
  readonly ignoreFields?: readonly string[] | undefined;
}

/** Where the notes of one model go: of a field that is ignored, none keeps its model out. */
export interface NoteLists {
  readonly refused: PriceNote[];
  readonly leftOut: PriceNote[];
}

/** Refuses a field of a model, or leaves it out where the host ignores it. */
export const refuseInto =
  ({ refused, leftOut }: NoteLists, { ignoreFields = [] }: ImportOptions, model: string) =>
  (field: string, reason: PriceNote['reason']): void => {
    if (ignoreFields.includes(field)) leftOut.push({ model, field, reason: 'ignored' });
    else refused.push({ model, field, reason });
  };

/** The highest price of a million tokens, and of a million of anything else, that is believed without `force`. */
const tokenCreditsMax = 5_000;
const pieceCreditsMax = 100_000_000;

export type ReadPrice =
  | { readonly kind: 'price'; readonly decimal: string }
  | { readonly kind: 'note'; readonly reason: PriceNote['reason'] };

/** Judges a price of a million units. */
export const judgePrice = (decimal: string | null, unit: UsageUnit, { allowZero, force }: ImportOptions): ReadPrice => {
  if (decimal === null) return { kind: 'note', reason: 'not_an_amount' };
  const amount = Number(decimal);
  if (amount === 0 && allowZero !== true) return { kind: 'note', reason: 'zero' };
  const max = unit.endsWith('_tokens') ? tokenCreditsMax : pieceCreditsMax;
  return amount > max && force !== true ? { kind: 'note', reason: 'beyond_bound' } : { kind: 'price', decimal };
};

/** Judges a fee of each request, which is free where the list has zero; one that rounds to zero is not. */
export const judgeFee = (value: unknown, { allowZero }: ImportOptions): ReadPrice => {
  const decimal = shiftedDecimal(value, 0);
  if (decimal === null) return { kind: 'note', reason: 'not_an_amount' };
  const isLost = decimal === '0' && Number(value) > 0 && allowZero !== true;
  return isLost ? { kind: 'note', reason: 'zero' } : { kind: 'price', decimal };
};

export type UnitPrices = Partial<Record<UsageUnit, string>>;

/** The prices of a model while it is read. */
export interface PriceDraft {
  readonly base: UnitPrices;
  readonly batch: UnitPrices;
  readonly tiers: Map<number, UnitPrices>;
  requestFee: string | null;
}

export const emptyDraft = (): PriceDraft => ({ base: {}, batch: {}, tiers: new Map(), requestFee: null });

/** Prices of a tier that begins above so many tokens; made where there are none yet. */
export const tierOf = ({ tiers }: PriceDraft, above: number): UnitPrices => {
  const prices = tiers.get(above) ?? {};
  tiers.set(above, prices);
  return prices;
};

const isEmpty = (prices: UnitPrices): boolean => usageUnits.every((unit) => prices[unit] === undefined);

/** The prices of one model in a price list; null where it has none. */
export const modelOf = ({ base, batch, tiers, requestFee }: PriceDraft): ModelTariffInput | null => {
  if (isEmpty(base) && requestFee === null) return null;
  const found = [...tiers].map(([above, perMillion]) => ({ above, perMillion }));
  const model: { -readonly [Member in keyof ModelTariffInput]: ModelTariffInput[Member] } = { perMillion: base };
  if (found.length > 0) model.tiers = found.toSorted((one, other) => one.above - other.above);
  if (!isEmpty(batch)) model.batch = { perMillion: batch };
  if (requestFee !== null) model.requestFee = requestFee;
  return model;
};
