import { expect, test } from 'vitest';
import { splitResults } from './split-results.ts';

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
  for await (const text of splitResults(inChunks(JSON.stringify({ results }), bytes))) found.push(JSON.parse(text));
  expect(found).toEqual(results);
});

test('finds none where there are none', async () => {
  for await (const text of splitResults(inChunks('{"results":[]}', 4))) expect(text).toBe('nothing');
});
