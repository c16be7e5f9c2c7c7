import { afterAll, beforeAll, expect, test } from 'vitest';
import { runSql, testDatabase, type TestDatabase } from '../../../test/postgres-server.ts';
import { migrateOn, migratePostgres, withClient } from './migrate.ts';
import { migrations } from './migrations.ts';
import { postgresStorage } from './postgres-storage.ts';

const versions = migrations.map(({ version }) => version);
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => database.drop());

test('creates the schema once, though many do it at once', async () => {
  const options = { connectionString: database.url, schema: 'raced' };
  const applied = await Promise.all(Array.from({ length: 8 }, () => migratePostgres(options)));
  expect(applied.filter((made) => made.length > 0)).toEqual([versions]);
  expect(await migratePostgres(options)).toEqual([]);
});

test('applies a migration whole or not at all', async () => {
  const bad = [{ version: 1, sql: 'CREATE TABLE one (id int); CREATE TABLE one (id int)' }];
  await withClient({ connectionString: database.url }, 5_000, async (client) => {
    await expect(migrateOn(client, 'broken', bad)).rejects.toMatchObject({ code: '42P07' });
    await expect(migrateOn(client, 'broken', [{ version: 1, sql: 'CREATE TABLE one (id int)' }])).resolves.toEqual([1]);
  });
});

test('applies only what is missing, in order', async () => {
  const steps = [1, 2, 3].map((version) => ({ version, sql: `CREATE TABLE t${version} (id int)` }));
  await withClient({ connectionString: database.url }, 5_000, async (client) => {
    expect(await migrateOn(client, 'grows', steps.slice(0, 1))).toEqual([1]);
    expect(await migrateOn(client, 'grows', steps)).toEqual([2, 3]);
    await expect(migrateOn(client, 'grows', steps.slice(0, 2))).rejects.toThrow('version 3');
  });
});

test('takes any name for a schema', async () => {
  const schema = `odd "name"; drop`;
  const storage = await postgresStorage({ connectionString: database.url, schema });
  await storage.transact([{ table: 'setting', id: 'a' }], () => ({
    writes: [{ kind: 'put', table: 'setting', record: { id: 'a', value: '1' } }],
    answer: undefined,
  }));
  await storage.blobs.put('a', Uint8Array.of(1));
  expect(await storage.list('accounts', { of: '', limit: 1 })).toEqual([]);
  await storage.close();
});

test('refuses a schema that is missing or newer, where it may not migrate', async () => {
  const options = { connectionString: database.url, schema: 'unmigrated', migrate: false };
  await expect(postgresStorage(options)).rejects.toThrow(`migrate it to ${versions.at(-1)} first`);
  await migratePostgres(options);
  await (await postgresStorage(options)).close();
  await runSql(database.url, 'INSERT INTO unmigrated.schema_version (version) VALUES (99)');
  await expect(postgresStorage(options)).rejects.toThrow('version 99');
  await expect(postgresStorage({ ...options, migrate: true })).rejects.toThrow('version 99');
});
