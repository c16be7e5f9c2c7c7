import { asCount, asObject, splitTotal, type UntrustedObject, type Usage } from '@tollgate/provider';

interface Totals {
  readonly prompt: number;
  readonly completion: number;
  /** Counted in the total but in neither side: some upstreams keep their thoughts out of the completion. */
  readonly besides: number;
}

/** Prompt and completion counts; one that is missing is worked out from the total, or nothing was measured. */
const readTotals = (usage: UntrustedObject): Totals | undefined => {
  const total = asCount(usage['total_tokens']);
  const given = { prompt: asCount(usage['prompt_tokens']), completion: asCount(usage['completion_tokens']) };
  const prompt = given.prompt ?? minus(total, given.completion);
  const completion = given.completion ?? minus(total, given.prompt);
  if (prompt === undefined || completion === undefined) return undefined;
  return { prompt, completion, besides: Math.max(0, (total ?? 0) - prompt - completion) };
};

const minus = (total: number | undefined, part: number | undefined): number | undefined =>
  total === undefined || part === undefined || part > total ? undefined : total - part;

/**
 * Reads a chat completions `usage` as non-overlapping units. An explicit zero is a measurement; a usage that is missing or
 * cannot be read gives an empty list. `confirmed` is what the caller knows of the answer as a whole.
 */
export const fromOpenaiUsage = (value: unknown, confirmed: boolean): readonly Usage[] => {
  const usage = asObject(value);
  const totals = usage === undefined ? undefined : readTotals(usage);
  if (usage === undefined || totals === undefined) return [];
  const input = asObject(usage['prompt_tokens_details']) ?? {};
  const output = asObject(usage['completion_tokens_details']) ?? {};
  const reasoning = asCount(output['reasoning_tokens']) ?? 0;
  const thoughts = Math.max(reasoning, totals.besides);
  const units = [
    ...splitTotal(totals.prompt, 'input_text_tokens', [
      ['cached_input_tokens', asCount(input['cached_tokens']) ?? asCount(usage['prompt_cache_hit_tokens']) ?? 0],
      ['input_audio_tokens', asCount(input['audio_tokens']) ?? 0],
      ['input_image_tokens', asCount(input['image_tokens']) ?? 0],
    ]),
    ...splitTotal(totals.completion + totals.besides, 'output_text_tokens', [
      ['thought_tokens', thoughts],
      ['output_audio_tokens', asCount(output['audio_tokens']) ?? 0],
      ['output_image_tokens', asCount(output['image_tokens']) ?? 0],
    ]),
  ];
  return units.map(([unit, quantity]) => ({ unit, quantity, confirmed }));
};
