import {
  asArray,
  asCount,
  asObject,
  asText,
  type UntrustedObject,
  type Usage,
  type UsageUnit,
} from '@tollgate/provider';

/** Quantities of one request, or of several added up. */
export type Quantities = ReadonlyMap<UsageUnit, number>;

type Modality = 'TEXT' | 'IMAGE' | 'AUDIO' | 'VIDEO' | 'DOCUMENT';

/** The order in which a count that has no modality of its own is taken from the others: the cheapest first. */
const modalities: readonly Modality[] = ['TEXT', 'DOCUMENT', 'IMAGE', 'VIDEO', 'AUDIO'];

const inputUnits: Readonly<Record<Modality, UsageUnit>> = {
  TEXT: 'input_text_tokens',
  IMAGE: 'input_image_tokens',
  AUDIO: 'input_audio_tokens',
  VIDEO: 'input_video_tokens',
  DOCUMENT: 'input_document_tokens',
};
const cachedUnits: Readonly<Record<Modality, UsageUnit>> = {
  TEXT: 'cached_input_tokens',
  IMAGE: 'cached_image_tokens',
  AUDIO: 'cached_audio_tokens',
  VIDEO: 'cached_video_tokens',
  DOCUMENT: 'cached_document_tokens',
};
const outputUnits: Readonly<Record<Modality, UsageUnit>> = {
  TEXT: 'output_text_tokens',
  IMAGE: 'output_image_tokens',
  AUDIO: 'output_audio_tokens',
  VIDEO: 'output_video_tokens',
  // There is no unit for documents that come out, and no model that makes them.
  DOCUMENT: 'output_text_tokens',
};

type Counts = Map<Modality, number>;

/** A total by modality. What the details leave out is text, and details beyond the total are cut: the sum is the total. */
const byModality = (total: number, details: unknown): Counts => {
  const counts: Counts = new Map();
  let left = total;
  for (const value of asArray(details)) {
    const detail = asObject(value);
    const modality = modalities.find((known) => known === asText(detail?.['modality']));
    const taken = Math.min(asCount(detail?.['tokenCount']) ?? 0, left);
    if (modality === undefined) continue;
    left -= taken;
    counts.set(modality, (counts.get(modality) ?? 0) + taken);
  }
  if (left > 0) counts.set('TEXT', (counts.get('TEXT') ?? 0) + left);
  return counts;
};

/** Takes the cached counts out of the prompt's, each from its own modality, and what that lacks from the others. */
const withoutCached = (prompt: Counts, cached: Counts): Counts => {
  const rest = new Map(prompt);
  const take = (modality: Modality, wanted: number): number => {
    const taken = Math.min(rest.get(modality) ?? 0, wanted);
    rest.set(modality, (rest.get(modality) ?? 0) - taken);
    return wanted - taken;
  };
  let owed = 0;
  for (const [modality, count] of cached) owed += take(modality, count);
  for (const modality of modalities) owed = take(modality, owed);
  return rest;
};

interface Totals {
  readonly prompt: number;
  readonly candidates: number;
  readonly thoughts: number;
  readonly toolUse: number;
}

/**
 * The four counts that make up the total. The wire leaves zeros out, so a count is missing where it is zero: the total
 * tells. Without a total, prompt and candidates must both be there, and a total alone does not say what of it came out. What the total has beyond the counts are thoughts, for
 * some models count them there only.
 */
const readTotals = (usage: UntrustedObject): Totals | undefined => {
  const total = asCount(usage['totalTokenCount']);
  const given = { prompt: asCount(usage['promptTokenCount']), candidates: asCount(usage['candidatesTokenCount']) };
  const thoughts = asCount(usage['thoughtsTokenCount']) ?? 0;
  const toolUse = asCount(usage['toolUsePromptTokenCount']) ?? 0;
  if (total === undefined) {
    const { prompt, candidates } = given;
    return prompt === undefined || candidates === undefined ? undefined : { prompt, candidates, thoughts, toolUse };
  }
  if (total > 0 && given.prompt === undefined && given.candidates === undefined) return undefined;
  const besides = Math.max(0, total - (given.prompt ?? 0) - (given.candidates ?? 0) - thoughts - toolUse);
  if (given.prompt === undefined) {
    return { prompt: besides, candidates: given.candidates ?? 0, thoughts, toolUse };
  }
  if (given.candidates === undefined) return { prompt: given.prompt, candidates: besides, thoughts, toolUse };
  return { prompt: given.prompt, candidates: given.candidates, thoughts: thoughts + besides, toolUse };
};

