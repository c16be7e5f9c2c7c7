import type { Percentiles } from '../statistics.ts';

/** Counts times in steps of a tenth of a millisecond, so that millions cost no memory. */
export interface GapHistogram {
  add(ms: number, times: number): void;
  percentiles(): Percentiles;
}

const stepsPerMs = 10;
const msMax = 10_000;

export const createGapHistogram = (): GapHistogram => {
  const counts = new Uint32Array(msMax * stepsPerMs + 1);
  let total = 0;
  let max = 0;
  /** The upper edge of the step that the share falls into. */
  const at = (share: number): number => {
    let seen = 0;
    for (const [step, count] of counts.entries()) {
      seen += count;
      if (count > 0 && seen > total * share) return (step + 1) / stepsPerMs;
    }
    return max;
  };
  return {
    add: (ms, times) => {
      const step = Math.min(Math.floor(ms * stepsPerMs), counts.length - 1);
      counts[step] = (counts[step] ?? 0) + times;
      total += times;
      max = Math.max(max, ms);
    },
    percentiles: () => ({ p50: at(0.5), p90: at(0.9), p99: at(0.99), p999: at(0.999), max }),
  };
};
