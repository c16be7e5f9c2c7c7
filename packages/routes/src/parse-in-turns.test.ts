import { jsonBounds } from '@tollgate/contract';
import { expect, test } from 'vitest';
import { parseJsonInTurns } from './parse-in-turns.ts';

const bounds = jsonBounds(50_000);

const parse = async (json: string) => {
  let turns = 0;
  const turn = (): Promise<void> => {
    turns += 1;
    return Promise.resolve();
  };
  const value = await parseJsonInTurns(Buffer.from(json), bounds, { turn, secret: () => 'secret' });
  return { value, turns };
};

const long = (unit: string): string => unit.repeat(Math.ceil(70_000 / unit.length));

test.each([
  ['an object', `{"a":"${long('a')}","b":{"c":["${long('\\n')}",1,"${long('é')}"]}}`],
  ['a list', `["${long('a')}","secret","#0"]`],
  ['a text alone', `"${long('a')}"`],
  ['a field that is given twice', `{"a":"${long('a')}","a":"${long('b')}"}`],
  ['a text that a later field hides', `{"a":"${long('a')}","a":1}`],
  ['a long field name', `{"${long('a')}":"${long('b')}"}`],
  ['a field called __proto__', `{"__proto__":"${long('a')}","b":{"__proto__":{"c":"${long('c')}"}}}`],
  [
    'texts that are not long',
    `[${Array.from({ length: 400 }, (_, index) => `"${'x'.repeat(300)}${index}"`).join(',')}]`,
  ],
  ['a number to settle', `{"a":"${long('a')}","b":-0.0}`],
])('makes of %s what a parser makes of it', async (_name, json) => {
  const { value, turns } = await parse(json);
  expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(json)));
  expect(turns).toBeGreaterThan(2);
});

test('waits for a turn before each 64 KiB of the scan, before the parser and before what follows', async () => {
  const words = `[${Array.from({ length: 1_000 }, () => `"${'x'.repeat(300)}"`).join(',')}]`;
  const scans = Math.ceil(words.length / 65_536);
  expect((await parse(words)).turns).toBe(scans + 2);
  expect((await parse('[1]')).turns).toBe(0);
});

test.each([
  [`{"a":"${long('a')}"`, 'invalid_json'],
  [`{"a":"${long('a')}}`, 'invalid_json'],
  [`{"a":"${long('\\q')}"}`, 'invalid_json'],
  [`{"a":"${long('a')}","b":[${'0,'.repeat(50_001)}0]}`, 'body_too_large'],
  [`{"a":"${long('a')}","b":${'['.repeat(200)}${']'.repeat(200)}}`, 'invalid_request'],
])('refuses what is no JSON or too much, number %#', async (json, code) => {
  await expect(parse(json)).rejects.toMatchObject({ code });
});
