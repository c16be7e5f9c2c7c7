import { asCount, asObject, splitTotal, type Usage } from '@tollgate/provider';

/** Reads the `usage` of a response as non-overlapping units; an empty list where it has none. */
export const fromResponsesUsage = (value: unknown, confirmed: boolean): readonly Usage[] => {
  const usage = asObject(value);
  const input = asCount(usage?.['input_tokens']);
  const output = asCount(usage?.['output_tokens']);
  if (usage === undefined || input === undefined || output === undefined) return [];
  const cached = asCount(asObject(usage['input_tokens_details'])?.['cached_tokens']) ?? 0;
  const thoughts = asCount(asObject(usage['output_tokens_details'])?.['reasoning_tokens']) ?? 0;
  const units = [
    ...splitTotal(input, 'input_text_tokens', [['cached_input_tokens', cached]]),
    ...splitTotal(output, 'output_text_tokens', [['thought_tokens', thoughts]]),
  ];
  return units.map(([unit, quantity]) => ({ unit, quantity, confirmed }));
};
