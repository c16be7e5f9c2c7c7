import { expect, test } from 'vitest';
import { parseScanned } from './parse-json.ts';

const parse = (text: string) => parseScanned(Buffer.from(text), { hasOddNumber: false });

test('says of what is no JSON whether it is empty, or how long it is', () => {
  expect(parse('{"a":1}')).toEqual({ a: 1 });
  expect(() => parse('')).toThrow('The body is empty; accepted is one JSON object.');
  expect(() => parse('{a}')).toThrow('The body is text of 3 characters that is no JSON; accepted is one JSON object.');
});

test('takes no bytes that are not UTF-8', () => {
  expect(() => parseScanned(Buffer.from([0xff]), { hasOddNumber: false })).toThrow('The body is not valid UTF-8');
});
