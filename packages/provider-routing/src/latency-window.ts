/** Times kept of one member, method and model. */
const samplesMax = 100;
/** Fewer say nothing. */
const samplesMin = 20;

/** The last times that each of several things took. */
export interface LatencyWindow {
  readonly note: (key: string, ms: number) => void;
  /** The time within which that share of the last ones ended; null while too few are known. */
  readonly percentile: (key: string, percentile: number) => number | null;
}

/** Keys are forgotten that have not been noted for longest. */
export const createLatencyWindow = (keysMax: number): LatencyWindow => {
  const times = new Map<string, number[]>();
  return {
    note: (key, ms) => {
      const known = times.get(key) ?? [];
      known.push(ms);
      if (known.length > samplesMax) known.shift();
      times.delete(key);
      times.set(key, known);
      const [oldest] = times.keys();
      if (times.size > keysMax && oldest !== undefined) times.delete(oldest);
    },
    percentile: (key, percentile) => {
      const known = times.get(key) ?? [];
      if (known.length < samplesMin) return null;
      const sorted = known.toSorted((a, b) => a - b);
      const place = Math.min(sorted.length - 1, Math.ceil((percentile / 100) * sorted.length) - 1);
      return sorted[Math.max(0, place)] ?? null;
    },
  };
};
