import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, runSql, startKeeper, type Keeper } from '../../../test/postgres-server.ts';
import { sampleRecords } from '../../testing/src/storage/sample-records.ts';
import { isCancelledWait } from './line.ts';
import { migratePostgres } from './migrate.ts';
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

test('reports a commit whose wait for the standby was cancelled as unknown', async () => {
  const database = await createTestDatabase(await keeper.server());
  const storage = await postgresStorage({ connectionString: database.url });
  await setStandbys(database.url, 'nobody');
  const step = storage.transact([{ table: 'wallet', id: 'w' }], () => ({
    writes: [{ kind: 'put', table: 'wallet', record: sampleRecords.wallet('w') }],
    answer: undefined,
  }));
  await Promise.all([expect(step).rejects.toMatchObject({ code: 'unknown_commit' }), cancelWait(database.url)]);
  await setStandbys(database.url, '');
  // The server has the row, alone: a caller decides again by what it finds.
  expect((await storage.read([{ table: 'wallet', id: 'w' }])).get('wallet', 'w')).toEqual(sampleRecords.wallet('w'));
  await storage.close();
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
