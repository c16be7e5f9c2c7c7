import type { Storage } from '@tollgate/storage';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPostgresCluster, type PostgresCluster } from '../../../test/postgres-cluster.ts';
import { runSql } from '../../../test/postgres-server.ts';
import { sampleRecords } from '../../testing/src/storage/sample-records.ts';
import { migratePostgres } from './migrate.ts';
import { postgresNotifications } from './postgres-notifications.ts';
import type { PostgresStorageOptions } from './postgres-options.ts';
import { postgresStorage } from './postgres-storage.ts';

let cluster: PostgresCluster;
beforeAll(async () => {
  cluster = await startPostgresCluster();
});
afterAll(async () => cluster.stop());

const open = (options: Partial<PostgresStorageOptions> = {}, url = cluster.url): Promise<Storage> =>
  // The options given here name no other source.
  postgresStorage({ retriesMax: 12, ...options, connectionString: url } as PostgresStorageOptions);

/** Raises the wallet's number by one; returns the new one. */
const raise = (storage: Storage): Promise<number> =>
  storage.transact([{ table: 'wallet', id: 'w' }], (records) => {
    const wallet = records.get('wallet', 'w') ?? { ...sampleRecords.wallet('w'), seq: 0 };
    const seq = wallet.seq + 1;
    return { writes: [{ kind: 'put', table: 'wallet', record: { ...wallet, seq } }], answer: seq };
  });

const seqOf = async (storage: Storage): Promise<number> =>
  (await storage.read([{ table: 'wallet', id: 'w' }])).get('wallet', 'w')?.seq ?? 0;

/** Raises until one is acknowledged; what is unknown is not asked about. */
const raiseUntilTold = async (storage: Storage): Promise<number> => {
  for (;;) {
    const raised = await raise(storage).catch(() => null);
    if (raised !== null) return raised;
  }
};

/** The primary dies and the standby takes its place, with a new one of its own. */
const failOver = async (): Promise<void> => {
  await cluster.primary().kill();
  await cluster.promote();
  await cluster.attachStandby();
};

test('refuses the standby by name, and takes the primary of a list, wherever in it that stands', async () => {
  await expect(open({}, cluster.standby().url)).rejects.toMatchObject({ fault: 'in_recovery' });
  await expect(migratePostgres({ connectionString: cluster.standby().url })).rejects.toMatchObject({
    fault: 'in_recovery',
  });
  const storage = await open({ requireStandby: true });
  await raise(storage);
  await failOver();
  // Now the second of the list.
  const again = await open({ requireStandby: true });
  expect(await raise(again)).toBeGreaterThan(1);
  await again.close();
  await storage.close();
});

test('reads from a standby, for reports', async () => {
  const storage = await open();
  const reading = await open({ readOnly: true }, cluster.standby().url);
  const raised = await raise(storage);
  await expect.poll(() => seqOf(reading)).toBe(raised);
  await expect(raise(reading)).rejects.toMatchObject({ code: 'read_only' });
  await reading.close();
  await storage.close();
});

test('goes on after a fail-over by itself, notifications too, and has lost nothing that was acknowledged', async () => {
  const storage = await open();
  const notifications = postgresNotifications({ connectionString: cluster.url });
  await notifications.ready();
  const before = await raise(storage);
  let acknowledged = before;
  const over = new AbortController();
  const client = async (): Promise<void> => {
    while (!over.signal.aborted || acknowledged < before + 100)
      acknowledged = Math.max(acknowledged, await raiseUntilTold(storage));
  };
  const listening = new Promise<void>((resolve) => {
    notifications.onNotify(resolve);
  });
  const clients = Promise.all(Array.from({ length: 4 }, client));
  await failOver();
  over.abort();
  await clients;
  expect(await seqOf(storage)).toBeGreaterThanOrEqual(acknowledged);
  // Its connection was lost, and it tells of each new one.
  await listening;
  await notifications.close();
  await storage.close();
});

test('leaves a server that fell silent when its own deadline is over, with every connection', async () => {
  const storage = await open({ answerTimeoutMs: 500 });
  const notifications = postgresNotifications({
    connectionString: cluster.url,
    checkEveryMs: 100,
    connectTimeoutMs: 500,
  });
  await notifications.ready();
  const listening = new Promise<void>((resolve) => {
    notifications.onNotify(resolve);
  });
  const before = await raise(storage);
  const thaw = await cluster.primary().freeze();
  await cluster.promote();
  // The connection for reads found the new primary; those for steps still lead to the old one, which goes on.
  expect(await seqOf(storage)).toBe(before);
  await listening;
  await notifications.close();
  thaw();
  // The old one would show what it has, for ever.
  await storage.list('tariffs', { of: '', limit: 1 });
  const left = await runSql(
    cluster.standby().url,
    `SELECT 1 FROM pg_stat_activity WHERE application_name = 'tollgate' AND query LIKE '%tariff%' AND pid <> pg_backend_pid()`,
  );
  expect(left).toEqual([]);
  const raised = raiseUntilTold(storage);
  await cluster.attachStandby();
  expect(await raised).toBeGreaterThan(before);
  await storage.close();
});

test('asks for no commit where a standby is required, until one is there', async () => {
  const storage = await open({ requireStandby: true, retriesMax: 2 });
  await raise(storage);
  await cluster.primary().kill();
  await cluster.promote();
  const waiting = { code: 'connection_lost', cause: { fault: 'no_standby' } };
  await Promise.all([raise(storage), seqOf(storage)].map((refused) => expect(refused).rejects.toMatchObject(waiting)));
  await expect(open({ requireStandby: true })).rejects.toMatchObject({ fault: 'no_standby' });
  await cluster.attachStandby();
  expect(await raiseUntilTold(storage)).toBeGreaterThan(1);
  await storage.close();
});

test('passes over an old primary that runs again, and does not go back to it when it is the only one', async () => {
  const storage = await open({ retriesMax: 5 });
  const before = await raise(storage);
  await cluster.primary().kill();
  await cluster.promote();
  await cluster.restartOld();
  // Commits of the new primary wait until it has a standby; reads do not.
  expect(await seqOf(storage)).toBe(before);
  await cluster.primary().kill();
  await expect(seqOf(storage)).rejects.toMatchObject({ code: 'connection_lost', cause: { fault: 'old_primary' } });
  // The old one looks sound: what remembers the later one is the process.
  await (await open({ migrate: false })).close();
  await storage.close();
});
