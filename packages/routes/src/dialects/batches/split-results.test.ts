import { bodyTurnBounds } from '@tollgate/contract';
import { expect, test } from 'vitest';
import { splitResults } from './split-results.ts';

const { largeBytesMin } = bodyTurnBounds;

async function* inChunks(text: string, bytes: number): AsyncGenerator<Uint8Array, void> {
  const all = Buffer.from(text);
  for (let at = 0; at < all.length; at += bytes) yield Uint8Array.from(all.subarray(at, at + bytes));
}

const results = [
  { key: 'a{', status: 'completed', response: { text: 'She said "{ö}\\" and left.', list: [{ deep: [{}] }] } },
  { key: '"}]', status: 'failed', error: { code: 'x', message: '}' } },
  { key: 'c', status: 'cancelled' },
];

test.each([1, 2, 3, 7, 64, 100_000])('splits results that come in chunks of %i bytes', async (bytes) => {
  const found: unknown[] = [];
  for await (const text of splitResults(inChunks(JSON.stringify({ results }), bytes), undefined))
    found.push(JSON.parse(text));
  expect(found).toEqual(results);
});

test('finds none where there are none', async () => {
  for await (const text of splitResults(inChunks('{"results":[]}', 4), undefined)) expect(text).toBe('nothing');
});

test('waits for a turn before each piece of long results, and for none of short ones', async () => {
  let turns = 0;
  const turn = (): Promise<void> => {
    turns += 1;
    return Promise.resolve();
  };
  const turnsOf = async (all: readonly object[]): Promise<number> => {
    turns = 0;
    const found: unknown[] = [];
    const text = JSON.stringify({ results: all });
    for await (const each of splitResults(inChunks(text, text.length), turn)) found.push(JSON.parse(each));
    expect(found).toEqual(all);
    return turns;
  };
  expect(await turnsOf(results)).toBe(0);
  const long = { key: 'long', status: 'completed', response: { text: 'a'.repeat(largeBytesMin) } };
  expect(await turnsOf([long, long, long])).toBe(3);
});
