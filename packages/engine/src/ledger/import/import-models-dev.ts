import type { UsageUnit } from '@tollgate/provider';
import { shiftedDecimal } from './decimal.ts';
import {
  emptyDraft,
  judgePrice,
  modelOf,
  refuseInto,
  tierOf,
  type ImportedPrices,
  type ImportOptions,
  type PriceNote,
  type UnitPrices,
} from './imported-prices.ts';

const unitFields: ReadonlyMap<string, UsageUnit> = new Map<string, UsageUnit>([
  ['input', 'input_text_tokens'],
  ['output', 'output_text_tokens'],
  ['reasoning', 'thought_tokens'],
  ['cache_read', 'cached_input_tokens'],
  ['cache_write', 'cache_write_input_tokens'],
  ['input_audio', 'input_audio_tokens'],
  ['output_audio', 'output_audio_tokens'],
]);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Refuse = (field: string, reason: PriceNote['reason']) => void;

interface Reading {
  readonly options: ImportOptions;
  readonly refuse: Refuse;
}

/** Prices for a million units, as they stand. */
const readPrices = (
  reading: Reading,
  prices: UnitPrices,
  cost: Readonly<Record<string, unknown>>,
  place: string,
): void => {
  for (const [field, value] of Object.entries(cost)) {
    const unit = unitFields.get(field);
    if (unit === undefined) {
      reading.refuse(`${place}.${field}`, 'unknown_field');
      continue;
    }
    const price = judgePrice(shiftedDecimal(value, 0), unit, reading.options);
    if (price.kind === 'note') reading.refuse(`${place}.${field}`, price.reason);
    else prices[unit] = price.decimal;
  }
};

const sizeOf = (tier: unknown): number | null => {
  if (!isObject(tier) || tier['type'] !== 'context') return null;
  const size = tier['size'];
  return typeof size === 'number' && Number.isSafeInteger(size) && size > 0 ? size : null;
};

const readModel = (reading: Reading, cost: Readonly<Record<string, unknown>>) => {
  const draft = emptyDraft();
  // The older member repeats one of the tiers under a length that may be another.
  const { tiers = [], context_over_200k: _legacy, ...base } = cost;
  readPrices(reading, draft.base, base, 'cost');
  if (!Array.isArray(tiers)) reading.refuse('cost.tiers', 'not_an_amount');
  for (const row of Array.isArray(tiers) ? tiers.map((each: unknown) => (isObject(each) ? each : {})) : []) {
    const { tier, ...prices } = row;
    const above = sizeOf(tier);
    if (above === null) reading.refuse('cost.tiers.tier', 'unknown_field');
    else readPrices(reading, tierOf(draft, above), prices, 'cost.tiers');
  }
  return modelOf(draft);
};

/**
 * Prices of a list in the form of models.dev, in credits of one dollar; a model is named `provider/model`. A model with a price field
 * that has no place in a price list is left out, and the field is named.
 */
export const importModelsDev = (
  list: Readonly<Record<string, unknown>>,
  options: ImportOptions = {},
): ImportedPrices => {
  const models: [string, NonNullable<ReturnType<typeof modelOf>>][] = [];
  const refused: PriceNote[] = [];
  const leftOut: PriceNote[] = [];
  const providers = Object.entries(list).flatMap(([provider, entry]) =>
    isObject(entry) && isObject(entry['models'])
      ? Object.entries(entry['models']).map(([id, row]) => [`${provider}/${id}`, row] as const)
      : [],
  );
  for (const [model, row] of providers) {
    if (!isObject(row) || !isObject(row['cost'])) continue;
    const before = refused.length;
    const found = readModel({ options, refuse: refuseInto({ refused, leftOut }, options, model) }, row['cost']);
    if (row['cost']['context_over_200k'] !== undefined)
      leftOut.push({ model, field: 'cost.context_over_200k', reason: 'legacy' });
    if (row['experimental'] !== undefined) leftOut.push({ model, field: 'experimental', reason: 'other_service' });
    if (refused.length === before && found !== null) models.push([model, found]);
  }
  return { models: Object.fromEntries(models), refused, leftOut };
};
