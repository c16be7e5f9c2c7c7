import { expect, test } from 'vitest';
import { parseClientJson } from './parse-client-json.ts';

const nested = (depth: number): string => `${'{"a":['.repeat(depth / 2)}1${']}'.repeat(depth / 2)}`;

test('parses JSON, and answers nothing for what is none', () => {
  expect(parseClientJson('{"a":[1,null,{"b":"c"}]}')).toEqual({ a: [1, null, { b: 'c' }] });
  expect([parseClientJson('null'), parseClientJson('""'), parseClientJson('[]')]).toEqual([null, '', []]);
  expect(['', '{', 'words', '{"a":1}x'].map(parseClientJson)).toEqual([undefined, undefined, undefined, undefined]);
});

test('takes a hundred levels, and nothing that could not be written again', () => {
  expect(JSON.stringify(parseClientJson(nested(100)))).toBe(nested(100));
  for (const depth of [102, 10_000, 400_000]) expect(parseClientJson(nested(depth))).toBeUndefined();
});
