import {
  usagePeriodsMax,
  usageRollUps,
  usageSumsMax,
  type UsageCursor,
  type UsageDimension,
  type UsageRollUp,
  type UsageSource,
  type UsageSum,
} from '@tollgate/storage';
import type { Engine } from '../engine.ts';
import { periodBounds } from './usage-periods.ts';
import type { UsageQuery } from './usage-query.ts';

export type { PricedPlace, PricedUsageRow } from './price-usage.ts';

/** What one group used in one period. The texts are those of `groupBy`; '' where it is not known, as of a key of a record that is gone. */
export interface UsageRow extends Partial<UsageSource> {
  /** When the period begins and ends, the end excluded. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** Operations that completed. */
  readonly requests: number;
  /** Micro-credits debited. */
  readonly chargedMicros: bigint;
  /** Micro-credits of compensations of operations, in the hour in which they were made; positive gives back. */
  readonly correctedMicros: bigint;
  /** How much of each unit. */
  readonly units: Readonly<Record<string, number>>;
}

/** Rows by period, then by the values of `groupBy`, rising. */
export interface UsagePage {
  readonly items: readonly UsageRow[];
  /** The place behind which the next page begins; null at the end. */
  readonly next: UsageCursor | null;
}

/** Periods that one look at the storage covers: neighbours of one grain. */
interface Window {
  readonly rollUp: UsageRollUp;
  readonly bounds: readonly number[];
}

const isByDay = (fromMs: number, untilMs: number): boolean =>
  fromMs % usageRollUps.usageDay.lengthMs === 0 && untilMs % usageRollUps.usageDay.lengthMs === 0;

/** Whether rows of days tell apart what is asked. */
const fitsDays = ({ groupBy = [], filter = {} }: UsageQuery): boolean => {
  const told: readonly UsageDimension[] = usageRollUps.usageDay.dimensions;
  const asked = new Set<UsageDimension>(groupBy);
  for (const [name, value] of Object.entries(filter))
    if (value !== undefined && !told.some((each) => each === name)) return false;
  return [...asked].every((name) => told.includes(name));
};

/** The first periods of the bounds that are of one grain. */
const firstWindow = (bounds: readonly number[], query: UsageQuery): Window => {
  const byDay = bounds.map((bound, at) => at > 0 && isByDay(bounds[at - 1] ?? 0, bound));
  const isFirstByDay = fitsDays(query) && byDay[1] === true;
  if (!fitsDays(query)) return { rollUp: 'usageHour', bounds };
  const other = byDay.findIndex((each, at) => at > 0 && each !== isFirstByDay);
  return { rollUp: isFirstByDay ? 'usageDay' : 'usageHour', bounds: other < 0 ? bounds : bounds.slice(0, other) };
};

const rowOf = (sum: UsageSum, { bounds }: Window, groupBy: readonly UsageDimension[]): UsageRow => {
  const source: Partial<Record<UsageDimension, string>> = {};
  for (const [at, name] of groupBy.entries()) source[name] = sum.values[at] ?? '';
  return {
    fromMs: sum.fromMs,
    untilMs: bounds[bounds.indexOf(sum.fromMs) + 1] ?? sum.fromMs,
    ...source,
    requests: Number(sum.requests),
    chargedMicros: sum.chargedMicros,
    correctedMicros: sum.correctedMicros,
    units: Object.fromEntries(sum.units.map(([unit, quantity]) => [unit, Number(quantity)])),
  };
};

/**
 * What was used in a range, by period and group: what is rolled up, and what is not yet, so that it is what the ledger has now.
 * Periods in which nothing was used have no row.
 */
export const usage = async ({ storage }: Pick<Engine, 'storage'>, query: UsageQuery): Promise<UsagePage> => {
  const { untilMs, bucket = 'total', timeZone = 'UTC', groupBy = [], filter = {}, limit = usageSumsMax } = query;
  const periods = { fromMs: query.fromMs, untilMs, bucket, timeZone };
  const items: UsageRow[] = [];
  let after = query.after ?? null;
  let fromMs = after?.fromMs ?? query.fromMs;
  while (fromMs < untilMs) {
    const window = firstWindow(periodBounds(periods, fromMs, usagePeriodsMax), query);
    const left = limit - items.length;
    const sums = await storage.sumUsage({ ...window, where: filter, groupBy, after, limit: left });
    items.push(...sums.map((sum) => rowOf(sum, window, groupBy)));
    const last = sums.at(-1);
    if (last !== undefined && sums.length === left)
      return { items, next: { fromMs: last.fromMs, values: last.values } };
    after = null;
    fromMs = window.bounds.at(-1) ?? untilMs;
  }
  return { items, next: null };
};
