import { expect, test } from 'vitest';
import { isDeeperThan } from './json-depth.ts';

const nested = (depth: number): unknown => JSON.parse('[{"a":'.repeat(depth / 2) + '1' + '}]'.repeat(depth / 2));

test('counts objects and lists', () => {
  expect(isDeeperThan(1, 0)).toBe(false);
  expect(isDeeperThan({}, 0)).toBe(true);
  expect(isDeeperThan(nested(100), 100)).toBe(false);
  expect(isDeeperThan([nested(100)], 100)).toBe(true);
});

test('looks at every branch', () => {
  expect(isDeeperThan({ a: 1, b: [null, { c: [[]] }], d: null }, 4)).toBe(true);
  expect(isDeeperThan({ a: 1, b: [null, { c: [] }], d: null }, 4)).toBe(false);
});

test('survives a value nested 100,000 deep and ends at the limit', () => {
  expect(isDeeperThan(nested(100_000), 1_000_000)).toBe(false);
  expect(isDeeperThan(nested(100_000), 100)).toBe(true);
});
