import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { byteStream, type ByteBody } from './byte-body.ts';

const counted = (
  count: number,
  failAt = -1,
): { readonly body: ByteBody; readonly seen: { asked: number; left: boolean } } => {
  const seen = { asked: 0, left: false };
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for (let at = 0; at < count; at += 1) {
        seen.asked += 1;
        if (at === failAt) throw new Error('the store broke off');
        yield Uint8Array.of(at);
      }
    } finally {
      seen.left = true;
    }
  }
  return { body: { kind: 'bytes', sizeBytes: count, chunks: chunks() }, seen };
};

test('hands on every chunk and ends', async () => {
  const bytes = await new Response(byteStream(counted(5).body)).bytes();
  expect([...bytes]).toEqual([0, 1, 2, 3, 4]);
});

test('reads one chunk whenever the reader wants one, and never ahead', async () => {
  const { body, seen } = counted(1_000);
  const reader = byteStream(body).getReader();
  await setImmediate();
  expect(seen.asked).toBe(0);
  await reader.read();
  await reader.read();
  await setImmediate();
  expect(seen.asked).toBe(2);
  await reader.cancel();
  expect(seen.left).toBe(true);
});

test('errors where the bytes break off, so that no client takes them for complete', async () => {
  await expect(new Response(byteStream(counted(5, 3).body)).bytes()).rejects.toThrow('broke off');
});
