import { expect, test } from 'vitest';
import { CronSyntaxError, isTimeZone, nextRun, parseCron, scheduleCharsMax } from './index.ts';

const next = (schedule: string, zone: string, after: string): string | null => {
  const run = nextRun(parseCron(schedule), zone, Date.parse(after));
  return run === null ? null : new Date(run).toISOString();
};

test('finds 1 March after a February that lacks the other days of the list', () => {
  for (const schedule of ['0 0 1,31 * *', '0 0 */10 * *', '0 0 */30 * *', '0 0 1,30 * *'])
    expect(next(schedule, 'UTC', '2026-02-25T00:00:00Z')).toBe('2026-03-01T00:00:00.000Z');
});

test('finds 29 February across a year that is no leap year although it divides by four', () => {
  expect(next('0 0 29 2 *', 'UTC', '2096-03-01T00:00:00Z')).toBe('2104-02-29T00:00:00.000Z');
});

test('runs strictly after the instant asked about, whose seconds do not matter', () => {
  expect(next('30 9 * * *', 'America/Sao_Paulo', '2026-11-20T12:30:00Z')).toBe('2026-11-21T12:30:00.000Z');
  expect(next('30 9 * * *', 'America/Sao_Paulo', '2026-11-20T12:29:59.999Z')).toBe('2026-11-20T12:30:00.000Z');
});

test.each([
  ['2010-11-07T02:10:00Z', '2010-11-07T02:30:00.000Z'],
  ['2010-11-07T02:30:00Z', '2010-11-07T03:00:00.000Z'],
  ['2010-11-07T03:00:00Z', '2010-11-07T03:30:00.000Z'],
])('after %s runs at %s, where clocks go back over midnight a minute past it', (after, run) => {
  expect(next('0,30 * * * *', 'America/St_Johns', after)).toBe(run);
});

test('leaves out a fixed time on a day that a place skipped altogether', () => {
  expect(next('0 12 30 12 *', 'Pacific/Apia', '2011-12-01T00:00:00Z')).toBe('2012-12-29T22:00:00.000Z');
});

test.each([
  ['0 0 30 2 *', 'never_runs'],
  ['@daily', 'not_five_fields'],
  ['0 0 0 1 1 *', 'not_five_fields'],
  ['61 * * * *', 'bad_field'],
  [`${'1,'.repeat(scheduleCharsMax)}1 * * * *`, 'too_long'],
])('says why %j is no schedule [triggers:schedule:dialect]', (text, reason) => {
  expect(() => parseCron(text)).toThrow(CronSyntaxError);
  expect(() => parseCron(text)).toThrow(expect.objectContaining({ code: 'invalid_schedule', reason }));
});

test.each([
  ['SUN-THU', [0, 1, 2, 3, 4]],
  ['sun-sat', [0, 1, 2, 3, 4, 5, 6]],
  ['SUN-2', [0, 1, 2]],
  ['MON-SUN', [0, 1, 2, 3, 4, 5, 6]],
  ['fri-sun', [0, 5, 6]],
  ['5-SUN', [0, 5, 6]],
  ['SUN-SAT/3', [0, 3, 6]],
  ['MON-SUN/3', [0, 1, 4]],
  ['FRI-SUN,SUN-MON', [0, 1, 5, 6]],
  ['SUN', [0]],
])('takes the Sunday of the weekdays %s for the end that it stands at [triggers:schedule:dialect]', (text, days) => {
  const { values } = parseCron(`0 0 * * ${text}`).weekday;
  expect([...values].toSorted((one, other) => one - other)).toEqual(days);
});

test.each(['THU-TUE', 'SAT-MON', 'SUN-SUNDAY', '7-SAT'])(
  'refuses %s, which ends before it begins or names no day [triggers:schedule:dialect]',
  (text) => {
    expect(() => parseCron(`0 0 * * ${text}`)).toThrow(expect.objectContaining({ reason: 'bad_field' }));
  },
);

test.each(['UTC', 'America/Sao_Paulo', 'Asia/Kolkata', 'Brazil/East', 'Etc/GMT+3'])(
  'knows the zone %s [triggers:body:time-zone]',
  (zone) => {
    expect(isTimeZone(zone)).toBe(true);
  },
);

test.each(['', '+03:00', '-03:00', '+0300', 'Mars/Olympus', 'America/Sao_Paulo ', '../UTC', 'x'.repeat(100)])(
  'knows no zone %j [triggers:body:time-zone]',
  (zone) => {
    expect(isTimeZone(zone)).toBe(false);
    expect(() => nextRun(parseCron('* * * * *'), zone, 0)).toThrow(RangeError);
  },
);

test('runs a fixed time right after a gap of exactly three hours, and leaves out one in a longer gap [triggers:schedule:dst]', () => {
  // Casey went from UTC+8 to UTC+11 at two in the morning.
  expect(next('30 3 18 10 *', 'Antarctica/Casey', '2009-10-01T00:00:00Z')).toBe('2009-10-17T18:00:00.000Z');
  expect(next('30 12 30 12 *', 'Pacific/Apia', '2011-12-01T00:00:00Z')).toBe('2012-12-29T22:30:00.000Z');
});

test('takes a schedule as long as the bound, and none that is longer', () => {
  expect(() => parseCron('* * * * *'.padEnd(scheduleCharsMax))).not.toThrow();
  expect(() => parseCron('* * * * *'.padEnd(scheduleCharsMax + 1))).toThrow(`longer than ${scheduleCharsMax}`);
});
