import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import {
  asCount,
  asObject,
  splitTotal,
  type UntrustedObject,
  type Usage,
  type UsageShare,
  type UsageUnit,
} from '@tollgate/provider';
import { readShares } from './usage-shares.ts';

interface Totals {
  readonly input: number;
  readonly output: number;
  /** What of the output the model reasoned, where the upstream counts it apart or in its total only. */
  readonly thoughts: number;
}

const sum = (...parts: readonly (number | undefined)[]): number | undefined =>
  parts.every((part) => part === undefined) ? undefined : parts.reduce<number>((total, part) => total + (part ?? 0), 0);

const hasNumber = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'object' && value !== null && Object.values(value).some(hasNumber));

const totalOf = (raw: UntrustedObject): number | undefined =>
  asCount(raw['total_tokens']) ?? asCount(raw['totalTokenCount']);

/** What the families of upstreams call what went in and what came out. */
const sideNames = [
  { input: 'promptTokenCount', output: 'candidatesTokenCount' },
  { input: 'prompt_tokens', output: 'completion_tokens' },
  { input: 'input_tokens', output: 'output_tokens' },
] as const;
const isGemini = (raw: UntrustedObject): boolean => 'promptTokenCount' in raw || 'candidatesTokenCount' in raw;

/** Whether the upstream counted the other side alone. */
const lacks = (raw: UntrustedObject, side: 'input' | 'output'): boolean =>
  sideNames.some((names) => (names.input in raw || names.output in raw) && asCount(raw[names[side]]) === undefined);

/** Some models of the AI SDK put a zero where the upstream said nothing; what the upstream said shows it. */
const isMadeUp = ({ input, output }: Totals, raw: UntrustedObject): boolean => {
  const total = totalOf(raw);
  const isHalf = (input === 0 && lacks(raw, 'input')) || (output === 0 && lacks(raw, 'output'));
  if (total === undefined && isHalf) return true;
  if (input > 0 || output > 0) return false;
  return (total ?? 0) > 0 || !hasNumber(raw);
};

/**
 * Adds what the upstream has in its total and in neither side: the side that it left out, or else thoughts, which some models
 * count there only.
 */
const withRest = ({ input: told, output, thoughts }: Totals, raw: UntrustedObject): Totals => {
  // Interactions count what tools put in beside the input.
  const input = told + (asCount(raw['total_tool_use_tokens']) ?? 0);
  const rest = Math.max(0, (totalOf(raw) ?? 0) - input - output);
  if (lacks(raw, 'input')) return { input: input + rest, output, thoughts };
  if (lacks(raw, 'output')) return { input, output: output + rest, thoughts };
  return { input, output: output + rest, thoughts: isGemini(raw) ? thoughts + rest : Math.max(thoughts, rest) };
};

const readTotals = ({ inputTokens, outputTokens, raw }: LanguageModelV4Usage): Totals | undefined => {
  const input = asCount(inputTokens.total ?? sum(inputTokens.noCache, inputTokens.cacheRead, inputTokens.cacheWrite));
  const output = asCount(outputTokens.total ?? sum(outputTokens.text, outputTokens.reasoning));
  if (input === undefined || output === undefined) return undefined;
  const totals = { input, output, thoughts: asCount(outputTokens.reasoning) ?? 0 };
  const given = asObject(raw);
  if (given === undefined) return totals;
  return isMadeUp(totals, given) ? undefined : withRest(totals, given);
};

const writtenShares = ({ inputTokens, raw }: LanguageModelV4Usage): readonly UsageShare[] => {
  const byTime = asObject(asObject(raw)?.['cache_creation']) ?? {};
  const hour = asCount(byTime['ephemeral_1h_input_tokens']) ?? 0;
  const written = splitTotal(asCount(inputTokens.cacheWrite) ?? 0, 'cache_write_input_tokens', [
    ['cache_write_hour_input_tokens', hour],
  ]);
  return written.filter(([, quantity]) => quantity > 0);
};

/**
 * Reads the usage of a language model as units that do not overlap, by modality where the upstream's own report tells. An
 * explicit zero is a measurement; a usage that is missing gives an empty list. What was written to a cache is counted apart, by how long it is kept where the upstream's own report tells.
 */
export const fromUsage = (usage: LanguageModelV4Usage, confirmed: boolean): readonly Usage[] => {
  const totals = readTotals(usage);
  if (totals === undefined) return [];
  const shares = readShares(asObject(usage.raw) ?? {});
  const cached = asCount(usage.inputTokens.cacheRead) ?? 0;
  const cachedByModality = shares.cached.reduce((total, [, quantity]) => total + quantity, 0);
  const units = [
    ...splitTotal(totals.input, 'input_text_tokens', [
      ...shares.cached,
      ['cached_input_tokens', Math.max(0, cached - cachedByModality)],
      ...writtenShares(usage),
      ...shares.input,
    ]),
    ...splitTotal(totals.output, 'output_text_tokens', [['thought_tokens', totals.thoughts], ...shares.output]),
  ];
  return units.map(([unit, quantity]) => ({ unit, quantity, confirmed }));
};

/** Counts of what tools of the upstream did, where they did anything. */
export const countUnit = (unit: UsageUnit, quantity: number, confirmed: boolean): readonly Usage[] =>
  quantity === 0 ? [] : [{ unit, quantity, confirmed }];
