import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { indexes, tableColumns, type ColumnKind, type IndexName } from '@tollgate/storage';
import { columnName, createListSql, createTables } from '@tollgate/storage/sql';
import { afterAll, expect, test } from 'vitest';
import { migrate } from './migrate.ts';
import { migrations } from './migrations.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { sqliteStorage } from './sqlite-storage.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-migrate-'));
afterAll(() => rmSync(folder, { recursive: true }));

const migrated = (): DatabaseSync => {
  const database = new DatabaseSync(':memory:');
  migrate(database);
  return database;
};

const sqlTypes: { readonly [K in ColumnKind]: string } = {
  text: 'TEXT NOT NULL',
  'text?': 'TEXT',
  integer: 'INTEGER NOT NULL',
  'integer?': 'INTEGER',
  amount: 'INTEGER NOT NULL',
  'amount?': 'INTEGER',
  json: 'TEXT NOT NULL',
  'json?': 'TEXT',
};

test('names columns in snake case', () => {
  expect(['id', 'createdAtMs', 'apiKey'].map(columnName)).toEqual(['id', 'created_at_ms', 'api_key']);
});

const byName = (one: { readonly name: unknown }, other: { readonly name: unknown }): number =>
  String(one.name).localeCompare(String(other.name));

test.each(Object.entries<Readonly<Record<string, ColumnKind>>>(tableColumns))(
  'has the columns of the record: %s',
  (table, columns) => {
    const found = migrated()
      .prepare(`PRAGMA table_info(${columnName(table)})`)
      .all()
      .map(({ name, type, notnull, pk }) => ({ name, type: notnull === 1 ? `${String(type)} NOT NULL` : type, pk }));
    const expected = Object.entries(columns).map(([field, kind]) => ({
      name: columnName(field),
      type: sqlTypes[kind],
      pk: field === 'id' ? 1 : 0,
    }));
    // A column that was added later stands behind those that were there.
    expect(found.toSorted(byName)).toEqual(expected.toSorted(byName));
  },
);

test('bounds every amount', () => {
  const amounts = Object.entries<Readonly<Record<string, ColumnKind>>>(tableColumns).flatMap(([table, columns]) =>
    Object.entries(columns)
      .filter(([field, kind]) => kind.startsWith('amount') && table !== 'wallet' && field !== 'id')
      .map(([field]) => [columnName(table), columnName(field)] as const),
  );
  const database = migrated();
  for (const [table, column] of amounts) {
    const sql = database.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').get(table)?.['sql'];
    expect(sql).toContain(`CHECK (${column} BETWEEN -1000000000000000 AND 1000000000000000)`);
  }
  expect(amounts.length).toBeGreaterThan(4);
});

test.each([
  [100n, 101n],
  [100n, -1n],
  [10n ** 15n + 1n, 0n],
  [-1n, 0n],
])('refuses a wallet with a balance of %s and %s of it reserved', (balance, reserved) => {
  const insert = migrated().prepare('INSERT INTO wallet VALUES (?, ?, ?, 1, 1, 0, 0)');
  expect(() => insert.run('w', balance, reserved)).toThrow('constraint');
});

