import { storageBusyCode, type Key, type Storage } from '@tollgate/storage';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPostgresProxy as createProxy } from '../../../test/postgres-proxy.ts';
import { runSql, testDatabase, type TestDatabase } from '../../../test/postgres-server.ts';
import { sampleRecords } from '../../testing/src/storage/sample-records.ts';
import type { PostgresStorageOptions } from './postgres-options.ts';
import { postgresStorage } from './postgres-storage.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => database.drop());

const walletKey: Key = { table: 'wallet', id: 'w' };

/** Raises the wallet's number by one; returns the new one. */
const raise = (storage: Storage, id = 'w'): Promise<number> =>
  storage.transact([{ table: 'wallet', id }], (records) => {
    const wallet = records.get('wallet', id) ?? { ...sampleRecords.wallet(id), seq: 0 };
    const seq = wallet.seq + 1;
    return { writes: [{ kind: 'put', table: 'wallet', record: { ...wallet, seq } }], answer: seq };
  });

const seqOf = async (storage: Storage): Promise<number> =>
  (await storage.read([walletKey])).get('wallet', 'w')?.seq ?? 0;

let schemas = 0;
const open = (options: Partial<PostgresStorageOptions> = {}, url = database.url) => {
  schemas += 1;
  // The options given here name no other source.
  return postgresStorage({ schema: `faults${schemas}`, ...options, connectionString: url } as PostgresStorageOptions);
};

/** What became of a step: acknowledged, or the code of what it rejected with. */
const outcomeOf = (step: Promise<unknown>): Promise<string> =>
  step.then(
    () => 'acknowledged',
    (cause: unknown) => (cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)),
  );

const killConnections = (): Promise<unknown> =>
  runSql(
    database.url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tollgate' AND datname = current_database()`,
  );

test('goes on, and loses nothing that it acknowledged, while its connections are killed', async () => {
  const storage = await open();
  const outcomes: string[] = [];
  for (let round = 0; round < 15; round += 1) {
    const client = async (): Promise<void> => {
      for (let step = 0; step < 10; step += 1) outcomes.push(await outcomeOf(raise(storage)));
    };
    await Promise.all([killConnections(), ...Array.from({ length: 8 }, client)]);
  }
  expect(outcomes.filter((outcome) => outcome !== 'acknowledged' && outcome !== 'unknown_commit')).toEqual([]);
  const acknowledged = outcomes.filter((outcome) => outcome === 'acknowledged').length;
  expect(acknowledged).toBeGreaterThan(outcomes.length / 2);
  const seq = await seqOf(storage);
  expect(seq).toBeGreaterThanOrEqual(acknowledged);
  expect(seq).toBeLessThanOrEqual(outcomes.length);
  await storage.close();
});

test('never resolves a step whose commit was not answered, nor does it twice', async () => {
  const proxy = await createProxy(database.url);
  const storage = await open({ batchConnections: 1 }, proxy.url);
  expect(await raise(storage)).toBe(1);
  proxy.swallowAnswerTo('update_wallet');
  const outcomes = await Promise.allSettled([raise(storage), raise(storage)]);
  expect(outcomes).toMatchObject([
    { status: 'rejected', reason: { code: 'unknown_commit' } },
    { status: 'rejected', reason: { code: 'unknown_commit' } },
  ]);
  // The server had committed both; they were not decided again.
  expect(await seqOf(storage)).toBe(3);
  expect(await raise(storage)).toBe(4);
  await storage.close();
  proxy.close();
});

test('never decides a step again whose session ended at its commit, though the connection goes on', async () => {
  const proxy = await createProxy(database.url);
  const storage = await open({ batchConnections: 1 }, proxy.url);
  expect(await raise(storage)).toBe(1);
  proxy.endNextCommit();
  await expect(raise(storage)).rejects.toMatchObject({ code: 'unknown_commit' });
  expect(await raise(storage)).toBe(3);
  await storage.close();
  proxy.close();
});

