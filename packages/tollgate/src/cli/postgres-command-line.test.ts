import { postgresStorage } from '@tollgate/storage-postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { runSql, testDatabase, type TestDatabase } from '../../../../test/postgres-server.ts';
import { createGateway } from '../create-gateway.ts';
import { runIn } from '../../test/run-in.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => database.drop());

const CreatedKey = z.object({ key: z.string(), accountId: z.string() });

test('migrates a PostgreSQL database, once', async () => {
  const fresh = await testDatabase();
  expect(await runIn({}, 'migrate', '--postgres', fresh.url)).toMatchObject({
    code: 0,
    printed: expect.stringMatching(/^migrated to version [1-9][0-9]*$/),
  });
  expect(await runIn({}, 'migrate', '--postgres', fresh.url)).toMatchObject({ code: 0, printed: 'up to date' });
  expect((await runIn({ TOLLGATE_POSTGRES: fresh.url }, 'migrate', '--json')).printed).toContain('"applied": []');
  await fresh.drop();
});

test('keeps everything in PostgreSQL where it is configured', async () => {
  const run = (...words: readonly string[]) => runIn({ TOLLGATE_POSTGRES: database.url }, ...words);
  expect(await run('init')).toMatchObject({ code: 0, printed: expect.stringMatching(/^created: PostgreSQL, schema /) });
  const { key, accountId } = CreatedKey.parse(JSON.parse((await run('key', 'create', '--json')).printed));
  expect(await run('deposit', '--account', accountId, '--credits', '1', '--reference', 'a')).toMatchObject({
    code: 0,
    printed: 'balance 1, reserved 0, available 1 (done)\nreference a: a repeat with it adds nothing',
  });
  const gateway = await createGateway({ storage: await postgresStorage({ connectionString: database.url }) });
  const response = await gateway.fetch(
    new Request('http://host/api/v1/ai/chat/completions', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ role: 'user', content: 'hello' }] }),
    }),
  );
  expect(response.status).toBe(200);
  await gateway.close();
  expect(await runIn({}, 'audit', '--postgres', database.url)).toMatchObject({
    code: 0,
    printed: '1 accounts, 1 operations, 2 entries\nclean',
  });
});

test('takes the database of DATABASE_URL where it is one of PostgreSQL, after what is its own', async () => {
  const shared = { DATABASE_URL: database.url, TOLLGATE_DB: 'none.db' };
  expect(await runIn(shared, 'audit')).toMatchObject({ code: 0, printed: expect.stringMatching(/clean$/) });
  for (const [environment, ...words] of [
    [{ ...shared, TOLLGATE_POSTGRES: 'postgres://127.0.0.1:1/none' }, 'audit'],
    [{ ...shared, DATABASE_URL: 'mysql://host/shop' }, 'audit'],
    [shared, 'audit', '--db', 'none.db'],
  ] as const)
    expect(await runIn(environment, ...words)).toMatchObject({ code: 1, printed: '' });
});

test('refuses two databases at once, and a migration of none', async () => {
  expect(await runIn({}, 'audit', '--db', 'a.db', '--postgres', database.url)).toMatchObject({ code: 2 });
  expect(await runIn({}, 'audit', '--postgres', '')).toMatchObject({ code: 2 });
  expect(await runIn({}, 'migrate')).toMatchObject({ code: 2, complained: expect.stringContaining('--postgres') });
});

test.each([['audit'], ['operations'], ['key', 'create']])(
  'refuses a database or a schema that holds no gateway, and makes nothing in it: %s %s',
  async (...words) => {
    const empty = await testDatabase();
    const there = runIn({}, ...words, '--postgres', empty.url);
    expect(await there).toMatchObject({
      code: 1,
      printed: '',
      complained: expect.stringMatching(
        /^the schema "tollgate" of the database ".*" holds no gateway\. .*tollgate init/,
      ),
    });
    const url = new URL(empty.url);
    url.pathname = '/no_such_database';
    expect(await runIn({}, ...words, '--postgres', url.href)).toMatchObject({
      code: 1,
      complained: expect.stringContaining('"no_such_database" does not exist'),
    });
    const rows = await runSql(empty.url, `SELECT 1 FROM pg_namespace WHERE nspname = 'tollgate'`);
    expect(rows).toEqual([]);
    await empty.drop();
  },
);

test('looks into the configured schema, by an option or the environment', async () => {
  const fresh = await testDatabase();
  const named = ['--postgres', fresh.url, '--schema', 'other'];
  expect(await runIn({}, 'init', ...named)).toMatchObject({
    code: 0,
    printed: expect.stringMatching(/^created: PostgreSQL, schema /),
  });
  expect(await runIn({}, 'init', ...named)).toMatchObject({
    code: 0,
    printed: expect.stringMatching(/^there already: /),
  });
  expect(await runIn({}, 'audit', ...named)).toMatchObject({ code: 0 });
  expect(await runIn({ TOLLGATE_SCHEMA: 'other' }, 'audit', '--postgres', fresh.url)).toMatchObject({ code: 0 });
  expect(await runIn({}, 'migrate', ...named)).toMatchObject({ code: 0, printed: 'up to date' });
  expect(await runIn({}, 'audit', '--postgres', fresh.url)).toMatchObject({ code: 1 });
  expect(await runIn({}, 'audit', '--db', 'a.db', '--schema', 'other')).toMatchObject({
    code: 2,
    complained: expect.stringContaining('--schema is for --postgres'),
  });
  await fresh.drop();
});
