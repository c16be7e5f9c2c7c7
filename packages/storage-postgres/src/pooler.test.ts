import type { Storage } from '@tollgate/storage';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasPgBouncer, startPgBouncer, type PgBouncer } from '../../../test/pgbouncer.ts';
import { runSql, testDatabase, type TestDatabase } from '../../../test/postgres-server.ts';
import { sampleRecords } from '../../testing/src/storage/sample-records.ts';
import { postgresNotifications } from './postgres-notifications.ts';
import { postgresStorage } from './postgres-storage.ts';

/** Raises the number of a wallet by one; returns the new one. */
const raise = (storage: Storage, id: string): Promise<number> =>
  storage.transact([{ table: 'wallet', id }], (records) => {
    const wallet = records.get('wallet', id) ?? { ...sampleRecords.wallet(id), seq: 0 };
    const seq = wallet.seq + 1;
    return { writes: [{ kind: 'put', table: 'wallet', record: { ...wallet, seq } }], answer: seq };
  });

const seqOf = async (storage: Storage, id: string): Promise<number> =>
  (await storage.read([{ table: 'wallet', id }])).get('wallet', id)?.seq ?? 0;

const endSessions = (url: string) =>
  runSql(
    url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );

const openPooled = (connectionString: string, schema: string): Promise<Storage> =>
  postgresStorage({ connectionString, schema, pooler: 'transaction' });

describe.runIf(hasPgBouncer('postgresStorage behind PgBouncer'))('behind PgBouncer', () => {
  let database: TestDatabase;
  let inSessions: PgBouncer;
  let inTransactions: PgBouncer;
  beforeAll(async () => {
    database = await testDatabase();
    inSessions = await startPgBouncer({ url: database.url, mode: 'session' });
    // Each connection to the server is given to the next client, and closed after a second.
    const settings = { default_pool_size: 6, server_round_robin: 1, server_lifetime: 1 };
    inTransactions = await startPgBouncer({ url: database.url, mode: 'transaction', settings });
  });
  afterAll(async () => {
    await inSessions.stop();
    await inTransactions.stop();
    await database.drop();
  });

  test('refuses a pooler that the host does not name, in any mode', async () => {
    for (const { url } of [inSessions, inTransactions])
      await expect(postgresStorage({ connectionString: url })).rejects.toMatchObject({ fault: 'pooler' });
    const notifications = postgresNotifications({ connectionString: inTransactions.url });
    await expect(notifications.ready()).rejects.toMatchObject({ fault: 'pooler' });
    await notifications.close();
  });

  test('works through one in session mode, with notifications', async () => {
    const storage = await postgresStorage({
      connectionString: inSessions.url,
      schema: 'sessions',
      pooler: 'session',
      notifyEveryMs: 1,
    });
    const notifications = postgresNotifications({
      connectionString: inSessions.url,
      schema: 'sessions',
      pooler: 'session',
    });
    await notifications.ready();
    const notified = new Promise<string>((resolve) => {
      notifications.onNotify(() => resolve('notified'));
    });
    await storage.transact([{ table: 'operation', id: 'o' }], () => ({
      writes: [{ kind: 'put', table: 'operation', record: { ...sampleRecords.operation('o'), endedAtMs: 5 } }],
      answer: undefined,
    }));
    expect(await notified).toBe('notified');
    await notifications.close();
    await storage.close();
  });

  test('refuses one in transaction mode that is said to be in session mode', async () => {
    const idle = await startPgBouncer({ url: database.url, mode: 'transaction' });
    const refused = postgresStorage({ connectionString: idle.url, schema: 'said', pooler: 'session' });
    await expect(refused).rejects.toMatchObject({ fault: 'pooler' });
    await expect(refused).rejects.toThrow("pooler: 'transaction'");
    await idle.stop();
  });

  test('loses no step in transaction mode while the connections to the server are renewed', async () => {
    const storages = await Promise.all([1, 2].map(() => openPooled(inTransactions.url, 'renewed')));
    const endMs = performance.now() + 2_000;
    const client = async (storage: Storage, id: string): Promise<number> => {
      for (let steps = 1; ; steps += 1) {
        await Promise.all([raise(storage, id), raise(storage, 'shared')]);
        await storage.list('tariffs', { of: '', limit: 1 });
        if (performance.now() > endMs) return steps;
      }
    };
    const steps = await Promise.all(
      storages.flatMap((storage, at) => [1, 2, 3, 4].map((nth) => client(storage, `${at}-${nth}`))),
    );
    const total = steps.reduce((sum, each) => sum + each, 0);
    expect(await Promise.all(storages.map((storage) => seqOf(storage, 'shared')))).toEqual([total, total]);
    await Promise.all(storages.map((storage) => storage.close()));
  });

  test('tells a step that is done from one that is not while the server ends its sessions in transaction mode', async () => {
    const storage = await openPooled(inTransactions.url, 'ended');
    const outcomes: string[] = [];
    const client = async (): Promise<void> => {
      for (let step = 0; step < 10; step += 1)
        outcomes.push(
          await raise(storage, 'w').then(
            () => 'acknowledged',
            (cause: unknown) => (cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)),
          ),
        );
    };
    for (let round = 0; round < 15; round += 1)
      await Promise.all([endSessions(database.url), ...Array.from({ length: 8 }, client)]);
    expect(outcomes.filter((outcome) => outcome !== 'acknowledged' && outcome !== 'unknown_commit')).toEqual([]);
    const acknowledged = outcomes.filter((outcome) => outcome === 'acknowledged').length;
    expect(acknowledged).toBeGreaterThan(outcomes.length / 2);
    const seq = await seqOf(storage, 'w');
    expect(seq).toBeGreaterThanOrEqual(acknowledged);
    expect(seq).toBeLessThanOrEqual(outcomes.length);
    await storage.close();
  });

  test('leaves no setting of its own on the connections that others are given in transaction mode', async () => {
    const alone = await startPgBouncer({
      url: database.url,
      mode: 'transaction',
      settings: { default_pool_size: 1 },
    });
    const storage = await openPooled(alone.url, 'alone');
    await raise(storage, 'w');
    // The pooler's one connection is now lent to another client.
    expect(await runSql(alone.url, 'SHOW enable_seqscan')).toEqual([{ enable_seqscan: 'on' }]);
    expect(await raise(storage, 'w')).toBe(2);
    await storage.close();
    await alone.stop();
  });

  test('refuses a role in transaction mode whose transactions are not read committed', async () => {
    const role = `strict_${new URL(database.url).pathname.slice(1)}`;
    await runSql(
      database.url,
      `CREATE ROLE ${role} LOGIN SUPERUSER; ALTER ROLE ${role} SET default_transaction_isolation = serializable`,
    );
    const url = new URL(database.url);
    url.username = role;
    const strict = await startPgBouncer({ url: url.href, mode: 'transaction' });
    await expect(postgresStorage({ connectionString: strict.url, pooler: 'transaction' })).rejects.toMatchObject({
      fault: 'pooler',
      message: expect.stringContaining('serializable'),
    });
    await strict.stop();
    await runSql(database.url, `DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`);
  });
});