test('decides steps again whose connection was lost before the commit was sent', async () => {
  const proxy = await createProxy(database.url);
  const storage = await open({ batchConnections: 1 }, proxy.url);
  await raise(storage);
  proxy.swallowAnswerTo('lock_wallet');
  let decided = 0;
  const step = storage.transact([walletKey], (records) => {
    decided += 1;
    return { writes: [], answer: records.get('wallet', 'w')?.seq };
  });
  expect(await step).toBe(1);
  expect(decided).toBe(1);
  await storage.close();
  proxy.close();
});

test('opens another connection where the server ends a session in the segment that begins it', async () => {
  const proxy = await createProxy(database.url);
  const storage = await open({ batchConnections: 1 }, proxy.url);
  expect(await raise(storage)).toBe(1);
  proxy.endNextSession();
  await killConnections();
  expect(await raise(storage)).toBe(2);
  expect(proxy.sessionsToEnd()).toBe(0);
  await storage.close();
  proxy.close();
});

const holdWallet = async (schema: string): Promise<Client> => {
  const holder = new Client({ connectionString: database.url });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query(`SELECT 1 FROM ${schema}.wallet WHERE id = 'w' FOR UPDATE`);
  return holder;
};

test('refuses steps as busy when a lock cannot be had in time, and takes them again afterwards', async () => {
  const storage = await open({ schema: 'held', lockTimeoutMs: 30, retriesMax: 1 });
  await raise(storage);
  const holder = await holdWallet('held');
  const outcomes = await Promise.allSettled([raise(storage), raise(storage)]);
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: storageBusyCode } });
  await holder.query('COMMIT');
  expect(await raise(storage)).toBe(2);
  await holder.end();
  await storage.close();
});

test('refuses steps as busy when a statement takes too long', async () => {
  const storage = await open({ schema: 'slow', lockTimeoutMs: 0, statementTimeoutMs: 100 });
  await raise(storage);
  const holder = await holdWallet('slow');
  await expect(raise(storage)).rejects.toMatchObject({ code: storageBusyCode });
  await holder.query('COMMIT');
  expect(await raise(storage)).toBe(2);
  await holder.end();
  await storage.close();
});

test('tries again by itself after a deadlock with another session', async () => {
  const storage = await open({ schema: 'entangled', lockTimeoutMs: 0 });
  await raise(storage, 'a');
  await raise(storage, 'b');
  const stranger = new Client({ connectionString: database.url });
  await stranger.connect();
  await stranger.query(`SET deadlock_timeout = '1h'; BEGIN; SELECT 1 FROM entangled.wallet WHERE id = 'b' FOR UPDATE`);
  const both = storage.transact(
    [
      { table: 'wallet', id: 'a' },
      { table: 'wallet', id: 'b' },
    ],
    (records) => ({
      writes: [],
      answer: [records.get('wallet', 'a')?.seq, records.get('wallet', 'b')?.seq],
    }),
  );
  // The storage holds a and waits for b; the stranger takes a, so one of them must give way: the storage, which looks first.
  await stranger.query(`SELECT 1 FROM entangled.wallet WHERE id = 'a' FOR UPDATE`);
  await stranger.query('COMMIT');
  expect(await both).toEqual([1, 1]);
  await stranger.end();
  await storage.close();
});

test('ends a transaction that its process left open, so that others go on', async () => {
  const storage = await open({ schema: 'frozen', statementTimeoutMs: 200 });
  await raise(storage);
  const [row] = await runSql(
    database.url,
    `SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'tollgate' AND datname = current_database()`,
  );
  expect(row?.['n']).toBeGreaterThanOrEqual(4);
  // The event loop stands still while the first half of a batch is done: longer than the server lets it.
  const step = storage.transact([walletKey], () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
    return { writes: [{ kind: 'delete', table: 'wallet', id: 'w' }], answer: undefined };
  });
  await expect(step).rejects.toMatchObject({ code: 'unknown_commit' });
  expect(await raise(storage)).toBe(2);
  await storage.close();
});
