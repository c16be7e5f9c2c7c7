/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** A whole number from 0 up to below `n`. */
  readonly below: (n: number) => number;
  /** True once in `n` times, on average. */
  readonly oneIn: (n: number) => boolean;
  readonly pick: <T>(choices: readonly [T, ...T[]]) => T;
}

/** Spreads neighbouring seeds far apart. */
const scatter = (seed: number): number => {
  let mixed = seed ^ 0x9e3779b9;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
};

/** The generator known as mulberry32. */
export const createRandom = (seed: number): Random => {
  let state = scatter(seed);
  const below = (n: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * n);
  };
  return {
    below,
    oneIn: (n) => below(n) === 0,
    pick: (choices) => choices[below(choices.length)] ?? choices[0],
  };
};
