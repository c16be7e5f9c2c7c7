/** One measured quantity, as an event of the gateway has it. */
interface Measured {
  readonly unit: string;
  readonly quantity: number;
}

/** Tokens by the conventions: input includes what was read from and written to a cache, output includes reasoning. */
export interface TokenSums {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheCreation: number;
  readonly reasoning: number;
}

const inputUnits =
  /^(?:input_\w+_tokens|cached_\w+_tokens|cache_write_\w*input_tokens|tool_use_input_tokens|embedding_tokens)$/u;
const outputUnits = /^(?:output_\w+_tokens|thought_tokens)$/u;
const cacheReadUnits = /^cached_\w+_tokens$/u;
const cacheCreationUnits = /^cache_write_/u;

/** The tokens of a measure, each counted once. */
export const tokenSums = (usage: readonly Measured[]): TokenSums => {
  const sumOf = (units: RegExp): number =>
    usage.reduce((sum, { unit, quantity }) => (units.test(unit) ? sum + quantity : sum), 0);
  return {
    input: sumOf(inputUnits),
    output: sumOf(outputUnits),
    cacheRead: sumOf(cacheReadUnits),
    cacheCreation: sumOf(cacheCreationUnits),
    reasoning: sumOf(/^thought_tokens$/u),
  };
};
