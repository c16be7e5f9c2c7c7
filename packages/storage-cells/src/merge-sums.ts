import type { UsageSum, UsageSumQuery } from '@tollgate/storage';
import type { Cell } from './cell.ts';
import type { SteadyView } from './steady-view.ts';

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

const negative = ({ units, ...sum }: UsageSum): UsageSum => ({
  ...sum,
  requests: -sum.requests,
  chargedMicros: -sum.chargedMicros,
  correctedMicros: -sum.correctedMicros,
  units: units.map(([unit, quantity]) => [unit, -quantity]),
});

const isNothing = ({ requests, chargedMicros, correctedMicros, units }: UsageSum): boolean =>
  requests === 0n && chargedMicros === 0n && correctedMicros === 0n && units.every(([, quantity]) => quantity === 0n);

/** Groups with the same values become one. */
const merge = (sums: readonly UsageSum[]): readonly UsageSum[] => {
  const merged: UsageSum[] = [];
  for (const sum of sums.toSorted(compare)) {
    const last = merged.at(-1);
    if (last !== undefined && compare(last, sum) === 0) merged[merged.length - 1] = add(last, sum);
    else merged.push(sum);
  }
  return merged;
};

const withoutUnused = ({ units, ...sum }: UsageSum): UsageSum => ({
  ...sum,
  units: units.filter(([, quantity]) => quantity !== 0n),
});

/**
 * The first sums of a cell without those of hidden accounts: what the account itself has used is taken off. The groups of an account are
 * among all groups, so what a page of all has of it is in a page of its own.
 */
const visibleSums = async (
  { storage }: Cell,
  hidden: ReadonlySet<string>,
  query: UsageSumQuery,
): Promise<readonly UsageSum[]> => {
  if (hidden.size === 0) return storage.sumUsage(query);
  const sums: UsageSum[] = [];
  let { after } = query;
  for (;;) {
    const page = { ...query, after };
    const all = await storage.sumUsage(page);
    const ofHidden = await Promise.all(
      [...hidden].map((accountId) => storage.sumUsage({ ...page, where: { ...page.where, accountId } })),
    );
    const last = all.at(-1);
    const within = ofHidden.flat().filter((sum) => last !== undefined && compare(sum, last) <= 0);
    sums.push(...merge([...all, ...within.map(negative)]).filter((sum) => !isNothing(sum)));
    if (last === undefined || all.length < query.limit || sums.length >= query.limit)
      return sums.slice(0, query.limit).map(withoutUnused);
    after = last;
  }
};

/** Sums of all cells, each on a snapshot of its own. A group of several cells is summed; what belongs to one account is in one. */
export const mergeSums = async (view: SteadyView, query: UsageSumQuery): Promise<readonly UsageSum[]> => {
  const pages = await view.ask((cell, hidden) => visibleSums(cell, hidden, query));
  return merge(pages.flat()).slice(0, query.limit);
};
