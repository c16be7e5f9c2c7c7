import type { UsageUnit } from '@tollgate/provider';
import { shiftedDecimal } from './decimal.ts';
import {
  emptyDraft,
  judgeFee,
  judgePrice,
  modelOf,
  refuseInto,
  type ImportedPrices,
  type ImportOptions,
  type PriceNote,
} from './imported-prices.ts';

/** Dollars for one unit become credits for a million. */
const perMillionShift = 6;

const unitFields: ReadonlyMap<string, UsageUnit> = new Map<string, UsageUnit>([
  ['prompt', 'input_text_tokens'],
  ['completion', 'output_text_tokens'],
  ['internal_reasoning', 'thought_tokens'],
  ['input_cache_read', 'cached_input_tokens'],
  ['input_cache_write', 'cache_write_input_tokens'],
  ['audio', 'input_audio_tokens'],
]);

/** In these a zero is a price. In any other it says that nothing beside them is charged. */
const basicFields: ReadonlySet<string> = new Set(['prompt', 'completion']);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether the list says zero, and not what is rounded to it. */
const isNothing = (value: unknown): boolean => shiftedDecimal(value, perMillionShift) === '0' && Number(value) === 0;

type Refuse = (field: string, reason: PriceNote['reason']) => void;

const readModel = (pricing: Readonly<Record<string, unknown>>, options: ImportOptions, refuse: Refuse) => {
  const draft = emptyDraft();
  // With prices of the input alone the output would be free.
  for (const name of basicFields) if ((pricing[name] ?? null) === null) refuse(`pricing.${name}`, 'not_an_amount');
  for (const [name, value] of Object.entries(pricing)) {
    const field = `pricing.${name}`;
    if (value === null || value === undefined || (isNothing(value) && !basicFields.has(name))) continue;
    if (name === 'request') {
      const fee = judgeFee(value, options);
      if (fee.kind === 'note') refuse(field, fee.reason);
      else draft.requestFee = fee.decimal;
      continue;
    }
    const unit = unitFields.get(name);
    if (unit === undefined) {
      refuse(field, 'unknown_field');
      continue;
    }
    const price = judgePrice(shiftedDecimal(value, perMillionShift), unit, options);
    if (price.kind === 'note') refuse(field, price.reason);
    else draft.base[unit] = price.decimal;
  }
  return modelOf(draft);
};

/**
 * Prices of a list of models in OpenRouter's form, in credits of one dollar. A model with a price field that has no place in a price
 * list is left out, and the field is named.
 */
export const importOpenrouter = (
  list: Readonly<Record<string, unknown>>,
  options: ImportOptions = {},
): ImportedPrices => {
  const models = new Map<string, NonNullable<ReturnType<typeof modelOf>>>();
  const seen = new Map<string, string>();
  const refused: PriceNote[] = [];
  const leftOut: PriceNote[] = [];
  const rows: readonly unknown[] = Array.isArray(list['data']) ? list['data'] : [];
  for (const row of rows) {
    if (!isObject(row) || typeof row['id'] !== 'string' || !isObject(row['pricing'])) continue;
    const model = row['id'];
    const pricing = JSON.stringify(row['pricing']);
    const twin = seen.get(model);
    if (twin !== undefined) {
      if (twin === pricing) continue;
      // Which of the two prices holds is not known; no field that is left out decides it.
      models.delete(model);
      refused.push({ model, field: 'id', reason: 'conflict' });
      continue;
    }
    seen.set(model, pricing);
    const before = refused.length;
    const found = readModel(row['pricing'], options, refuseInto({ refused, leftOut }, options, model));
    if (refused.length === before && found !== null) models.set(model, found);
  }
  return { models: Object.fromEntries(models), refused, leftOut };
};
