import { randomUUID } from 'node:crypto';
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
  const bad = [{ version: 1, statements: ['CREATE TABLE one (id int)', 'CREATE TABLE one (id int)'] }];
  await withClient({ connectionString: database.url }, 5_000, async (client) => {
    await expect(migrateOn(client, 'broken', bad)).rejects.toMatchObject({ code: '42P07' });
    await expect(
      migrateOn(client, 'broken', [{ version: 1, statements: ['CREATE TABLE one (id int)'] }]),
    ).resolves.toEqual([1]);
  });
});

test('applies only what is missing, in order', async () => {
  const steps = [1, 2, 3].map((version) => ({ version, statements: [`CREATE TABLE t${version} (id int)`] }));
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
  const place = { connectionString: database.url, schema: 'unmigrated' };
  const options = { ...place, migrate: false };
  await expect(postgresStorage(options)).rejects.toThrow(
    `migrate it to ${versions.at(-1)} first: tollgate migrate --postgres URL --schema 'unmigrated'`,
  );
  await migratePostgres(place);
  await (await postgresStorage(options)).close();
  await runSql(database.url, 'INSERT INTO unmigrated.schema_version (version) VALUES (99)');
  await expect(postgresStorage(options)).rejects.toThrow('version 99');
  await expect(postgresStorage({ ...options, migrate: true })).rejects.toThrow('version 99');
});

test('counts what each project keeps already, when it comes to a database that was there', async () => {
  await withClient({ connectionString: database.url }, 5_000, async (client) => {
    await migrateOn(client, 'kept', migrations.slice(0, 11));
  });
  const owner = "'p1', 'a1', 'k1', 1, 1";
  await runSql(
    database.url,
    `SET search_path TO kept;
    INSERT INTO file (id, project_id, account_id, key_id, created_at_ms, updated_at_ms, display_name, mime_type, sha256, notes,
      uses, expires_at_ms, size_bytes, status)
      VALUES ('f1', ${owner}, '', '', '', '{}', 0, 9, 5, 'active'), ('f2', ${owner}, '', '', '', '{}', 0, 9, 7, 'deleted');
    INSERT INTO resource (id, project_id, account_id, key_id, created_at_ms, updated_at_ms, model, uses, public_fields, work, kind,
      listing, availability)
      VALUES ('r1', ${owner}, 'm', 0, '{"é":1}', '{}', 'environment', 'l', 'active'),
        ('r2', ${owner}, 'm', 0, '{}', null, 'agent', 'l', 'deleted'),
        ('r3', ${owner}, 'm', 0, '{}', null, 'video', 'l', 'follows');
    INSERT INTO environment_tree VALUES ('r1', 'p1', '[]', 1, 100, 1, 1);
    INSERT INTO trigger (id, project_id, account_id, key_id, created_at_ms, updated_at_ms, schedule, time_zone, interaction,
      status) VALUES ('t1', ${owner}, '', '', '{"a":1}', 'paused');
    INSERT INTO webhook (id, project_id, url, events, status, secret, created_at_ms, updated_at_ms)
      VALUES ('w1', 'p2', '', '[]', 'enabled', '', 1, 1)`,
  );
  const storage = await postgresStorage({ connectionString: database.url, schema: 'kept' });
  const records = await storage.read(['p1', 'p2'].map((id) => ({ table: 'projectUsage', id }) as const));
  await storage.close();
  const none = {
    agents: 0,
    documents: 0,
    environments: 0,
    files: 0,
    stores: 0,
    triggers: 0,
    webhooks: 0,
    keptBytes: 0,
  };
  expect(records.get('projectUsage', 'p1')?.used).toEqual({
    ...none,
    files: 1,
    environments: 1,
    triggers: 1,
    keptBytes: 5 + 8 + 2 + 100 + 7,
  });
  expect(records.get('projectUsage', 'p2')?.used).toEqual({ ...none, webhooks: 1 });
});

