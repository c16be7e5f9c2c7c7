import {
  also,
  cameIn,
  checkOf,
  faultAt,
  list,
  memberPlace,
  oneOf,
  optionsCheck,
  required,
  text,
  whole,
  type ConfigurationFault,
} from '@tollgate/contract/configuration';
import {
  usageDimensions,
  usageSumsMax,
  type UsageCursor,
  type UsageDimension,
  type UsageFilter,
} from '@tollgate/storage';
import { hasWholeHours, isTimeZone, type UsageBucket } from './usage-periods.ts';

/** Which usage is summed, and how. */
export interface UsageRange {
  /** The beginning, on a whole hour: usage is kept by the hour. */
  readonly fromMs: number;
  /** The end, excluded, on a whole hour. */
  readonly untilMs: number;
  /** By default `total`. */
  readonly bucket?: UsageBucket | undefined;
  /** Whose days and months: a name such as `Europe/Berlin`, by default `UTC`. It must be whole hours from UTC. */
  readonly timeZone?: string | undefined;
  /** What rows tell apart beside the period; by default nothing. */
  readonly groupBy?: readonly UsageDimension[] | undefined;
  /** Counts only what has each of these values. */
  readonly filter?: UsageFilter | undefined;
}

/** A page of usage. */
export interface UsageQuery extends UsageRange {
  /** The place behind which the page begins: `next` of the page before. */
  readonly after?: UsageCursor | undefined;
  /** Rows of the page at the most: 1 to 1,000, by default 1,000. */
  readonly limit?: number | undefined;
}

const hourMs = 3_600_000;

const wholeHour = checkOf<number>((value, place) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value % hourMs === 0
    ? []
    : faultAt(place, cameIn(value), `is a time in milliseconds on a whole hour, a multiple of ${hourMs}`),
);

const timeZone = checkOf<string>((value, place) => {
  const accepted = 'is a time zone such as Europe/Berlin, whole hours from UTC';
  if (typeof value !== 'string' || !isTimeZone(value)) return faultAt(place, cameIn(value), accepted);
  return [];
});

const range = {
  fromMs: required(wholeHour),
  untilMs: required(wholeHour),
  bucket: oneOf<UsageBucket>('hour', 'day', 'month', 'total'),
  timeZone,
  groupBy: list(oneOf<UsageDimension>(...usageDimensions)),
  filter: optionsCheck<UsageFilter>({
    accountId: text({ charsMin: 0 }),
    projectId: text({ charsMin: 0 }),
    keyId: text({ charsMin: 0 }),
    model: text({ charsMin: 0 }),
    provider: text({ charsMin: 0 }),
  }),
};

/** Periods that one range has at the most. */
const usageRangePeriodsMax = 100_000;

/** Days and months are counted in years of four digits. */
const usageUntilMsMax = Date.UTC(9999, 11, 31);

const periodMs = { hour: hourMs, day: 24 * hourMs, month: 28 * 24 * hourMs, total: Infinity } as const;

type Fault = readonly [name: string, came: string, accepted: string];

/** What no member shows by itself; each of them is sound. */
const crossFault = (query: UsageRange): Fault | null => {
  const { fromMs, untilMs, bucket = 'total', timeZone: zone = 'UTC', groupBy = [] } = query;
  if (untilMs <= fromMs) return ['untilMs', `is ${untilMs}`, `is a time after fromMs, which is ${fromMs}`];
  if (untilMs > usageUntilMsMax) return ['untilMs', `is ${untilMs}`, `is at most ${usageUntilMsMax}`];
  if ((untilMs - fromMs) / periodMs[bucket] > usageRangePeriodsMax)
    return ['bucket', `is ${bucket}`, `has at most ${usageRangePeriodsMax} periods in the range`];
  if (new Set(groupBy).size !== groupBy.length)
    return ['groupBy', 'names a word twice', 'names each of its words once'];
  if ((bucket === 'day' || bucket === 'month') && !hasWholeHours(zone, query))
    return ['timeZone', `is ${zone}`, 'is a time zone that is whole hours from UTC in all of the range'];
  return null;
};

const crossFaults = (query: UsageRange, place: string): readonly ConfigurationFault[] => {
  const fault = crossFault(query);
  return fault === null ? [] : faultAt(memberPlace(place, fault[0]), fault[1], fault[2]);
};

const afterFaults = (query: UsageQuery, place: string): readonly ConfigurationFault[] => {
  const { after, fromMs, untilMs, groupBy = [] } = query;
  const isWithin = after === undefined || (after.fromMs >= fromMs && after.fromMs < untilMs);
  return isWithin && (after === undefined || after.values.length === groupBy.length)
    ? crossFaults(query, place)
    : faultAt(memberPlace(place, 'after'), 'is of another query', 'is the next of a page of the same query');
};

export const usageRangeCheck = also(optionsCheck<UsageRange>(range), crossFaults);

export const usageQueryCheck = also(
  optionsCheck<UsageQuery>({
    ...range,
    after: optionsCheck<UsageCursor>({ fromMs: required(wholeHour), values: required(list(text({ charsMin: 0 }))) }),
    limit: whole({ min: 1, max: usageSumsMax }),
  }),
  afterFaults,
);
