import { dayMs, isDay, yearsScanned } from './calendar.ts';
import type { CronSchedule } from './cron-schedule.ts';
import { offsetsOf, stretchesOf, type OffsetAt, type Stretch } from './time-zone.ts';

/** A clock change of more than this is no change of season: fixed times that fall in it are left out. */
const gapMsMax = 3 * 3_600_000;
/** No zone is further from UTC than this, and a gap may reach as far beyond the day. */
const offsetMsMax = 16 * 3_600_000;
const minuteMs = 60_000;

/** Instants at which the clocks of a place show a local time: none in a gap, two in a repeated hour. */
const instantsOf = (stretches: readonly Stretch[], localMs: number): readonly number[] =>
  stretches.flatMap(({ fromMs, toMs, offsetMs }) => {
    const instant = localMs - offsetMs;
    return instant >= fromMs && instant < toMs ? [instant] : [];
  });

/** The first whole minute after the gap that swallows a local time, or null where there is none, or too long a one. */
const afterGap = (stretches: readonly Stretch[], localMs: number): number | null => {
  for (const [at, before] of stretches.entries()) {
    const after = stretches[at + 1];
    if (after === undefined) return null;
    const gapFrom = before.toMs + before.offsetMs;
    const gapTo = after.fromMs + after.offsetMs;
    if (localMs >= gapFrom && localMs < gapTo)
      return gapTo - gapFrom <= gapMsMax ? Math.ceil(after.fromMs / minuteMs) * minuteMs : null;
  }
  return null;
};

// triggers:schedule:dst
/**
 * When one local time runs. A schedule with `*` in minute or hour keeps its cadence: it runs whenever the clocks show the
 * time. A fixed one runs once: the first time that they show it, or right after the gap that swallows it
 */
const runsAt = (stretches: readonly Stretch[], localMs: number, keepsCadence: boolean): readonly number[] => {
  const instants = instantsOf(stretches, localMs);
  if (keepsCadence) return instants;
  const [first] = instants;
  if (first !== undefined) return [first];
  const shifted = afterGap(stretches, localMs);
  return shifted === null ? [] : [shifted];
};

interface Search {
  readonly schedule: CronSchedule;
  readonly offsetAt: OffsetAt;
  readonly hours: readonly number[];
  readonly minutes: readonly number[];
  readonly keepsCadence: boolean;
}

/** The first run of a calendar day after an instant, or null. */
const firstOfDay = (search: Search, midnightMs: number, afterMs: number): number | null => {
  const stretches = stretchesOf(search.offsetAt, midnightMs - offsetMsMax, midnightMs + dayMs + offsetMsMax);
  let best: number | null = null;
  for (const hour of search.hours)
    for (const minute of search.minutes) {
      const localMs = midnightMs + (hour * 60 + minute) * minuteMs;
      for (const instant of runsAt(stretches, localMs, search.keepsCadence))
        if (instant > afterMs && (best === null || instant < best)) best = instant;
      // With one offset all day, the first that is found is the earliest.
      if (best !== null && stretches.length === 1) return best;
    }
  return best;
};

const sorted = (values: ReadonlySet<number>): readonly number[] => [...values].toSorted((a, b) => a - b);

/**
 * The first instant strictly after another at which a schedule runs in a time zone, in milliseconds; null where it does not
 * run within nine years. Pure but for the time zone data of the runtime. Throws a RangeError for an unknown zone.
 */
export const nextRun = (schedule: CronSchedule, timeZone: string, afterMs: number): number | null => {
  const offsetAt = offsetsOf(timeZone);
  const search: Search = {
    schedule,
    offsetAt,
    hours: sorted(schedule.hour.values),
    minutes: sorted(schedule.minute.values),
    keepsCadence: schedule.minute.beginsWithStar || schedule.hour.beginsWithStar,
  };
  const today = Math.floor((afterMs + offsetAt(afterMs)) / dayMs) * dayMs;
  const last = today + yearsScanned * 366 * dayMs;
  let best: number | null = null;
  // A day may begin before the one before it has ended, where clocks go back over midnight: both are checked.
  for (let midnightMs = today - dayMs; midnightMs <= last; midnightMs += dayMs) {
    if (best !== null && midnightMs - offsetMsMax > best) return best;
    if (!isDay(schedule, midnightMs)) continue;
    const run = firstOfDay(search, midnightMs, afterMs);
    if (run !== null && (best === null || run < best)) best = run;
  }
  return best;
};
