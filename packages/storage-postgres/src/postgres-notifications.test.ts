import type { Storage } from '@tollgate/storage';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runSql, testDatabase, type TestDatabase } from '../../../test/postgres-server.ts';
import { sampleRecords } from '../../testing/src/storage/sample-records.ts';
import { postgresStorage } from './postgres-storage.ts';
import { postgresNotifications, type PostgresNotifications } from './postgres-notifications.ts';

let database: TestDatabase;
let storage: Storage;
let notifications: PostgresNotifications;
beforeAll(async () => {
  database = await testDatabase();
  storage = await postgresStorage({ connectionString: database.url, notifyEveryMs: 1 });
  notifications = postgresNotifications({ connectionString: database.url });
  await notifications.ready();
});
afterAll(async () => {
  await notifications.close();
  await storage.close();
  await database.drop();
});

const nextNotification = (): Promise<'woken'> =>
  new Promise((resolve) => {
    const stop = notifications.onNotify(() => {
      stop();
      resolve('woken');
    });
  });

const putOperation = (fields: { readonly dueAtMs?: number; readonly endedAtMs?: number }): Promise<void> =>
  storage.transact([{ table: 'operation', id: 'o' }], () => ({
    writes: [{ kind: 'put', table: 'operation', record: { ...sampleRecords.operation('o'), ...fields } }],
    answer: undefined,
  }));

test('notifies listeners when a step makes work due', async () => {
  const woken = nextNotification();
  await putOperation({ dueAtMs: 1 });
  expect(await woken).toBe('woken');
});

test('notifies listeners when a step ends an operation', async () => {
  const woken = nextNotification();
  await putOperation({ endedAtMs: 5 });
  expect(await woken).toBe('woken');
});

test('says nothing of work that is due much later', async () => {
  let notified = 0;
  const stop = notifications.onNotify(() => {
    notified += 1;
  });
  await putOperation({ dueAtMs: Date.now() + 600_000 });
  expect(notified).toBe(0);
  const woken = nextNotification();
  await putOperation({ dueAtMs: 1 });
  expect(await woken).toBe('woken');
  expect(notified).toBe(1);
  stop();
});

test('listens again, and notifies listeners, after its connection was lost', async () => {
  const woken = nextNotification();
  await runSql(database.url, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'`);
  expect(await woken).toBe('woken');
  const again = nextNotification();
  await putOperation({ dueAtMs: 2 });
  expect(await again).toBe('woken');
});
