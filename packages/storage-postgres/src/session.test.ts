import { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { postgresServer, runSql, testDatabase, type TestDatabase } from '../../../test/postgres-server.ts';
import { postgresStorage } from './postgres-storage.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => database.drop());

const nameOf = (url: string): string => new URL(url).pathname.slice(1);

test('refuses a database whose commits are not synchronous', async () => {
  const lax = await testDatabase();
  await runSql(lax.url, `ALTER DATABASE ${nameOf(lax.url)} SET synchronous_commit = off`);
  await expect(postgresStorage({ connectionString: lax.url })).rejects.toMatchObject({ code: 'unsafe_database' });
  await lax.drop();
});

test('refuses a role whose commits are not synchronous', async () => {
  const role = `lax_${nameOf(database.url)}`;
  await runSql(database.url, `CREATE ROLE ${role} LOGIN SUPERUSER; ALTER ROLE ${role} SET synchronous_commit = off`);
  const url = new URL(database.url);
  url.username = role;
  await expect(postgresStorage({ connectionString: url.href })).rejects.toMatchObject({ code: 'unsafe_database' });
  await runSql(database.url, `DROP OWNED BY ${role} CASCADE; DROP ROLE ${role}`);
});

/** The address with a setting for its sessions. The server of these tests is one for tests; without that it is refused. */
const withSetting = (setting: string): string => {
  const url = new URL(database.url);
  url.searchParams.set('options', `-c ${setting}`);
  return url.href;
};

test('refuses a server without fsync, which is not for tests by its own word, unless the host allows it', async () => {
  const connectionString = withSetting('tollgate.allow_unsafe_server=off');
  const refused = postgresStorage({ connectionString });
  await expect(refused).rejects.toMatchObject({ code: 'unsafe_database', fault: 'fsync' });
  await expect(refused).rejects.toThrow('tollgate.allow_unsafe_server = on');
  await (await postgresStorage({ connectionString, allowUnsafeServer: true })).close();
});

test('refuses commits that wait for no standby, also where there is none', async () => {
  const connectionString = withSetting('synchronous_commit=local');
  await expect(postgresStorage({ connectionString, allowUnsafeServer: true })).rejects.toMatchObject({
    fault: 'synchronous_commit',
  });
});

test('refuses a server without a standby where one is required', async () => {
  await expect(postgresStorage({ connectionString: database.url, requireStandby: true })).rejects.toMatchObject({
    fault: 'no_standby',
    message: expect.stringContaining('synchronous_standby_names is empty'),
  });
});

test('refuses a database that cannot hold all text', async () => {
  const server = await postgresServer();
  const name = `ascii_${nameOf(database.url)}`;
  await runSql(server.url, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'`);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  await expect(postgresStorage({ connectionString: url.href })).rejects.toMatchObject({ code: 'unsafe_database' });
  await runSql(server.url, `DROP DATABASE ${name} WITH (FORCE)`);
});

test("keeps connections of a host's pool for itself and closes them at the end", async () => {
  const pool = new Pool({ connectionString: database.url, max: 5 });
  // Its connections may still be closing when their database is dropped.
  pool.on('error', () => undefined);
  const storage = await postgresStorage({ pool });
  expect(pool.totalCount - pool.idleCount).toBe(4);
  await storage.transact([{ table: 'setting', id: 'a' }], () => ({
    writes: [{ kind: 'put', table: 'setting', record: { id: 'a', value: '1' } }],
    answer: undefined,
  }));
  const { rows } = await pool.query<{ synchronous_commit: string }>('SHOW synchronous_commit');
  expect(rows).toEqual([{ synchronous_commit: 'on' }]);
  await storage.close();
  expect(pool.totalCount).toBe(pool.idleCount);
  // What a storage sets for its sessions must not be found on the host's.
  expect((await pool.query<{ enable_seqscan: string }>('SHOW enable_seqscan')).rows).toEqual([
    { enable_seqscan: 'on' },
  ]);
  await pool.end();
});

test('refuses a pool that is too small, or whose clients pipeline', async () => {
  const small = new Pool({ connectionString: database.url, max: 3 });
  await expect(postgresStorage({ pool: small })).rejects.toThrow(RangeError);
  await small.end();
  const pipelined = new Pool({ connectionString: database.url, max: 5, pipeline: true });
  await expect(postgresStorage({ pool: pipelined })).rejects.toThrow('pipeline');
  await pipelined.end();
});

test('rejects where there is no server', async () => {
  await expect(
    postgresStorage({ connectionString: 'postgres://postgres@127.0.0.1:1/none', connectTimeoutMs: 1_000 }),
  ).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});
