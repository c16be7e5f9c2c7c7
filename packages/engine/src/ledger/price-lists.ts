import type { Tariff } from './tariff.ts';

/** The price lists of a gateway: one holds at a time, and each holds for the operations that were opened under it. */
export interface PriceLists {
  /** The list that holds now. */
  readonly current: () => Tariff;
  /** The list of a version; the one that holds now where this process was not given that version. */
  readonly of: (version: string) => Tariff;
  readonly all: readonly Tariff[];
}

const sinceOf = ({ validFromMs }: Tariff): number => validFromMs ?? -Infinity;

/** Orders the lists by the time from which they hold. The first holds before its own time as well: something must. */
export const createPriceLists = (lists: readonly Tariff[], wallClockMs: () => number): PriceLists => {
  const ordered = lists.toSorted((one, other) => sinceOf(one) - sinceOf(other));
  const [first] = ordered;
  if (first === undefined) throw new RangeError('a gateway has at least one price list');
  const byVersion = new Map(lists.map((list) => [list.version, list]));
  const current = (): Tariff => {
    if (ordered.length === 1) return first;
    const nowMs = wallClockMs();
    return ordered.findLast((list) => sinceOf(list) <= nowMs) ?? first;
  };
  return { current, of: (version) => byVersion.get(version) ?? current(), all: ordered };
};
