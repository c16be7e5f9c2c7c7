/** What one more measurement counts for, against all before it. */
const newestShare = 0.2;

interface Average {
  readonly ms: number;
  readonly atMs: number;
}

export interface LatencyRules {
  /** After so long without a measurement, half of what speaks against a slow item is forgotten. */
  readonly halfLifeMs: number;
  /** How much a difference counts: at 1 twice as fast gets twice the calls, at 2 four times. */
  readonly sharpness: number;
  /** Of the share of the fastest item, what every item keeps at the least: its latency stays known. */
  readonly shareMin: number;
}

/** Moving averages of what several items take, for one method and model. */
export interface LatencyWeights<Item> {
  readonly note: (item: Item, ms: number, nowMs: number) => void;
  /** What the share of an item is multiplied by: 1 for the fastest, and for one that was never measured. */
  readonly factors: (items: readonly Item[], nowMs: number) => ReadonlyMap<Item, number>;
}

export const createLatencyWeights = <Item>({ halfLifeMs, sharpness, shareMin }: LatencyRules): LatencyWeights<Item> => {
  const averages = new Map<Item, Average>();
  return {
    note: (item, ms, nowMs) => {
      const before = averages.get(item)?.ms ?? ms;
      averages.set(item, { ms: Math.max(1, before + (ms - before) * newestShare), atMs: nowMs });
    },
    factors: (items, nowMs) => {
      const known = items.flatMap((item) => averages.get(item)?.ms ?? []);
      const best = known.length === 0 ? 1 : Math.min(...known);
      return new Map(
        items.map((item) => {
          const average = averages.get(item);
          if (average === undefined) return [item, 1];
          const believed = 2 ** (-Math.max(0, nowMs - average.atMs) / halfLifeMs);
          const ms = best + (average.ms - best) * believed;
          return [item, Math.max(shareMin, (best / ms) ** sharpness)];
        }),
      );
    },
  };
};