test('counts the batches and videos under way, when it comes to a database that was there', async () => {
  await withClient({ connectionString: database.url }, 5_000, async (client) => {
    await migrateOn(client, 'under_way', migrations.slice(0, 12));
  });
  const rest = "'s', 'a', 'k', 'm', 'f', 0, 0, 0, 0, 't', '[]', 'json', 'none', 1, 1";
  await runSql(
    database.url,
    `SET search_path TO under_way;
    INSERT INTO operation (id, project_id, kind, ended_at_ms, state, account_id, key_id, model, fingerprint, hold_micros,
      charged_micros, captures, absorbed_micros, tariff_version, attempts, answer_form, answer, created_at_ms, updated_at_ms)
      VALUES ('o1', 'p1', 'batch', null, ${rest}), ('o2', 'p1', 'batch', null, ${rest}), ('o3', 'p1', 'batch', 5, ${rest}),
        ('o4', 'p1', 'video', null, ${rest}), ('o5', 'p1', 'chat_completion', null, ${rest}),
        ('o6', 'p2', 'video', null, ${rest}), ('o7', 'p3', 'batch', 5, ${rest});
    INSERT INTO project_usage VALUES ('p1', '{"files":4}', '{"filesMax":9}', 7)`,
  );
  const storage = await postgresStorage({ connectionString: database.url, schema: 'under_way' });
  const records = await storage.read(['p1', 'p2', 'p3'].map((id) => ({ table: 'projectUsage', id }) as const));
  await storage.close();
  expect(['p1', 'p2', 'p3'].map((id) => records.get('projectUsage', id))).toEqual([
    { id: 'p1', used: { files: 4, batchesUnderWay: 2, videosUnderWay: 1 }, overrides: { filesMax: 9 }, revision: 8 },
    { id: 'p2', used: { batchesUnderWay: 0, videosUnderWay: 1 }, overrides: null, revision: 1 },
    undefined,
  ]);
});

test('gives entries that were there their balances, and debits the key and the model of operations that are there', async () => {
  await withClient({ connectionString: database.url }, 5_000, async (client) => {
    await migrateOn(client, 'entries', migrations.slice(0, 14));
  });
  await runSql(
    database.url,
    `SET search_path TO entries;
    INSERT INTO operation (id, project_id, kind, ended_at_ms, state, account_id, key_id, model, fingerprint, hold_micros,
      charged_micros, captures, absorbed_micros, tariff_version, attempts, answer_form, answer, created_at_ms, updated_at_ms)
      VALUES ('o1', 'p', 'chat', 5, 'completed', 'a', 'k1', 'm1', 'f', 0, 7, 0, 0, 't', '[]', 'json', 'none', 1, 1);
    INSERT INTO entry (id, account_id, seq, kind, amount_micros, operation_id, wallet_seq, created_at_ms)
      VALUES ('a:1', 'a', 1, 'deposit', 100, null, 1, 1), ('a:2', 'a', 2, 'debit', -7, 'o1', 1, 1),
        ('a:10', 'a', 10, 'debit', -3, 'gone', 1, 1), ('b:1', 'b', 1, 'deposit', 9, null, 1, 1)`,
  );
  const storage = await postgresStorage({ connectionString: database.url, schema: 'entries' });
  const entries = [
    ...(await storage.list('entriesByAccount', { of: 'a', limit: 10 })),
    ...(await storage.list('entriesByAccount', { of: 'b', limit: 10 })),
  ];
  await storage.close();
  expect(entries.map(({ id, balanceMicros, keyId, model }) => [id, balanceMicros, keyId, model])).toEqual([
    ['a:10', 90n, null, null],
    ['a:2', 93n, 'k1', 'm1'],
    ['a:1', 100n, null, null],
    ['b:1', 9n, null, null],
  ]);
});