test.each(Object.keys(indexes) as IndexName[])('lists from an index, without sorting: %s', (name) => {
  const database = migrated();
  for (const after of [undefined, { order: 1, id: 'a' }]) {
    const { text } = createListSql(sqliteDialect, createTables(sqliteDialect))(name, { of: '', after, limit: 1 });
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${text}`).all();
    const detail = plan.map((step) => String(step['detail'])).join('\n');
    expect(detail).toContain('INDEX');
    expect(detail).not.toContain('TEMP B-TREE');
  }
});

test('claims from the partial index over due times', () => {
  const plan = migrated()
    .prepare('EXPLAIN QUERY PLAN SELECT id FROM operation WHERE due_at_ms <= ? ORDER BY due_at_ms LIMIT ?')
    .all();
  expect(plan.map((step) => step['detail'])).toEqual(['SEARCH operation USING INDEX operation_due (due_at_ms<?)']);
});

test('brings an older schema up to date, step by step, and leaves a current one alone', () => {
  const database = new DatabaseSync(':memory:');
  const one = { version: 1, statements: ['CREATE TABLE one (id TEXT)'] };
  const two = { version: 2, statements: ['CREATE TABLE two (id TEXT)'] };
  migrate(database, [one]);
  migrate(database, [one, two]);
  migrate(database, [one, two]);
  expect(database.prepare('SELECT name FROM sqlite_schema').all()).toMatchObject([{ name: 'one' }, { name: 'two' }]);
});

test('leaves everything as it was when a step fails', () => {
  const database = new DatabaseSync(':memory:');
  const broken = { version: 1, statements: ['CREATE TABLE one (id TEXT)', 'CREATE TABLE one (id TEXT)'] };
  expect(() => migrate(database, [broken])).toThrow('already exists');
  expect(database.prepare('SELECT name FROM sqlite_schema').all()).toEqual([]);
  expect(database.isTransaction).toBe(false);
});

test('refuses a database of a newer program, and changes nothing in it', () => {
  const path = join(folder, 'newer.db');
  const newer = new DatabaseSync(path);
  newer.exec('PRAGMA user_version = 999');
  newer.close();
  expect(() => sqliteStorage({ path })).toThrow('schema version 999');
});

test('counts what each project keeps already, when it comes to a database that was there', () => {
  const database = new DatabaseSync(':memory:');
  migrate(database, migrations.slice(0, 11));
  const row = (table: string, values: Readonly<Record<string, string | number | null>>): void => {
    const names = Object.keys(values);
    database
      .prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`)
      .run(...Object.values(values));
  };
  const owner = { project_id: 'p1', account_id: 'a1', key_id: 'k1', created_at_ms: 1, updated_at_ms: 1 };
  const file = { ...owner, display_name: '', mime_type: '', sha256: '', notes: '{}', uses: 0, expires_at_ms: 9 };
  row('file', { ...file, id: 'f1', size_bytes: 5, status: 'active' });
  row('file', { ...file, id: 'f2', size_bytes: 7, status: 'deleted', deleted_at_ms: 2 });
  const resource = { ...owner, model: 'm', uses: 0, public_fields: '{"é":1}' };
  row('resource', {
    ...resource,
    id: 'r1',
    kind: 'environment',
    listing: 'p1/environment',
    availability: 'active',
    work: '{}',
  });
  row('resource', { ...resource, id: 'r2', kind: 'agent', listing: 'p1/agent', availability: 'deleted', work: null });
  row('resource', { ...resource, id: 'r3', kind: 'video', listing: 'p1/video', availability: 'follows', work: null });
  row('environment_tree', {
    id: 'r1',
    project_id: 'p1',
    files: '[]',
    file_count: 1,
    size_bytes: 100,
    revision: 1,
    updated_at_ms: 1,
  });
  row('trigger', { ...owner, id: 't1', schedule: '', time_zone: '', interaction: '{"a":1}', status: 'paused' });
  row('webhook', {
    id: 'w1',
    project_id: 'p2',
    url: '',
    events: '[]',
    status: 'enabled',
    secret: '',
    created_at_ms: 1,
    updated_at_ms: 1,
  });
  migrate(database, migrations.slice(0, 12));
  const counted = database.prepare('SELECT id, used, revision FROM project_usage ORDER BY id').all();
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
  expect(counted.map(({ id, used, revision }): unknown[] => [id, JSON.parse(String(used)), revision])).toEqual([
    ['p1', { ...none, files: 1, environments: 1, triggers: 1, keptBytes: 5 + 8 + 2 + 100 + 7 }, 1],
    ['p2', { ...none, webhooks: 1 }, 1],
  ]);
  expect(database.prepare('SELECT id, kept_bytes FROM resource ORDER BY id').all()).toMatchObject([
    { id: 'r1', kept_bytes: 110 },
    { id: 'r2', kept_bytes: null },
    { id: 'r3', kept_bytes: null },
  ]);
});

