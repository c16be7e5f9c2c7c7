import type { UsageSource } from './usage-record.ts';

/** What usage can be grouped and filtered by. */
export type UsageDimension = keyof UsageSource;

/** In the order in which results name them. */
export const usageDimensions = [
  'accountId',
  'projectId',
  'keyId',
  'model',
  'provider',
] as const satisfies readonly UsageDimension[];

/** The tables of roll-ups, with the length of what one row covers and what its rows tell apart. */
export const usageRollUps = {
  usageHour: { lengthMs: 3_600_000, dimensions: usageDimensions },
  usageDay: { lengthMs: 86_400_000, dimensions: ['accountId', 'model'] },
} as const satisfies Readonly<
  Record<string, { readonly lengthMs: number; readonly dimensions: readonly UsageDimension[] }>
>;

export type UsageRollUp = keyof typeof usageRollUps;

/** Sums that one query returns at the most. */
export const usageSumsMax = 1_000;

/** Periods that one query covers at the most. */
export const usagePeriodsMax = 1_000;

/** A place among the sums of a query: those strictly after it are returned. */
export interface UsageCursor {
  readonly fromMs: number;
  /** The values of `groupBy`, in its order. */
  readonly values: readonly string[];
}

/** Keeps what has each of these values. */
export type UsageFilter = { readonly [D in UsageDimension]?: UsageSource[D] | undefined };

export interface UsageSumQuery {
  /** Which roll-ups are summed; a table that does not tell the dimensions of the query apart is refused. */
  readonly rollUp: UsageRollUp;
  /** Rising times at which rows of the table begin: each and the next one bound a period, the second one excluded. */
  readonly bounds: readonly number[];
  readonly where: UsageFilter;
  readonly groupBy: readonly UsageDimension[];
  readonly after: UsageCursor | null;
  /** 1 to `usageSumsMax`. */
  readonly limit: number;
}

/** What one group used in one period. */
export interface UsageSum {
  /** When the period begins. */
  readonly fromMs: number;
  /** The values of `groupBy`, in its order. */
  readonly values: readonly string[];
  readonly requests: bigint;
  readonly chargedMicros: bigint;
  readonly correctedMicros: bigint;
  /** How much was used of each unit, by the name of the unit in rising order. */
  readonly units: readonly (readonly [string, bigint])[];
}

const refuse = (message: string): never => {
  throw new RangeError(message);
};

/** Throws on a query that no storage may answer. Every adapter begins with it. */
export const checkUsageQuery = ({ rollUp, bounds, where, groupBy, after, limit }: UsageSumQuery): void => {
  const { lengthMs, dimensions } = usageRollUps[rollUp];
  if (!Number.isInteger(limit) || limit < 1 || limit > usageSumsMax)
    refuse(`a limit is 1 to ${usageSumsMax}: ${limit}`);
  if (bounds.length < 2 || bounds.length > usagePeriodsMax + 1)
    refuse(`a query has 1 to ${usagePeriodsMax} periods: ${bounds.length - 1}`);
  for (const [at, bound] of bounds.entries())
    if (!Number.isSafeInteger(bound) || bound % lengthMs !== 0 || bound <= (bounds[at - 1] ?? -Infinity))
      refuse(`bounds rise, and each is a multiple of ${lengthMs}: ${bound}`);
  const known: readonly UsageDimension[] = dimensions;
  for (const dimension of [...groupBy, ...usageDimensions.filter((name) => where[name] !== undefined)])
    if (!known.includes(dimension)) refuse(`${rollUp} does not tell ${dimension} apart`);
  if (new Set(groupBy).size !== groupBy.length) refuse('groupBy names each dimension once');
  if (after !== null && after.values.length !== groupBy.length) refuse('the cursor has a value for each of groupBy');
};

/** One group in one period with one of its units, as a statement returns it; the unit is null where the group used none. */
export interface UsageSumRow extends Omit<UsageSum, 'units'> {
  readonly unit: readonly [string, bigint] | null;
}

/** Brings rows that follow each other and are of one group together. */
export const foldUsageRows = (rows: readonly UsageSumRow[]): readonly UsageSum[] => {
  const sums: (UsageSum & { readonly units: (readonly [string, bigint])[] })[] = [];
  for (const { unit, ...row } of rows) {
    const last = sums.at(-1);
    const isSame = last?.fromMs === row.fromMs && row.values.every((value, at) => last.values[at] === value);
    const sum = last !== undefined && isSame ? last : { ...row, units: [] };
    if (sum !== last) sums.push(sum);
    if (unit !== null) sum.units.push(unit);
  }
  return sums;
};
