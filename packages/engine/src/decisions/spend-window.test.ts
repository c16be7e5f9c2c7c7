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
