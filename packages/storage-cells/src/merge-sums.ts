import type { UsageSum, UsageSumQuery } from '@tollgate/storage';
import type { Cell } from './cell.ts';

const compare = (one: UsageSum, other: UsageSum): number => {
  if (one.fromMs !== other.fromMs) return one.fromMs - other.fromMs;
  for (const [at, value] of one.values.entries()) {
    const against = other.values[at] ?? '';
    if (value !== against) return value < against ? -1 : 1;
  }
  return 0;
};

const addUnits = (one: UsageSum['units'], other: UsageSum['units']): UsageSum['units'] => {
  const units = new Map(one);
  for (const [unit, quantity] of other) units.set(unit, (units.get(unit) ?? 0n) + quantity);
  return [...units].toSorted(([left], [right]) => (left < right ? -1 : 1));
};

const add = (one: UsageSum, other: UsageSum): UsageSum => ({
  ...one,
  requests: one.requests + other.requests,
  chargedMicros: one.chargedMicros + other.chargedMicros,
  correctedMicros: one.correctedMicros + other.correctedMicros,
  units: addUnits(one.units, other.units),
});

/** Sums of all cells, each on a snapshot of its own. A group of several cells is summed; what belongs to one account is in one. */
export const mergeSums = async (cells: readonly Cell[], query: UsageSumQuery): Promise<readonly UsageSum[]> => {
  const pages = await Promise.all(cells.map(({ storage }) => storage.sumUsage(query)));
  const sums: UsageSum[] = [];
  for (const sum of pages.flat().toSorted(compare)) {
    const last = sums.at(-1);
    if (last !== undefined && compare(last, sum) === 0) sums[sums.length - 1] = add(last, sum);
    else sums.push(sum);
  }
  return sums.slice(0, query.limit);
};
