// The code of the pages that needs a server of a database, run once each.
import { afterAll, expect, test } from 'vitest';
import { openGatewayOverCells } from '../../docs/snippets/cells.ts';
import { openForStrangers } from '../../docs/snippets/hardening.ts';
import { openMysqlGateway } from '../../docs/snippets/mysql.ts';
import { openCluster } from '../../docs/snippets/mysql-cluster.ts';
import { openOnStandbys } from '../../docs/snippets/postgres.ts';
import { hasMariaDb } from '../mariadb-files.ts';
import { startMariaDb } from '../mariadb-server.ts';
import { testDatabase } from '../postgres-server.ts';
import { ask, inMemory, openCustomer, quiet } from './snippet-world.ts';

const databases: Awaited<ReturnType<typeof testDatabase>>[] = [];
afterAll(async () => {
  for (const database of databases) await database.drop();
});

const openDatabase = async (): Promise<string> => {
  const database = await testDatabase();
  databases.push(database);
  return database.url;
};

test('the gateway for strangers seals its data, sends its limits and keeps its quotas', async () => {
  const connectionString = await openDatabase();
  const gateway = await openForStrangers({ tariff: quiet.tariff }, { connectionString, contextSecret: 's'.repeat(32) });
  const { key, projectId } = await openCustomer(gateway);
  const answer = await gateway.fetch(ask(key));
  expect([answer.status, answer.headers.get('x-ratelimit-limit-requests')]).toEqual([200, '600']);
  expect((await gateway.admin.readProjectQuotas(projectId))?.quotas).toMatchObject({ filesMax: 500 });
  await gateway.close();
});

test('a primary whose commits wait for no standby is refused', async () => {
  await expect(openOnStandbys(await openDatabase())).rejects.toMatchObject({ code: 'unsafe_database' });
});

test('a gateway over cells opens each database when it is asked', async () => {
  const gateway = await openGatewayOverCells({ a: await openDatabase(), b: await openDatabase() });
  const customers = await Promise.all([1, 2, 3].map(() => openCustomer(gateway)));
  const answers = await Promise.all(customers.map(({ key }) => gateway.fetch(ask(key))));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  await gateway.close();
});

test.runIf(hasMariaDb())('the gateways on MySQL serve, over one server and over the nodes that are named', async () => {
  const server = await startMariaDb();
  const gateway = await openMysqlGateway(server.url);
  const { key } = await openCustomer(gateway);
  expect((await gateway.fetch(ask(key))).status).toBe(200);
  await gateway.close();
  await server.root.query("CREATE USER gateway@'127.0.0.1' IDENTIFIED BY 'secret'");
  await server.root.query("GRANT ALL ON gateway.* TO gateway@'127.0.0.1'");
  const cluster = await inMemory({ storage: await openCluster('gateway', 'secret', [new URL(server.url).host]) });
  expect((await cluster.fetch(ask(key))).status).toBe(200);
  await cluster.close();
  await server.stop();
});
