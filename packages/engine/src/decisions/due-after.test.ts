import { expect, test } from 'vitest';
import { dueAfter } from './due-after.ts';

test('is a whole millisecond, never before the wait is over', () => {
  expect(dueAfter(1_000, 0)).toBe(1_000);
  expect(dueAfter(1_000, 5_062.5)).toBe(6_063);
  expect(dueAfter(1_000, 0.1)).toBe(1_001);
});

test('is at most a day away, and at once where there is no time to wait', () => {
  expect(dueAfter(1_000, Infinity)).toBe(86_401_000);
  expect(dueAfter(1_000, 1e300)).toBe(86_401_000);
  for (const none of [NaN, -1, -Infinity]) expect(dueAfter(1_000, none)).toBe(1_000);
});
