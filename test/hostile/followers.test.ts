import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { memoryStorage } from '../../packages/storage-memory/src/index.ts';
import type { Storage } from '../../packages/storage/src/index.ts';
import { startGateway } from '../clients/running-gateway.ts';

/** A storage that counts how often a blob is read. */
const countingStorage = (storage: Storage): { readonly storage: Storage; readonly reads: () => number } => {
  let reads = 0;
  const { blobs } = storage;
  return {
    storage: {
      ...storage,
      blobs: {
        ...blobs,
        get: (key) => {
          reads += 1;
          return blobs.get(key);
        },
        getStream: (key, range) => {
          reads += 1;
          return blobs.getStream(key, range);
        },
      },
    },
    reads: () => reads,
  };
};

test('a connection that follows a long response reads it where it has changed, and not at each look', async () => {
  const { storage, reads } = countingStorage(memoryStorage());
  let looks = 0;
  const many = Promise.withResolvers<void>();
  const sleep = async (): Promise<void> => {
    looks += 1;
    if (looks === 200) many.resolve();
    await setImmediate();
  };
  const running = await startGateway({ options: { storage, compatibility: { openai: true }, world: { sleep } } });
  const headers = { authorization: `Bearer ${running.key}`, 'content-type': 'application/json' };
  const input = `${'word '.repeat(60_000)}[[sandbox: slow 60000]]`;
  const created = await fetch(`${running.baseUrl}/responses`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ input, background: true }),
  });
  const { id } = Object(await created.json());
  const leaving = new AbortController();
  const following = await fetch(`${running.baseUrl}/responses/${id}?stream=true`, {
    headers,
    signal: leaving.signal,
  });
  expect(following.status).toBe(200);
  await many.promise;
  expect(reads()).toBeGreaterThan(0);
  expect(reads()).toBeLessThan(40);
  leaving.abort();
  await fetch(`${running.baseUrl}/responses/${id}/cancel`, { method: 'POST', headers });
  await running.close();
});
