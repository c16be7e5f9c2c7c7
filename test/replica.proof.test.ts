import { readFile } from 'node:fs/promises';
import { postgresStorage, migratePostgres } from '@tollgate/storage-postgres';
import { createGateway, silentLogger, type Gateway } from 'tollgate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openReports } from '../docs/snippets/postgres.ts';
import { createTestDatabase, runSql, startKeeper, type Keeper, type TestDatabase } from './postgres-server.ts';

let keepers: readonly Keeper[];
let primary: TestDatabase;
let replica: TestDatabase;
let gateway: Gateway;
beforeAll(async () => {
  keepers = await Promise.all([startKeeper(['wal_level=logical']), startKeeper()]);
  const [first, second] = await Promise.all(keepers.map(async (keeper) => createTestDatabase(await keeper.server())));
  if (first === undefined || second === undefined) throw new Error('there are two servers');
  [primary, replica] = [first, second];
  gateway = await createGateway({
    storage: await postgresStorage({ connectionString: primary.url }),
    logger: silentLogger,
  });
});
afterAll(async () => {
  await gateway.close();
  await Promise.all(keepers.map((keeper) => keeper.stop()));
});

/** The statements of the documentation, with the tables that are there already. */
const replicate = async (): Promise<void> => {
  await runSql(primary.url, await readFile(new URL('../docs/snippets/replica.sql', import.meta.url), 'utf8'));
  await migratePostgres({ connectionString: replica.url });
  await runSql(
    replica.url,
    `CREATE SUBSCRIPTION tollgate_reports CONNECTION '${primary.url}' PUBLICATION tollgate_reports`,
  );
};

const createCustomer = async () => {
  const { admin } = gateway;
  const { id: accountId } = await admin.createAccount({ name: 'customer' });
  await admin.deposit({ accountId, amountMicros: 5_000_000n, reference: 'first' });
  const project = await admin.createProject({ accountId, name: 'project' });
  const key = await admin.createKey({ projectId: project?.id ?? '' });
  return { accountId, key: key?.key ?? '' };
};

const chat = async (to: Gateway, key: string): Promise<number> => {
  const { status } = await to.fetch(
    new Request('http://host/api/v1/ai/chat/completions', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ role: 'user', content: 'hello' }] }),
    }),
  );
  return status;
};

test('reports from a logical replica what the primary reports, and writes nothing there', async () => {
  const { accountId, key } = await createCustomer();
  expect(await chat(gateway, key)).toBe(200);
  await replicate();
  // What is written after the copy streams.
  expect(await chat(gateway, key)).toBe(200);
  const hourMs = 3_600_000;
  const fromMs = Math.floor(Date.now() / hourMs) * hourMs - hourMs;
  const reportOf = async ({ admin }: Gateway) => ({
    usage: await admin.usage({ fromMs, untilMs: fromMs + 3 * hourMs, groupBy: ['accountId', 'model'] }),
    statement: await admin.readStatement(accountId),
    account: await admin.readAccount(accountId),
  });
  const reported = await reportOf(gateway);
  expect(reported.usage.items).toMatchObject([{ accountId, requests: 2 }]);
  await expect
    .poll(async () => {
      const rows = await runSql(replica.url, `SELECT count(*)::int AS n FROM tollgate.entry`);
      return rows[0]?.['n'];
    })
    .toBe(reported.statement.length);
  const reports = await openReports(replica.url, 'a secret of the host that is long enough');
  await expect.poll(() => reportOf(reports)).toEqual(reported);
  await expect(reports.admin.createAccount({ name: 'another' })).rejects.toMatchObject({ code: 'read_only' });
  expect(await chat(reports, key)).toBe(503);
  expect(await reportOf(gateway)).toEqual(reported);
  await reports.close();
});
