import type { Storage } from '@tollgate/storage';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase, type TestDatabase } from '../../../test/postgres-server.ts';
import { sampleRecords } from '../../testing/src/storage/sample-records.ts';
import { postgresStorage } from './postgres-storage.ts';

let database: TestDatabase;
let storage: Storage;
let reading: Storage;
beforeAll(async () => {
  database = await testDatabase();
  await expect(postgresStorage({ connectionString: database.url, readOnly: true })).rejects.toMatchObject({
    code: 'database_missing',
  });
  storage = await postgresStorage({ connectionString: database.url });
  reading = await postgresStorage({ connectionString: database.url, readOnly: true });
});
afterAll(async () => {
  await reading.close();
  await storage.close();
  await database.drop();
});

const put = (to: Storage): Promise<void> =>
  to.transact([{ table: 'wallet', id: 'w' }], () => ({
    writes: [{ kind: 'put', table: 'wallet', record: sampleRecords.wallet('w') }],
    answer: undefined,
  }));

test('decides a step that writes nothing on the records as they are, by the clock of the server', async () => {
  await put(storage);
  const seen = await reading.transact([{ table: 'wallet', id: 'w' }], (records, nowMs) => ({
    writes: [],
    answer: { wallet: records.get('wallet', 'w'), isNow: Math.abs(nowMs - Date.now()) < 60_000 },
  }));
  expect(seen).toEqual({ wallet: sampleRecords.wallet('w'), isNow: true });
});

test('refuses everything that writes, by its code', async () => {
  const refused = [
    put(reading),
    reading.claim({ table: 'operation', owner: 'o', leaseMs: 1, limit: 1 }),
    reading.blobs.put('b', Buffer.from('b')),
    reading.blobs.delete('b'),
    reading.vectors.remove('d'),
  ];
  for (const outcome of await Promise.allSettled(refused))
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'read_only' } });
});

test('refuses several hosts, for each of them would have other records', async () => {
  await expect(postgresStorage({ connectionString: 'postgres://u@a,b/d', readOnly: true })).rejects.toThrow(
    'names several hosts beside readOnly',
  );
});
