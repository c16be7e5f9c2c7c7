import { afterAll, beforeAll, expect, test } from 'vitest';
import { hasPgBouncer, startPgBouncer } from '../../../test/pgbouncer.ts';
import { createTestDatabase, runSql, startKeeper, type Keeper } from '../../../test/postgres-server.ts';
import { sampleRecords } from '../../testing/src/storage/sample-records.ts';
import { isCancelledWait } from './line.ts';
import { migratePostgres } from './migrate.ts';
import type { PostgresStorageOptions } from './postgres-options.ts';
import { postgresStorage } from './postgres-storage.ts';

// A server of its own: the names of standbys are a setting of the whole server.
let keeper: Keeper;
beforeAll(async () => {
  keeper = await startKeeper();
});
afterAll(async () => keeper.stop());

const setStandbys = async (url: string, names: string): Promise<void> => {
  await runSql(url, `ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
  await runSql(url, 'SELECT pg_reload_conf()');
};

/** Cancels the first session that waits for a standby. */
const cancelWait = async (url: string): Promise<void> => {
  for (;;) {
    const rows = await runSql(
      url,
      `SELECT pg_cancel_backend(pid) AS done FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND application_name = 'tollgate'`,
    );
    if (rows.some(({ done }) => done === true)) return;
  }
};

/** What a step rejects with whose wait for the standby is cancelled, and the record that is found then. */
const cancelStep = async (options: PostgresStorageOptions, url: string) => {
  const storage = await postgresStorage(options);
  await setStandbys(url, 'standby');
  const step = storage.transact([{ table: 'wallet', id: 'w' }], () => ({
    writes: [{ kind: 'put', table: 'wallet', record: sampleRecords.wallet('w') }],
    answer: undefined,
  }));
  const [outcome] = await Promise.allSettled([step, cancelWait(url)]);
  await setStandbys(url, '');
  const found = await storage.read([{ table: 'wallet', id: 'w' }]);
  await storage.close();
  return { outcome, found: found.get('wallet', 'w') };
};

/** The server has the row, alone: a caller decides again by what it finds. */
const unknownButThere = {
  outcome: { status: 'rejected', reason: { code: 'unknown_commit' } },
  found: sampleRecords.wallet('w'),
};

test('reports a commit whose wait for the standby was cancelled as unknown', async () => {
  const { url } = await createTestDatabase(await keeper.server());
  expect(await cancelStep({ connectionString: url }, url)).toMatchObject(unknownButThere);
});

test.runIf(hasPgBouncer('a cancelled wait behind PgBouncer'))('does so behind a pooler, too', async () => {
  const { url } = await createTestDatabase(await keeper.server());
  const pooler = await startPgBouncer({ url, mode: 'transaction' });
  const options = { connectionString: pooler.url, pooler: 'transaction' } as const;
  expect(await cancelStep(options, url)).toMatchObject(unknownButThere);
  await pooler.stop();
});

test('reports a migration whose wait for the standby was cancelled as unknown', async () => {
  const database = await createTestDatabase(await keeper.server());
  // A role may hide the warning that tells of it.
  await runSql(database.url, `ALTER ROLE postgres SET client_min_messages = error`);
  await setStandbys(database.url, 'standby');
  const migration = migratePostgres({ connectionString: database.url });
  await Promise.all([expect(migration).rejects.toMatchObject({ code: 'unknown_commit' }), cancelWait(database.url)]);
  await setStandbys(database.url, '');
  await runSql(database.url, `ALTER ROLE postgres RESET client_min_messages`);
  expect(await migratePostgres({ connectionString: database.url })).toEqual([]);
});

test("takes a warning of a host's trigger for no cancelled wait", () => {
  expect(isCancelledWait({ code: '01000', routine: 'exec_stmt_raise' })).toBe(false);
  expect(isCancelledWait({ code: '01000', routine: 'SyncRepWaitForLSN' })).toBe(true);
});
