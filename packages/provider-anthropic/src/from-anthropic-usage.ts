import {
  asArray,
  asCount,
  asObject,
  splitTotal,
  type UntrustedObject,
  type Usage,
  type UsageUnit,
} from '@tollgate/provider';
import { countRuns } from './code-blocks.ts';

/** How much of each unit requests of one answer used. */
export type Quantities = ReadonlyMap<UsageUnit, number>;

type Share = readonly [unit: UsageUnit, quantity: number];

const happened = ([, quantity]: Share): boolean => quantity > 0;

/** What was read of input: here the tokens that were written into a cache or read from it are no part of `input_tokens`. */
const inputOf = (usage: UntrustedObject, input: number): readonly Share[] => {
  const written = asCount(usage['cache_creation_input_tokens']) ?? 0;
  const byTime = asObject(usage['cache_creation']) ?? {};
  const throughCache: readonly Share[] = [
    ['cached_input_tokens', asCount(usage['cache_read_input_tokens']) ?? 0],
    ...splitTotal(written, 'cache_write_input_tokens', [
      ['cache_write_hour_input_tokens', asCount(byTime['ephemeral_1h_input_tokens']) ?? 0],
    ]),
  ];
  return [['input_text_tokens', input], ...throughCache.filter(happened)];
};

const outputOf = (usage: UntrustedObject, output: number): readonly Share[] => {
  const thoughts = asCount(asObject(usage['output_tokens_details'])?.['thinking_tokens']) ?? 0;
  return splitTotal(output, 'output_text_tokens', [['thought_tokens', thoughts]]);
};

const toolsOf = (usage: UntrustedObject): readonly Share[] => {
  const tools = asObject(usage['server_tool_use']) ?? {};
  const counts: readonly Share[] = [
    ['web_search_queries', asCount(tools['web_search_requests']) ?? 0],
    ['url_fetches', asCount(tools['web_fetch_requests']) ?? 0],
  ];
  return counts.filter(happened);
};

/** Units of one `usage`, which never overlap. A usage that is missing, or lacks one of its totals, gives nothing. */
export const readQuantities = (value: unknown): Quantities => {
  const usage = asObject(value);
  const input = asCount(usage?.['input_tokens']);
  const output = asCount(usage?.['output_tokens']);
  if (usage === undefined || input === undefined || output === undefined) return new Map();
  return new Map([...inputOf(usage, input), ...outputOf(usage, output), ...toolsOf(usage)]);
};

/** Units of a whole message, with the runs of code among its blocks. */
export const readMessageQuantities = (message: UntrustedObject): Quantities => {
  const quantities = readQuantities(message['usage']);
  const runs = countRuns(asArray(message['content']));
  return quantities.size === 0 || runs === 0 ? quantities : new Map([...quantities, ['code_execution_runs', runs]]);
};

/** What a message says at its beginning that its input came to. Its output is only just begun, and counted at its end. */
export const readInputQuantities = (value: unknown): Quantities => {
  const usage = asObject(value);
  const input = asCount(usage?.['input_tokens']);
  return usage === undefined || input === undefined ? new Map() : new Map(inputOf(usage, input));
};

export const addQuantities = (one: Quantities, other: Quantities): Quantities => {
  const sum = new Map(one);
  for (const [unit, quantity] of other) sum.set(unit, (sum.get(unit) ?? 0) + quantity);
  return sum;
};

/** `confirmed` is what the caller knows of the answer as a whole. */
export const toUsage = (quantities: Quantities, confirmed: boolean): readonly Usage[] =>
  Array.from(quantities, ([unit, quantity]) => ({ unit, quantity, confirmed }));
