import { expect, test } from 'vitest';
import { frozenJson } from './frozen-json.ts';

const nested = (levels: number, wrap: (inner: unknown) => unknown): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = wrap(value);
  return value;
};

test.each([
  ['lists', (inner: unknown) => [inner]],
  ['objects', (inner: unknown) => ({ inner })],
])('takes as many levels of %s as it promises, and not one more', (_what, wrap) => {
  expect(frozenJson(nested(256, wrap))).toEqual(nested(256, wrap));
  expect(() => frozenJson(nested(257, wrap))).toThrow('JSON is nested too deeply');
});

test.each([[undefined], [1n], [() => 1], [new Date(0)], [Number.NaN], [Infinity], [-0]])('takes no %s', (value) => {
  expect(() => frozenJson({ a: [value] })).toThrow(/not a JSON/);
});

test('copies deeply what cannot be changed afterwards', () => {
  const given = { a: [1, { b: null }], ['__proto__']: 'own' };
  const copy = frozenJson(given);
  expect(copy).toEqual(given);
  expect(copy).not.toBe(given);
  expect(Object.isFrozen(copy)).toBe(true);
});
