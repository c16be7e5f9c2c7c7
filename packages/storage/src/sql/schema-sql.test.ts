import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { partialIndexes, plainIndexes } from './index-scheme.ts';
import { kitMigrations } from './kit-tables.ts';
import { schemaMigrations } from './schema-sql.ts';
import { schemaFills, type JsonSql } from './schema-fills.ts';
import type { SchemaChange } from './schema-changes.ts';
import type { SchemaDialect } from './sql-dialect.ts';

const types = { id: 'id', text: 'text', json: 'json', integer: 'integer', bytes: 'bytes', serial: 'serial' };

const testDialect: SchemaDialect = {
  types,
  tableEnd: () => '',
  checksAmounts: false,
  indexes: plainIndexes,
  quoted: (name) => `"${name}"`,
};

const textsOf = (changes: readonly SchemaChange[]): readonly (readonly string[])[] =>
  schemaMigrations(testDialect, new Map(), changes).map(({ statements }) => statements);

const testJson: JsonSql = {
  object: 'object',
  objectOfRows: 'objectOfRows',
  elements: (array, as) => `elements(${array}) AS ${as}`,
  merged: (one, other) => `merged(${one}, ${other})`,
};

/** Of the statements of a version, in any order. */
const fingerprint = (texts: readonly string[]): string =>
  createHash('sha256').update(texts.toSorted().join('\n')).digest('hex').slice(0, 16);

/** Of versions 1 to 26. */
const published = [
  'b168f19f83776bad',
  'bb1a94b1977bf3ad',
  '66712bba36c2b65c',
  'c245aaa3308b397d',
  'e3b0c44298fc1c14',
  '308effa9bcb27679',
  '07a41218616387c3',
  '19146e1a7196d4a4',
  '704802e7b5a2e08a',
  '44289bea932e6e09',
  '5ccbc9923768e34b',
  'ded676408496f43a',
  'e17994ef68e15abe',
  '37012d676ec81036',
  'f693234af1df86e9',
  '95fb21ab5a609651',
  '7bbbfbb1726fa9db',
  '6af228a6a66d8d6c',
  'fbe951fef3944f17',
  '5bdee3e33f72b9a8',
  '279afa21e27e5c39',
  'dce9ac8cf6860720',
  '669c7d28571b0c5d',
  '033faf5b6919a677',
  '3940a0e15ac3acc9',
  '7fac2309e495840a',
];

describe('the schema of the SQL kit', () => {
  // A new column, table or index is a new element of `schemaChanges`; then version 1 stays as it was. Databases have it.
  test('leaves version 1 as it was published', () => {
    const asPublished = { ...testDialect, types: { ...types, json: 'text' } };
    expect(fingerprint(kitMigrations(asPublished)[0]?.statements ?? [])).toBe('c04e271090e78e03');
  });

  test('leaves every version of the storages that have all of them as it was published', () => {
    const dialect = { ...testDialect, checksAmounts: true, indexes: partialIndexes };
    const versions = schemaMigrations(dialect, schemaFills(testJson)).map(({ statements }) => fingerprint(statements));
    expect(versions.slice(0, published.length)).toEqual(published);
  });

  test('takes what a later version adds out of version 1, and adds it with a value for the rows there are', () => {
    const [first = [], second = []] = textsOf([
      {
        tables: ['debt'],
        columns: [
          { table: 'deposit', field: 'amountMicros', value: 0 },
          { table: 'project', field: 'limits', value: null },
        ],
        indexes: ['tariffs'],
      },
    ]);
    expect(first).toContain('CREATE TABLE "deposit" ("id" id NOT NULL, "entry_id" text NOT NULL, PRIMARY KEY ("id"))');
    expect(first.filter((text) => text.includes('"debt"') || text.includes('list_tariffs'))).toEqual([]);
    expect(second).toEqual([
      'ALTER TABLE "deposit" ADD COLUMN "amount_micros" integer NOT NULL DEFAULT 0',
      'ALTER TABLE "project" ADD COLUMN "limits" json',
      'CREATE TABLE "debt" ("id" id NOT NULL, "owed_micros" integer NOT NULL, PRIMARY KEY ("id"))',
      'CREATE INDEX "list_tariffs" ON "tariff" ("created_at_ms")',
    ]);
  });

  test('keeps the columns by which rows are found as ids, and indexes them', () => {
    const [first = []] = textsOf([]);
    expect(first.find((text) => text.startsWith('CREATE TABLE "usage_day"'))).toContain('"account_id" id NOT NULL');
    expect(first.find((text) => text.startsWith('CREATE TABLE "operation"'))).toContain('"fingerprint" text NOT NULL');
    expect(first).toContain('CREATE INDEX "list_projects_by_account" ON "project" ("account_id", "created_at_ms")');
    expect(first).toContain('CREATE INDEX "due_operation" ON "operation" ("due_at_ms")');
  });
});
