export interface Random {
  /** At least 0, below 1. */
  next(): number;
  /** A whole number from 0 to below `bound`. */
  below(bound: number): number;
  chance(share: number): boolean;
}

/** Repeatable choices from a seed (mulberry32); what processes do with them is up to the machine. */
export const createRandom = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { next, below: (bound) => Math.floor(next() * bound), chance: (share) => next() < share };
};
