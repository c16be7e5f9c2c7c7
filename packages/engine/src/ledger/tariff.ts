import { checkConfiguration } from '@tollgate/contract/configuration';
import { batchPrices, layModel, parseModels, scaleUnits, type ModelSheet, type ModelTariff } from './model-prices.ts';
import { chargedFactor, heldFactor, standardFactor, type TierOfOperation } from './service-tier.ts';
import { tariffCheck } from './tariff-check.ts';
import type { TariffInput } from './tariff-input.ts';

/** A price list. */
export interface Tariff {
  readonly version: string;
  readonly models: ReadonlyMap<string, ModelSheet>;
  /** From when on it holds, in milliseconds since 1970; null from the beginning. */
  readonly validFromMs: number | null;
  /** The list as written, kept beside the operations priced by it. */
  readonly input: TariffInput;
  /** Prices that were found before, by what they were asked for. */
  readonly found: Map<string, ModelTariff>;
  /** Plans without prices here that were logged. */
  readonly notedPlans: Set<string>;
}

/** Prices that one list remembers at the most; more are worked out again. */
const foundMax = 10_000;

/** Checks a price list and turns it into integers. Throws a `ConfigurationError` with every fault and its place. */
export const parseTariff = (input: TariffInput): Tariff => {
  checkConfiguration('parseTariff', tariffCheck, input);
  return {
    version: input.version,
    models: parseModels(input),
    validFromMs: input.validFrom === undefined ? null : Date.parse(input.validFrom),
    input,
    found: new Map(),
    notedPlans: new Set(),
  };
};

/** What an operation is priced as. */
export interface PriceQuery extends TierOfOperation {
  readonly model: string;
  /** The kind of the operation: the items of a batch have prices of their own. */
  readonly kind: string;
  readonly accountId: string;
  /** The plan that the account had when the operation was opened; null for none. */
  readonly plan: string | null;
}

const sheetOf = ({ models }: Tariff, model: string): ModelSheet | undefined => models.get(model) ?? models.get('*');

// ledger:precheck:missing-tariff
/** The prices of a model for everyone, or null: without a price list nothing is executed. */
export const listPrices = (tariff: Tariff, model: string): ModelSheet | null => sheetOf(tariff, model) ?? null;

const layersOf = ({ input: { plans = {}, customers = {} } }: Tariff, { accountId, plan }: PriceQuery) => ({
  plan: plan !== null && Object.hasOwn(plans, plan) ? plans[plan] : undefined,
  customer: Object.hasOwn(customers, accountId) ? customers[accountId] : undefined,
});

/** The list, over it the plan of the account, over that the account's own prices, all times the factor of a service tier. */
const pricesAt = (tariff: Tariff, sheet: ModelSheet, query: PriceQuery, factor: bigint): ModelTariff => {
  const { plan, customer } = layersOf(tariff, query);
  const isBatch = query.kind === 'batch' && sheet.batch !== undefined;
  // A session has no length of input: its turns add up.
  const isFlat = query.kind === 'live' && sheet.tiers.length > 0;
  const isStandard = factor === standardFactor;
  if (plan === undefined && customer === undefined && !isBatch && !isFlat && isStandard) return sheet;
  const buyer = `${customer === undefined ? '' : query.accountId}\n${plan === undefined ? '' : query.plan}`;
  const key = `${query.model}\n${isBatch || isFlat ? query.kind : ''}\n${buyer}\n${isStandard ? '' : factor}`;
  const known = tariff.found.get(key);
  if (known !== undefined) return known;
  const layers = [plan, customer].flatMap((layer) => layer ?? []);
  const laid = layers.reduce((below, layer) => layModel(below, layer, query.model), sheet);
  const priced: ModelTariff = isBatch ? batchPrices(laid) : laid;
  const ofLength = isFlat ? { ...priced, tiers: [] } : priced;
  const found = isStandard ? ofLength : scaleUnits(ofLength, factor);
  if (tariff.found.size >= foundMax) tariff.found.clear();
  tariff.found.set(key, found);
  return found;
};

/**
 * What an operation is charged by: the list, over it the plan of its account, over that the account's own prices, and of these the
 * batch prices for a batch, and none by length for a session, all by the service tier that it was served. Null where the list has no
 * prices for the model or for its tier.
 */
export const findPrices = (tariff: Tariff, query: PriceQuery): ModelTariff | null => {
  const sheet = sheetOf(tariff, query.model);
  if (sheet === undefined) return null;
  const factor = chargedFactor(sheet.serviceTiers, query);
  return factor === null ? null : pricesAt(tariff, sheet, query, factor);
};

/** What an operation reserves by: the same, by the most expensive service tier that it may be served. */
export const findHoldPrices = (tariff: Tariff, query: PriceQuery): ModelTariff | null => {
  const sheet = sheetOf(tariff, query.model);
  if (sheet === undefined) return null;
  const factor = heldFactor(sheet.serviceTiers, query);
  return factor === null ? null : pricesAt(tariff, sheet, query, factor);
};