/** A `usageMetadata` that measures something, to be read later: a stream brings one with each event, and only the last counts. */
export const asMeasured = (value: unknown): UntrustedObject | undefined => {
  const usage = asObject(value);
  return usage === undefined || readTotals(usage) === undefined ? undefined : usage;
};

/**
 * Reads a `usageMetadata` as units that do not overlap: cached input is distinguished from the prompt by modality, thoughts
 * and the input of tools stand beside it. Undefined where nothing was measured.
 */
export const fromGoogleUsage = (value: unknown): Quantities | undefined => {
  const usage = asObject(value);
  const totals = usage === undefined ? undefined : readTotals(usage);
  if (usage === undefined || totals === undefined) return undefined;
  const cachedTotal = Math.min(asCount(usage['cachedContentTokenCount']) ?? 0, totals.prompt);
  const cached = byModality(cachedTotal, usage['cacheTokensDetails']);
  const prompt = withoutCached(byModality(totals.prompt, usage['promptTokensDetails']), cached);
  const output = byModality(totals.candidates, usage['candidatesTokensDetails']);
  const quantities = new Map<UsageUnit, number>([
    ['input_text_tokens', 0],
    ['output_text_tokens', 0],
  ]);
  const add = (unit: UsageUnit, count: number): void => {
    if (count > 0) quantities.set(unit, (quantities.get(unit) ?? 0) + count);
  };
  for (const [modality, count] of prompt) add(inputUnits[modality], count);
  for (const [modality, count] of cached) add(cachedUnits[modality], count);
  for (const [modality, count] of output) add(outputUnits[modality], count);
  add('thought_tokens', totals.thoughts);
  add('tool_use_input_tokens', totals.toolUse);
  return quantities;
};

/** Tokens that came in, by modality, from an answer of `countTokens`; undefined where it counts nothing. */
export const fromTokenCount = (value: unknown): Quantities | undefined => {
  const count = asObject(value);
  // No input that is worth counting counts nothing, so that a count that is missing is not a zero that the wire left out.
  const total = asCount(count?.['totalTokens']);
  if (count === undefined || total === undefined) return undefined;
  const counts = byModality(total, count['promptTokensDetails']);
  return new Map([
    ['input_text_tokens', 0],
    ...Array.from(counts, ([modality, tokens]) => [inputUnits[modality], tokens] as const),
  ]);
};

export const addQuantities = (left: Quantities, right: Quantities): Quantities => {
  const sum = new Map(left);
  for (const [unit, quantity] of right) sum.set(unit, (sum.get(unit) ?? 0) + quantity);
  return sum;
};

/** What an answer spent of its output limit: everything that came out, thoughts included. */
export const outputTokensOf = (quantities: Quantities): number => {
  const units = new Set<UsageUnit>([...Object.values(outputUnits), 'thought_tokens']);
  return sumOf(quantities, (unit) => units.has(unit));
};

/** Everything that went in, cached input and the input of tools included. */
export const inputTokensOf = (quantities: Quantities): number => {
  const units = new Set<UsageUnit>([...Object.values(inputUnits), ...Object.values(cachedUnits)]);
  return sumOf(quantities, (unit) => units.has(unit));
};

const sumOf = (quantities: Quantities, counts: (unit: UsageUnit) => boolean): number => {
  let sum = 0;
  for (const [unit, quantity] of quantities) if (counts(unit)) sum += quantity;
  return sum;
};

export const toUsage = (quantities: Quantities, confirmed: boolean): readonly Usage[] =>
  Array.from(quantities, ([unit, quantity]) => ({ unit, quantity, confirmed }));
