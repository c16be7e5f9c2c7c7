import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { bindFew } from './few-parameters.ts';

const values = [
  'plain',
  'a "quoted" text with \\ and \u0000 and ü and \u{1f600}',
  7,
  9_007_199_254_740_991n,
  Uint8Array.of(0, 1, 255),
  null,
  '',
] as const;

const rowOf = (count: number): unknown[] => {
  const all = Array.from({ length: count }, (_, index) => values[index % values.length] ?? null);
  const { text, values: bound } = bindFew(`SELECT ${all.map((__, index) => `?${index + 1}`).join(', ')}`, all);
  expect(bound.length).toBeLessThanOrEqual(100);
  const statement = new DatabaseSync(':memory:').prepare(text);
  statement.setReturnArrays(true);
  return Object.values(statement.get(...bound) ?? {});
};

const expected = (count: number): unknown[] =>
  Array.from({ length: count }, (_, index) => {
    const value = values[index % values.length] ?? null;
    return typeof value === 'bigint' ? Number(value) : value;
  });

test.each([[7], [100], [101], [700]])('keeps every value of %s exactly, with few parameters', (count) => {
  expect(rowOf(count)).toEqual(expected(count));
});

test.each([[1], [101]])('spells half of a surrogate pair in one way among %s parameters', (count) => {
  const all = Array.from({ length: count }, () => 'x\ud800');
  const { text, values: bound } = bindFew(`SELECT ${all.map((_, index) => `hex(?${index + 1})`).join(', ')}`, all);
  const row = new DatabaseSync(':memory:').prepare(text).get(...bound);
  expect(Object.values(row ?? {})[0]).toBe('78EFBFBD');
});

test('refuses a number that would be rounded', () => {
  expect(() => bindFew('SELECT ?1', [9_007_199_254_740_993n])).toThrow('is too large for a Durable Object');
});
