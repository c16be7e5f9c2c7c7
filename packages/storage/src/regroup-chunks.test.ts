import { expect, test } from 'vitest';
import { regroupChunks } from './regroup-chunks.ts';

async function* chunksOf(sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let next = 0;
  for (const size of sizes) yield Uint8Array.from({ length: size }, () => next++ % 256);
}

const regrouped = async (sizes: readonly number[], partBytes: number): Promise<readonly Uint8Array[]> => {
  const parts: Uint8Array[] = [];
  for await (const part of regroupChunks(chunksOf(sizes), partBytes)) parts.push(Uint8Array.from(part));
  return parts;
};

test('gives the same bytes in parts of one size', async () => {
  for (const sizes of [[], [0], [3], [4], [5], [1, 1, 1, 1], [3, 0, 9, 1], [100]]) {
    const total = sizes.reduce((sum, size) => sum + size, 0);
    const parts = await regrouped(sizes, 4);
    expect(parts.slice(0, -1).every((part) => part.length === 4)).toBe(true);
    expect(parts.every((part) => part.length > 0)).toBe(true);
    expect(Buffer.concat(parts).toJSON().data).toEqual(Array.from({ length: total }, (_, at) => at % 256));
  }
});