test('makes usage of the entries and operations that are there', async () => {
  const usage = `'[{"unit":"in","quantity":3},{"unit":"in","quantity":4},{"unit":"out","quantity":2}]'`;
  const attempts = `'[{"provider":"first","outcome":"refused"},{"provider":"q","outcome":"answered"},{"provider":"late","outcome":"answered","abandoned":true}]'`;
  await withClient({ connectionString: database.url }, 5_000, async (client) => {
    await migrateOn(client, 'used', migrations.slice(0, 18));
  });
  await runSql(
    database.url,
    `SET search_path TO used;
    INSERT INTO operation (id, project_id, kind, ended_at_ms, state, account_id, key_id, model, fingerprint, hold_micros,
        charged_micros, captures, absorbed_micros, tariff_version, usage, attempts, answer_form, answer, created_at_ms, updated_at_ms)
      VALUES ('o1', 'p', 'chat', 5, 'completed', 'a', 'k', 'm', 'f', 0, 20, 1, 0, 't', ${usage}, ${attempts}, 'json', 'none', 1, 1),
        ('o2', 'p', 'chat', 5, 'completed', 'a', 'k', 'm', 'f', 0, 7, 0, 0, 't', ${usage}, ${attempts}, 'json', 'none', 1, 1),
        ('o3', 'p', 'chat', 5, 'failed', 'a', 'k', 'm', 'f', 0, 0, 0, 0, 't', ${usage}, ${attempts}, 'json', 'none', 1, 1),
        ('o4', 'p', 'chat', null, 'processing', 'a', 'k', 'm', 'f', 9, 2, 1, 0, 't', null, '[]', 'json', 'none', 1, 1);
    INSERT INTO entry (id, account_id, seq, kind, amount_micros, operation_id, wallet_seq, created_at_ms, balance_micros)
      VALUES ('a:1', 'a', 1, 'deposit', 100, null, 1, 1, 100), ('a:2', 'a', 2, 'debit', -12, 'o1', 2, 4, 88),
        ('a:3', 'a', 3, 'debit', -8, 'o1', 3, 5, 80), ('a:4', 'a', 4, 'debit', -3, 'gone', 4, 5, 77),
        ('a:5', 'a', 5, 'compensation', 4, 'o1', 5, 6, 81), ('a:6', 'a', 6, 'compensation', -1, null, 6, 6, 80),
        ('a:7', 'a', 7, 'debit', -2, 'o4', 7, 6, 78)`,
  );
  const storage = await postgresStorage({ connectionString: database.url, schema: 'used' });
  const sums = await storage.sumUsage({
    rollUp: 'usageHour',
    bounds: [0, 3_600_000],
    where: { accountId: 'a' },
    groupBy: ['model', 'provider'],
    after: null,
    limit: 10,
  });
  await storage.close();
  const nothing = { fromMs: 0, requests: 0n, correctedMicros: 0n, units: [] };
  expect(sums).toEqual([
    // Its operation is gone.
    { ...nothing, values: ['', ''], chargedMicros: 3n },
    // It was charged in part, and goes on.
    { ...nothing, values: ['m', ''], chargedMicros: 2n },
    {
      fromMs: 0,
      values: ['m', 'q'],
      requests: 2n,
      // Of which the host's wallet was charged 7, without an entry.
      chargedMicros: 27n,
      correctedMicros: 4n,
      units: [
        ['in', 14n],
        ['out', 4n],
      ],
    },
  ]);
});

test('says what to do where the role may not create the schema, or the server is not there', async () => {
  const role = `owns_nothing_${randomUUID().slice(0, 8)}`;
  await runSql(database.url, `CREATE ROLE ${role} LOGIN`);
  const url = new URL(database.url);
  url.username = role;
  for (const opening of [postgresStorage, migratePostgres])
    await expect(opening({ connectionString: url.href, schema: 'theirs' })).rejects.toMatchObject({
      code: '42501',
      message: expect.stringMatching(
        /permission denied for database .*may not do that.* run tollgate migrate --postgres URL --schema 'theirs'; .*migrate: false$/,
      ),
    });
  await runSql(database.url, `DROP ROLE ${role}`);
  await expect(postgresStorage({ connectionString: 'postgres://127.0.0.1:1/none' })).rejects.toMatchObject({
    code: 'ECONNREFUSED',
    message: expect.stringMatching(/ECONNREFUSED 127\.0\.0\.1:1\): no database listens there: start it/),
  });
});
