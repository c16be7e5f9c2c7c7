import type { CapRecord } from '@tollgate/storage';
import { expect, test } from 'vitest';
import { windowEndMs } from './spend-window.ts';

const at = (iso: string): number => Date.parse(iso);
const berlin = { window: 'day', timeZone: 'Europe/Berlin' } as const;

test.each([
  ['the first instant of a day', '2026-11-24T23:00:00Z', '2026-11-25T23:00:00Z'],
  ['a later one', '2026-11-25T12:00:00Z', '2026-11-25T23:00:00Z'],
  ['the last one', '2026-11-25T22:59:59.999Z', '2026-11-25T23:00:00Z'],
  ['the first of the next day', '2026-11-25T23:00:00Z', '2026-11-26T23:00:00Z'],
  ['one of the day before, as another store says', '2026-11-24T22:59:59.999Z', '2026-11-24T23:00:00Z'],
  ['one on a day with 25 hours', '2026-10-25T00:30:00Z', '2026-10-25T23:00:00Z'],
])('ends the day of %s at midnight of its zone, whatever was asked before', (_, nowIso, endIso) => {
  expect(windowEndMs(berlin, at('2026-11-25T06:00:00Z'))).toBe(at('2026-11-25T23:00:00Z'));
  expect(windowEndMs(berlin, at(nowIso))).toBe(at(endIso));
  expect(windowEndMs(berlin, at(nowIso))).toBe(at(endIso));
});

test('keeps windows of other lengths and zones apart', () => {
  const nowMs = at('2026-11-25T22:30:00Z');
  for (let round = 0; round < 2; round += 1) {
    expect(windowEndMs(berlin, nowMs)).toBe(at('2026-11-25T23:00:00Z'));
    expect(windowEndMs({ window: 'day', timeZone: 'UTC' }, nowMs)).toBe(at('2026-11-26T00:00:00Z'));
    expect(windowEndMs({ window: 'month', timeZone: 'UTC' }, nowMs)).toBe(at('2026-12-01T00:00:00Z'));
    expect(windowEndMs({ window: 'total', timeZone: 'UTC' }, nowMs)).toBeNull();
  }
});

const endOf = (window: CapRecord['window'], timeZone: string, now: string): string => {
  const endMs = windowEndMs({ window, timeZone }, at(now));
  return endMs === null ? 'never' : new Date(endMs).toISOString();
};

test.each<readonly [CapRecord['window'], string, string, string]>([
  ['hour', 'UTC', '2026-11-25T22:59:59.999Z', '2026-11-25T23:00:00.000Z'],
  ['hour', 'Asia/Kolkata', '2026-11-25T22:59:59.999Z', '2026-11-25T23:30:00.000Z'],
  ['day', 'UTC', '2026-11-25T22:36:00.000Z', '2026-11-26T00:00:00.000Z'],
  ['day', 'Europe/Berlin', '2026-11-25T22:36:00.000Z', '2026-11-25T23:00:00.000Z'],
  // The day on which clocks are put forward has 23 hours.
  ['day', 'Europe/Berlin', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
  // A Wednesday and a Sunday: a week begins on Monday.
  ['week', 'UTC', '2026-11-25T22:36:00.000Z', '2026-11-30T00:00:00.000Z'],
  ['week', 'America/New_York', '2026-11-29T12:00:00.000Z', '2026-11-30T05:00:00.000Z'],
  ['month', 'UTC', '2026-11-30T23:59:59.999Z', '2026-12-01T00:00:00.000Z'],
  ['month', 'Asia/Tokyo', '2026-11-30T15:00:00.000Z', '2026-12-31T15:00:00.000Z'],
  ['total', 'Asia/Tokyo', '2026-11-30T15:00:00.000Z', 'never'],
])('a window of one %s in %s at %s ends by the clocks of its zone, at %s', (window, timeZone, now, end) => {
  expect(endOf(window, timeZone, now)).toBe(end);
});

test('a window ends where the next one begins', () => {
  const ended = at('2026-11-26T00:00:00.000Z');
  expect(windowEndMs({ window: 'day', timeZone: 'UTC' }, ended)).toBe(ended + 86_400_000);
});
