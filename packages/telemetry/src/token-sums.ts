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

type Sum = keyof TokenSums;

const patterns: readonly (readonly [Sum, RegExp])[] = [
  [
    'input',
    /^(?:input_\w+_tokens|cached_\w+_tokens|cache_write_\w*input_tokens|tool_use_input_tokens|embedding_tokens)$/u,
  ],
  ['output', /^(?:output_\w+_tokens|thought_tokens)$/u],
  ['cacheRead', /^cached_\w+_tokens$/u],
  ['cacheCreation', /^cache_write_/u],
  ['reasoning', /^thought_tokens$/u],
];

/** Units whose sums are remembered: those of the contract are fewer. */
const unitsMax = 256;
const sumsOfUnits = new Map<string, readonly Sum[]>();

const sumsOfUnit = (unit: string): readonly Sum[] => {
  const known = sumsOfUnits.get(unit);
  if (known !== undefined) return known;
  const sums = patterns.filter(([, pattern]) => pattern.test(unit)).map(([sum]) => sum);
  if (sumsOfUnits.size < unitsMax) sumsOfUnits.set(unit, sums);
  return sums;
};

/** The tokens of a measure, each counted once. */
export const tokenSums = (usage: readonly Measured[]): TokenSums => {
  const sums = { input: 0, output: 0, cacheRead: 0, cacheCreation: 0, reasoning: 0 };
  for (const { unit, quantity } of usage) for (const sum of sumsOfUnit(unit)) sums[sum] += quantity;
  return sums;
};
