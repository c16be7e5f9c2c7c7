import { jsonBounds } from '@tollgate/contract';
import { expect, test } from 'vitest';
import { parseJson } from './parse-json.ts';
import { settleNumbers } from './settle-numbers.ts';

const parse = (text: string): unknown => parseJson(Buffer.from(text), jsonBounds(10_000));

test.each(['1e999', '-1e999', '9'.repeat(400)])('refuses a number that would become null on its way (%#)', (number) => {
  for (const text of [`[[[${number}]]]`, `{"a":[{"b":${number}}]}`, `{"a":{"b":{"__proto__":${number}}}}`])
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
});

test('leaves an endless number in a field of the contract to its schema', () => {
  expect(parse('{"temperature":1e999,"config":{"seed":-1e999}}')).toEqual({
    temperature: Infinity,
    config: { seed: -Infinity },
  });
});

test('reads a negative zero as JSON writes it, and other numbers as they are', () => {
  const numbers = parse('[-0,{"__proto__":-0.0,"a":[-1e-400,1e308,0.1,-1,"-0"]}]');
  expect(JSON.stringify(numbers)).toBe('[0,{"__proto__":0,"a":[0,1e+308,0.1,-1,"-0"]}]');
  expect(numbers).toEqual([0, JSON.parse('{"__proto__":0,"a":[0,1e308,0.1,-1,"-0"]}')]);
});

test('walks through what is nested a hundred thousand deep', () => {
  const deep: unknown = JSON.parse(`${'['.repeat(100_000)}-0${']'.repeat(100_000)}`);
  expect(() => settleNumbers(deep)).not.toThrow();
});