test('counts the batches and videos under way, when it comes to a database that was there', () => {
  const database = new DatabaseSync(':memory:');
  migrate(database, migrations.slice(0, 12));
  const insert =
    database.prepare(`INSERT INTO operation (id, project_id, kind, ended_at_ms, state, account_id, key_id, model,
    fingerprint, hold_micros, charged_micros, captures, absorbed_micros, tariff_version, attempts, answer_form, answer,
    created_at_ms, updated_at_ms) VALUES (?, ?, ?, ?, 's', 'a', 'k', 'm', 'f', 0, 0, 0, 0, 't', '[]', 'json', 'none', 1, 1)`);
  const operations = [
    ['o1', 'p1', 'batch', null],
    ['o2', 'p1', 'batch', null],
    ['o3', 'p1', 'batch', 5],
    ['o4', 'p1', 'video', null],
    ['o5', 'p1', 'chat_completion', null],
    ['o6', 'p2', 'video', null],
    ['o7', 'p3', 'batch', 5],
  ] as const;
  for (const operation of operations) insert.run(...operation);
  database.exec(`INSERT INTO project_usage VALUES ('p1', '{"files":4}', '{"filesMax":9}', 7)`);
  migrate(database);
  const counted = database.prepare('SELECT * FROM project_usage ORDER BY id').all();
  expect(
    counted.map(({ id, used, overrides, revision }): unknown[] => [id, JSON.parse(String(used)), overrides, revision]),
  ).toEqual([
    ['p1', { files: 4, batchesUnderWay: 2, videosUnderWay: 1 }, '{"filesMax":9}', 8],
    ['p2', { batchesUnderWay: 0, videosUnderWay: 1 }, null, 1],
  ]);
});

test('gives entries that were there their balances, and debits the key and the model of operations that are there', () => {
  const database = new DatabaseSync(':memory:');
  migrate(database, migrations.slice(0, 14));
  database.exec(`INSERT INTO operation (id, project_id, kind, ended_at_ms, state, account_id, key_id, model, fingerprint,
    hold_micros, charged_micros, captures, absorbed_micros, tariff_version, attempts, answer_form, answer, created_at_ms,
    updated_at_ms) VALUES ('o1', 'p', 'chat', 5, 'completed', 'a', 'k1', 'm1', 'f', 0, 7, 0, 0, 't', '[]', 'json', 'none', 1, 1)`);
  const insert =
    database.prepare(`INSERT INTO entry (id, account_id, seq, kind, amount_micros, operation_id, wallet_seq,
    created_at_ms) VALUES (?, ?, ?, ?, ?, ?, 1, 1)`);
  for (const entry of [
    ['a:1', 'a', 1, 'deposit', 100n, null],
    ['a:2', 'a', 2, 'debit', -7n, 'o1'],
    ['a:10', 'a', 10, 'debit', -3n, 'gone'],
    ['b:1', 'b', 1, 'deposit', 9n, null],
  ] as const)
    insert.run(...entry);
  migrate(database);
  expect(
    database.prepare('SELECT id, balance_micros, key_id, model FROM entry ORDER BY account_id, seq').all(),
  ).toEqual([
    { id: 'a:1', balance_micros: 100, key_id: null, model: null },
    { id: 'a:2', balance_micros: 93, key_id: 'k1', model: 'm1' },
    { id: 'a:10', balance_micros: 90, key_id: null, model: null },
    { id: 'b:1', balance_micros: 9, key_id: null, model: null },
  ]);
});

test('makes usage of the entries and operations that are there', async () => {
  const usage = `'[{"unit":"in","quantity":3},{"unit":"in","quantity":4},{"unit":"out","quantity":2}]'`;
  const attempts = `'[{"provider":"first","outcome":"refused"},{"provider":"q","outcome":"answered"},{"provider":"late","outcome":"answered","abandoned":true}]'`;
  const path = join(folder, 'used.db');
  const database = new DatabaseSync(path);
  migrate(database, migrations.slice(0, 18));
  database.exec(
    `INSERT INTO operation (id, project_id, kind, ended_at_ms, state, account_id, key_id, model, fingerprint, hold_micros,
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
  database.close();
  const storage = sqliteStorage({ path });
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
