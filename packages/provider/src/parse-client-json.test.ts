import { expect, test } from 'vitest';
import { parseClientJson } from './parse-client-json.ts';

const nested = (depth: number): string => `${'{"a":['.repeat(depth / 2)}1${']}'.repeat(depth / 2)}`;

test('parses JSON, and returns nothing for what is none', () => {
  expect(parseClientJson('{"a":[1,null,{"b":"c"}]}')).toEqual({ a: [1, null, { b: 'c' }] });
  expect([parseClientJson('null'), parseClientJson('""'), parseClientJson('[]')]).toEqual([null, '', []]);
  expect(['', '{', 'words', '{"a":1}x'].map(parseClientJson)).toEqual([undefined, undefined, undefined, undefined]);
});

test('takes a hundred levels, and nothing that could not be written again', () => {
  expect(JSON.stringify(parseClientJson(nested(100)))).toBe(nested(100));
  for (const depth of [102, 10_000, 400_000]) expect(parseClientJson(nested(depth))).toBeUndefined();
});

const list = (values: number): string => `["{[,:\\"\\\\",${'0,'.repeat(values - 2)}0]`;

test('takes no text that holds more values than it may, whatever stands inside its own texts', () => {
  expect(parseClientJson(list(100_000))).toHaveLength(100_000);
  expect(parseClientJson(list(100_002))).toBeUndefined();
  expect(parseClientJson(`"${',{['.repeat(100_000)}"`)).toHaveLength(300_000);
});

const named = (names: number): string => `{${Array.from({ length: names }, (_, index) => `"k${index}":0`).join(',')}}`;

test('takes no text of more field names that differ than a body may have', () => {
  expect(parseClientJson(named(10_000))).toHaveProperty('k9999', 0);
  expect(parseClientJson(named(10_001))).toBeUndefined();
  expect(parseClientJson(`[${'{"k":0},'.repeat(20_000)}0]`)).toHaveLength(20_001);
});
