import { expect, test } from 'vitest';
import { asArray, asCount, asObject, asText, parseJson } from './untrusted-value.ts';

const samples = [undefined, null, true, 0, 7, -1, 1.5, 2 ** 53, Number.NaN, '', '7', [], [1], {}, { a: 1 }];

test('takes objects alone for objects', () => {
  expect(samples.flatMap((value) => asObject(value) ?? [])).toEqual([{}, { a: 1 }]);
});

test('takes lists alone for lists, and gives all else no members', () => {
  expect(samples.flatMap(asArray)).toEqual([1]);
});

test('takes a string for text unless it is empty', () => {
  expect(samples.flatMap((value) => asText(value) ?? [])).toEqual(['7']);
});

test('takes non-negative safe integers for counts, zero too', () => {
  expect(samples.flatMap((value) => asCount(value) ?? [])).toEqual([0, 7]);
});

test('parses JSON, and returns undefined for any other text', () => {
  expect(['{"a":[1]}', 'null', '', '{', 'undefined'].map(parseJson)).toEqual([
    { a: [1] },
    null,
    undefined,
    undefined,
    undefined,
  ]);
});
