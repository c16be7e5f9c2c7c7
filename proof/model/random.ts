/** A source of whole numbers. The same seed gives the same numbers everywhere. */
export interface Random {
  /** 0 to `bound` − 1. */
  int(bound: number): number;
}

/** A small fast generator (mulberry32). Good enough to choose commands; nothing secret depends on it. */
export const seededRandom = (seed: number): Random => {
  let state = seed | 0;
  return {
    int: (bound) => {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
    },
  };
};

/** Reads numbers that another program chose, such as a shrinking test tool; 0 once they are used up. */
export const givenNumbers = (numbers: readonly number[]): Random => {
  let at = 0;
  return {
    int: (bound) => {
      const number = numbers[at] ?? 0;
      at += 1;
      return number % bound;
    },
  };
};

/** The seed of one history of a run, far from those of its neighbours. */
export const historySeed = (runSeed: number, index: number): number =>
  Math.imul(runSeed ^ Math.imul(index + 1, 0x9e3779b1), 0x85ebca6b) >>> 0;
