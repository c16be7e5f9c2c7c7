import { expect, test } from 'vitest';
import { offsetsOf, stretchesOf } from './time-zone.ts';

const minuteMs = 60_000;

test.each([
  ['UTC', '2026-01-01T00:00:00Z', 0],
  ['Asia/Kathmandu', '2026-01-01T00:00:00Z', 345 * minuteMs],
  ['America/Sao_Paulo', '2026-01-01T00:00:00Z', -180 * minuteMs],
  // Before 1972 its clocks stood at -00:44:30.
  ['Africa/Monrovia', '1960-01-01T00:00:00Z', -44.5 * minuteMs],
])('the clocks of %s at %s are %i ms ahead', (zone, instant, offsetMs) => {
  expect(offsetsOf(zone)(Date.parse(instant))).toBe(offsetMs);
});

test('a span of time is cut where clocks change, to the second', () => {
  const [from, to] = [Date.parse('2026-03-28T00:00:00Z'), Date.parse('2026-03-30T00:00:00Z')];
  const change = Date.parse('2026-03-29T01:00:00Z');
  expect(stretchesOf(offsetsOf('Europe/Berlin'), from, to)).toEqual([
    { fromMs: from, toMs: change, offsetMs: 60 * minuteMs },
    { fromMs: change, toMs: to, offsetMs: 120 * minuteMs },
  ]);
  expect(stretchesOf(offsetsOf('UTC'), from, to)).toEqual([{ fromMs: from, toMs: to, offsetMs: 0 }]);
});
