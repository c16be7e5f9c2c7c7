import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import { asCount, asObject, splitTotal, type UntrustedObject, type Usage, type UsageUnit } from '@tollgate/provider';
import { readShares } from './usage-shares.ts';

interface Totals {
  readonly input: number;
  readonly output: number;
}

const sum = (...parts: readonly (number | undefined)[]): number | undefined =>
  parts.every((part) => part === undefined) ? undefined : parts.reduce<number>((total, part) => total + (part ?? 0), 0);

const hasNumber = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'object' && value !== null && Object.values(value).some(hasNumber));

/** Some models of the AI SDK put a zero where the upstream said nothing; what the upstream said shows it. */
const isMadeUp = ({ input, output }: Totals, raw: UntrustedObject | undefined): boolean => {
  if (input > 0 || output > 0 || raw === undefined) return false;
  const total = asCount(raw['total_tokens']) ?? asCount(raw['totalTokenCount']) ?? 0;
  return total > 0 || !hasNumber(raw);
};

const readTotals = ({ inputTokens, outputTokens, raw }: LanguageModelV4Usage): Totals | undefined => {
  const input = asCount(inputTokens.total ?? sum(inputTokens.noCache, inputTokens.cacheRead, inputTokens.cacheWrite));
  const output = asCount(outputTokens.total ?? sum(outputTokens.text, outputTokens.reasoning));
  if (input === undefined || output === undefined) return undefined;
  const totals = { input, output };
  return isMadeUp(totals, asObject(raw)) ? undefined : totals;
};

/**
 * Reads the usage of a language model as units that do not overlap, by modality where the upstream's own report tells. An
 * explicit zero is a measurement; a usage that is missing gives an empty list. What was written into a cache counts as input.
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
      ...shares.input,
    ]),
    ...splitTotal(totals.output, 'output_text_tokens', [
      ['thought_tokens', asCount(usage.outputTokens.reasoning) ?? 0],
      ...shares.output,
    ]),
  ];
  return units.map(([unit, quantity]) => ({ unit, quantity, confirmed }));
};

/** Counts of what tools of the upstream did, where they did anything. */
export const countUnit = (unit: UsageUnit, quantity: number, confirmed: boolean): readonly Usage[] =>
  quantity === 0 ? [] : [{ unit, quantity, confirmed }];
