import type { UsageUnit } from '@tollgate/provider';
import { shiftedDecimal } from './decimal.ts';
import {
  emptyDraft,
  judgeFee,
  judgePrice,
  modelOf,
  refuseInto,
  tierOf,
  type ImportedPrices,
  type ImportOptions,
  type PriceDraft,
  type PriceNote,
  type UnitPrices,
} from './imported-prices.ts';

/** Dollars for one unit become credits for a million. */
const perMillionShift = 6;

/** Which unit each field prices. */
const unitFields: ReadonlyMap<string, UsageUnit> = new Map<string, UsageUnit>([
  ['input_cost_per_token', 'input_text_tokens'],
  ['output_cost_per_token', 'output_text_tokens'],
  ['output_cost_per_reasoning_token', 'thought_tokens'],
  ['cache_read_input_token_cost', 'cached_input_tokens'],
  // The older name of the same.
  ['input_cost_per_token_cache_hit', 'cached_input_tokens'],
  ['cache_creation_input_token_cost', 'cache_write_input_tokens'],
  ['cache_creation_input_token_cost_above_1hr', 'cache_write_hour_input_tokens'],
  ['input_cost_per_audio_token', 'input_audio_tokens'],
  ['output_cost_per_audio_token', 'output_audio_tokens'],
  ['input_cost_per_image_token', 'input_image_tokens'],
  ['output_cost_per_image_token', 'output_image_tokens'],
  ['output_cost_per_image', 'images'],
]);

/** Prices of calls that the gateway refuses where its price list has no price for their unit: the model is sold without them. */
const toolFields: ReadonlySet<string> = new Set(['search_context_cost_per_query']);

/** Models that search in every call, asked or not: without the price of a search they would be sold below their price. */
const searchesAlways = (model: string): boolean => /search|sonar/i.test(model);

/** Prices of what an embedding does not have: the files say zero. */
const isNoOutput = (entry: Readonly<Record<string, unknown>>, field: string, value: unknown): boolean =>
  entry['mode'] === 'embedding' && field.startsWith('output_cost_per_token') && shiftedDecimal(value, 0) === '0';

const notModels: ReadonlySet<string> = new Set(['sample_spec', 'fallback_generalizations']);
const fieldPattern = /^(.+?)(?:_above_(\d+)k_tokens)?(?:_(flex|priority|batches))?$/;
const isPriceField = (field: string): boolean => /cost|pricing|multiplier/.test(field);
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Note = (field: string, reason: PriceNote['reason']) => void;

interface Reading {
  readonly model: string;
  readonly draft: PriceDraft;
  readonly options: ImportOptions;
  readonly refuse: Note;
  readonly leaveOut: Note;
}

const put = (
  { options, refuse }: Reading,
  prices: UnitPrices,
  field: string,
  [unit, value]: readonly [UsageUnit, unknown],
): void => {
  const price = judgePrice(shiftedDecimal(value, perMillionShift), unit, options);
  if (price.kind === 'note') return refuse(field, price.reason);
  // Two names of one price must agree.
  if (prices[unit] !== undefined && prices[unit] !== price.decimal) return refuse(field, 'conflict');
  prices[unit] = price.decimal;
};

/** Rows of a list by length: the first begins at nothing and has the prices of a short request. */
const readRows = (reading: Reading, value: unknown): void => {
  if (!Array.isArray(value)) return reading.refuse('tiered_pricing', 'not_an_amount');
  for (const row of value.map((each: unknown) => (isObject(each) ? each : {}))) {
    const { range, ...fields } = row;
    const above: unknown = Array.isArray(range) ? range[0] : null;
    if (typeof above !== 'number' || !Number.isSafeInteger(above) || above < 0) {
      reading.refuse('tiered_pricing.range', 'not_an_amount');
      continue;
    }
    const prices = above === 0 ? reading.draft.base : tierOf(reading.draft, above);
    for (const [field, price] of Object.entries(fields)) {
      const unit = unitFields.get(field);
      if (unit === undefined) reading.refuse(`tiered_pricing.${field}`, 'unknown_field');
      else put(reading, prices, `tiered_pricing.${field}`, [unit, price]);
    }
  }
};

const readField = (reading: Reading, field: string, value: unknown): void => {
  if (reading.options.ignoreFields?.includes(field) === true) return reading.leaveOut(field, 'ignored');
  if (toolFields.has(field) && !searchesAlways(reading.model)) return reading.leaveOut(field, 'tool');
  if (field === 'tiered_pricing') return readRows(reading, value);
  if (field === 'input_cost_per_request') {
    const fee = judgeFee(value, reading.options);
    if (fee.kind === 'note') return reading.refuse(field, fee.reason);
    if (Number(fee.decimal) > 0) reading.draft.requestFee = fee.decimal;
    return;
  }
  const [, name = '', thousands, service] = fieldPattern.exec(field) ?? [];
  const unit = unitFields.get(name);
  if (unit === undefined) return reading.refuse(field, 'unknown_field');
  // No request of the gateway asks for another service tier of its upstream.
  if (service === 'flex' || service === 'priority') return reading.leaveOut(field, 'other_service');
  if (service === 'batches' && thousands !== undefined) return reading.refuse(field, 'unknown_field');
  const { draft } = reading;
  const direct = thousands === undefined ? draft.base : tierOf(draft, Number(thousands) * 1_000);
  put(reading, service === 'batches' ? draft.batch : direct, field, [unit, value]);
};

/**
 * Prices of a model map in LiteLLM's form, in credits of one dollar. A model with a price field that has no place in a price list is
 * left out, and the field is named.
 */
export const importLitellm = (map: Readonly<Record<string, unknown>>, options: ImportOptions = {}): ImportedPrices => {
  const models: [string, NonNullable<ReturnType<typeof modelOf>>][] = [];
  const refused: PriceNote[] = [];
  const leftOut: PriceNote[] = [];
  for (const [model, entry] of Object.entries(map)) {
    if (notModels.has(model) || !isObject(entry)) continue;
    const before = refused.length;
    const reading: Reading = {
      model,
      draft: emptyDraft(),
      options,
      refuse: refuseInto({ refused, leftOut }, options, model),
      leaveOut: (field, reason) => leftOut.push({ model, field, reason }),
    };
    for (const [field, value] of Object.entries(entry))
      if (isPriceField(field) && value !== null && !isNoOutput(entry, field, value)) readField(reading, field, value);
    const found = modelOf(reading.draft);
    if (refused.length === before && found !== null) models.push([model, found]);
  }
  return { models: Object.fromEntries(models), refused, leftOut };
};
