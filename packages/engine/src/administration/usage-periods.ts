/** How long a period of usage is. `total` is the whole time at once. */
export type UsageBucket = 'hour' | 'day' | 'month' | 'total';

const hourMs = 3_600_000;

/** The wall clock of a zone at a time, as if it were UTC. */
const wallOf = (zone: Intl.DateTimeFormat, atMs: number): number => {
  const parts = new Map(zone.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]));
  const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
  const wall = new Date(0);
  wall.setUTCFullYear(part('year'), part('month') - 1, part('day'));
  return wall.setUTCHours(part('hour'), part('minute'), part('second'));
};

const zoneFormat = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-u-ca-iso8601', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });

/** The first whole hour behind a time at which the clock of a zone shows another time, or where it never does, a later one. */
const timeOf = (zone: Intl.DateTimeFormat, behindMs: number, wallMs: number): number => {
  const offsetMs = wallOf(zone, behindMs) - behindMs;
  // A clock is put forward or back by two hours at the most, or by a day where a zone changes sides of the date line.
  let atMs = Math.max(wallMs - offsetMs - 2 * hourMs, behindMs + hourMs);
  while (wallOf(zone, atMs) < wallMs) atMs += hourMs;
  return atMs;
};

/** The next day or month behind a wall clock time. */
const nextWall = (wallMs: number, bucket: 'day' | 'month'): number => {
  const wall = new Date(wallMs);
  const [year, month, day] = [wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate()];
  return bucket === 'day' ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1, 1);
};

/** Whether a zone is known. */
export const isTimeZone = (timeZone: string): boolean => {
  try {
    zoneFormat(timeZone);
    return true;
  } catch {
    return false;
  }
};

/** Shorter than any time between two changes of a clock. */
const zoneStepMs = 14 * 24 * hourMs;

/** Whether a zone is whole hours from UTC in all of a range: the hours of usage fit no other days. */
export const hasWholeHours = (
  timeZone: string,
  range: { readonly fromMs: number; readonly untilMs: number },
): boolean => {
  if (timeZone === 'UTC') return true;
  const zone = zoneFormat(timeZone);
  for (let atMs = range.fromMs; atMs < range.untilMs; atMs += zoneStepMs)
    if ((wallOf(zone, atMs) - atMs) % hourMs !== 0) return false;
  return (wallOf(zone, range.untilMs) - range.untilMs) % hourMs === 0;
};

export interface PeriodQuery {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly bucket: UsageBucket;
  readonly timeZone: string;
}

/** When the period that begins at a time ends, if nothing ends it before. */
const endOf = (query: PeriodQuery): ((atMs: number) => number) => {
  const { bucket, untilMs, timeZone } = query;
  if (bucket === 'total') return () => untilMs;
  if (bucket === 'hour') return (atMs) => atMs + hourMs;
  if (timeZone === 'UTC') return (atMs) => nextWall(atMs, bucket);
  const zone = zoneFormat(timeZone);
  return (atMs) => timeOf(zone, atMs, nextWall(wallOf(zone, atMs), bucket));
};

/**
 * The bounds of the periods from a time to another, both included: the first and the last period may be cut. At most `periodsMax`
 * periods; the last bound tells where to go on.
 */
export const periodBounds = (query: PeriodQuery, fromMs: number, periodsMax: number): readonly number[] => {
  const end = endOf(query);
  const bounds = [fromMs];
  let atMs = fromMs;
  while (atMs < query.untilMs && bounds.length <= periodsMax) {
    atMs = Math.min(end(atMs), query.untilMs);
    bounds.push(atMs);
  }
  return bounds;
};
