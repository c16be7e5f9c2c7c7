import { expect, test } from 'vitest';
import { nextRun, parseCron, type CronSchedule } from './index.ts';

/*
 * The evaluator against a scan of every minute. What the clocks of a zone show is asked of the runtime minute by minute for a
 * few days around each change of its clocks, and the rule is applied to that list without any arithmetic of time zones.
 */

const minuteMs = 60_000;
const historiesCount = 10_000 * Number(process.env['TOLLGATE_HISTORIES'] ?? process.env['TEST_SCALE'] ?? '1');
const runsCompared = 6;
const changes: readonly (readonly [zone: string, day: string])[] = [
  ['UTC', '2026-02-27'],
  ['America/New_York', '2026-03-08'],
  ['America/New_York', '2026-11-01'],
  ['Europe/London', '2026-03-29'],
  ['Europe/London', '2026-10-25'],
  ['Australia/Lord_Howe', '2026-04-05'],
  ['Australia/Lord_Howe', '2026-10-04'],
  ['America/Sao_Paulo', '2018-11-04'],
  ['America/Sao_Paulo', '2019-02-17'],
  ['America/Havana', '2026-03-08'],
  ['America/Havana', '2026-11-01'],
  ['America/Santiago', '2026-04-05'],
  ['America/Santiago', '2026-09-06'],
  ['Africa/Cairo', '2026-04-24'],
  ['Africa/Cairo', '2026-10-30'],
  ['Asia/Beirut', '2026-03-29'],
  ['America/Nuuk', '2026-03-29'],
  ['Antarctica/Troll', '2026-03-29'],
  ['Antarctica/Troll', '2026-10-25'],
  ['Africa/Casablanca', '2026-02-15'],
  ['Africa/Casablanca', '2026-03-22'],
  ['Pacific/Apia', '2011-12-30'],
  ['Asia/Kathmandu', '1986-01-01'],
  ['Asia/Pyongyang', '2018-05-05'],
  ['America/Caracas', '2016-05-01'],
  ['Pacific/Chatham', '2026-04-05'],
];

/** A source of numbers that is the same in every run. */
const createRandom = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/** What the clocks show at a minute, as if it were UTC. */
interface Shown {
  readonly instantMs: number;
  readonly localMs: number;
}

const scan = (zone: string, day: string): readonly Shown[] => {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  const from = Date.parse(`${day}T00:00:00Z`) - 2 * 1_440 * minuteMs;
  return Array.from({ length: 5 * 1_440 }, (_, index) => {
    const instantMs = from + index * minuteMs;
    const [month = 0, date = 0, year = 0, hour = 0, minute = 0] = (format.format(instantMs).match(/\d+/g) ?? []).map(
      Number,
    );
    return { instantMs, localMs: Date.UTC(year, month - 1, date, hour, minute) };
  });
};

const matches = ({ minute, hour, dayOfMonth, month, weekday }: CronSchedule, localMs: number): boolean => {
  const date = new Date(localMs);
  if (!minute.values.has(date.getUTCMinutes()) || !hour.values.has(date.getUTCHours())) return false;
  if (!month.values.has(date.getUTCMonth() + 1)) return false;
  const inMonth = dayOfMonth.values.has(date.getUTCDate());
  const inWeek = weekday.values.has(date.getUTCDay());
  if (dayOfMonth.isStar) return inWeek;
  return weekday.isStar ? inMonth : inMonth || inWeek;
};

const gapMinutesMax = 180;

/** All runs within a scan, by the rule and nothing else. */
const runsIn = (shown: readonly Shown[], schedule: CronSchedule): readonly number[] => {
  const keepsCadence = schedule.minute.beginsWithStar || schedule.hour.beginsWithStar;
  const seen = new Set<number>();
  const runs = new Set<number>();
  let previous: Shown | undefined;
  for (const now of shown) {
    const skipped = previous === undefined ? 0 : (now.localMs - previous.localMs) / minuteMs - 1;
    if (previous !== undefined && skipped > 0 && skipped <= gapMinutesMax && !keepsCadence)
      for (let at = previous.localMs + minuteMs; at < now.localMs; at += minuteMs) {
        if (matches(schedule, at) && !seen.has(at)) runs.add(now.instantMs);
      }
    if (matches(schedule, now.localMs) && (keepsCadence || !seen.has(now.localMs))) runs.add(now.instantMs);
    seen.add(now.localMs);
    previous = now;
  }
  return [...runs].toSorted((a, b) => a - b);
};

const createSchedule = (random: () => number): string => {
  const upTo = (count: number): number => Math.floor(random() * count);
  const field = (min: number, max: number, starShare: number): string => {
    const choice = random();
    if (choice < starShare) return '*';
    const value = (): number => min + upTo(max - min + 1);
    if (choice < starShare + 0.15) return `*/${1 + upTo(Math.min(30, max - min))}`;
    if (choice < starShare + 0.3) {
      const from = value();
      const to = from + upTo(max - from + 1);
      return random() < 0.5 ? `${from}-${to}` : `${from}-${to}/${1 + upTo(5)}`;
    }
    return Array.from({ length: 1 + upTo(3) }, value).join(',');
  };
  // Hours of the night come up more often: that is when clocks change.
  const hour = random() < 0.5 ? String(upTo(4)) : field(0, 23, 0.3);
  return [field(0, 59, 0.15), hour, field(1, 31, 0.6), field(1, 12, 0.8), field(0, 7, 0.6)].join(' ');
};

test('agrees with a scan of every minute around every kind of clock change [triggers:schedule:dst]', () => {
  const random = createRandom(20_261_120);
  const scans = changes.map(([zone, day]) => ({ zone, shown: scan(zone, day) }));
  let compared = 0;
  for (let history = 0; history < historiesCount; history += 1) {
    const { zone, shown } = scans[history % scans.length] ?? { zone: 'UTC', shown: [] };
    const text = createSchedule(random);
    let schedule: CronSchedule;
    try {
      schedule = parseCron(text);
    } catch {
      continue;
    }
    // A margin at both ends, in which a gap or a repetition could begin outside of the scan.
    const first = shown[Math.floor(1_440 * (0.5 + random()))]?.instantMs ?? 0;
    const last = shown.at(-1_440)?.instantMs ?? 0;
    const expected = runsIn(shown, schedule)
      .filter((run) => run > first && run <= last)
      .slice(0, runsCompared);
    const actual: number[] = [];
    for (let at = first; actual.length < expected.length;) {
      const run = nextRun(schedule, zone, at);
      if (run === null) break;
      actual.push(run);
      at = run;
    }
    compared += expected.length;
    expect(actual, `${text} in ${zone} after ${new Date(first).toISOString()}`).toEqual(expected);
  }
  expect(compared).toBeGreaterThan(historiesCount);
});
