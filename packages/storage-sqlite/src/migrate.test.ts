import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { indexes, indexSpec, tableColumns, type ColumnKind, type IndexName } from '@tollgate/storage';
import { afterAll, expect, test } from 'vitest';
import { columnName } from './column-name.ts';
import { listSql } from './list-statements.ts';
import { migrate } from './migrate.ts';
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

test.each(Object.entries<Readonly<Record<string, ColumnKind>>>(tableColumns))(
  'has the columns of the record: %s',
  (table, columns) => {
    const found = migrated()
      .prepare(`PRAGMA table_info(${columnName(table)})`)
      .all()
      .map(({ name, type, notnull, pk }) => ({ name, type: notnull === 1 ? `${String(type)} NOT NULL` : type, pk }));
    expect(found).toEqual(
      Object.entries(columns).map(([field, kind]) => ({
        name: columnName(field),
        type: sqlTypes[kind],
        pk: field === 'id' ? 1 : 0,
      })),
    );
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
  const insert = migrated().prepare('INSERT INTO wallet VALUES (?, ?, ?, 1, 1)');
  expect(() => insert.run('w', balance, reserved)).toThrow('constraint');
});

test.each(Object.keys(indexes) as IndexName[])('lists from an index, without sorting: %s', (name) => {
  const database = migrated();
  for (const afterCursor of [false, true]) {
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${listSql(indexSpec(name), ['id'], afterCursor)}`).all();
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
  const one = { version: 1, sql: 'CREATE TABLE one (id TEXT)' };
  const two = { version: 2, sql: 'CREATE TABLE two (id TEXT)' };
  migrate(database, [one]);
  migrate(database, [one, two]);
  migrate(database, [one, two]);
  expect(database.prepare('SELECT name FROM sqlite_schema').all()).toMatchObject([{ name: 'one' }, { name: 'two' }]);
});

test('leaves everything as it was when a step fails', () => {
  const database = new DatabaseSync(':memory:');
  const broken = { version: 1, sql: 'CREATE TABLE one (id TEXT); CREATE TABLE one (id TEXT)' };
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
