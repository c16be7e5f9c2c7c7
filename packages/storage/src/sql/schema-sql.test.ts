import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { schemaMigrations } from './schema-sql.ts';
import type { SchemaChange } from './schema-changes.ts';
import { plainSql } from './sql-connection.ts';
import type { SqlDialect } from './sql-dialect.ts';

const none = plainSql('');

const testDialect: SqlDialect = {
  types: { id: 'id', text: 'text', integer: 'integer', bytes: 'bytes', serial: 'serial' },
  tableEnd: '',
  quoted: (name) => `"${name}"`,
  parameter: (at) => `$${at}`,
  begin: [],
  beginSnapshot: [],
  clock: 'clock',
  byIndex: () => '',
  forUpdate: '',
  forShare: '',
  forUpdateSkipLocked: '',
  lockMigrations: none,
  unlockMigrations: none,
  faultOf: () => 'other',
};

const textsOf = (changes?: readonly SchemaChange[]): readonly (readonly string[])[] =>
  schemaMigrations(testDialect, changes).map(({ statements }) => statements.map(({ text }) => text));

/** Of the statements of a version, in any order. */
const fingerprint = (texts: readonly string[]): string =>
  createHash('sha256').update(texts.toSorted().join('\n')).digest('hex').slice(0, 16);

describe('the schema of the SQL kit', () => {
  // A new column, table or index is a new element of `schemaChanges`; then version 1 stays as it was. Databases have it.
  test('leaves version 1 as it was published', () => {
    expect(fingerprint(textsOf()[0] ?? [])).toBe('9461c6cab98d8e7c');
  });

  test('takes what a later version adds out of version 1, and adds it with a value for the rows there are', () => {
    const [first = [], second = []] = textsOf([
      {
        tables: ['debt'],
        columns: [
          { table: 'deposit', field: 'amountMicros', value: 0n },
          { table: 'project', field: 'limits', value: null },
        ],
        indexes: ['tariffs'],
      },
    ]);
    expect(first).toContain('CREATE TABLE "deposit" ("id" id NOT NULL, "entry_id" text NOT NULL, PRIMARY KEY ("id"))');
    expect(first.filter((text) => text.includes('"debt"') || text.includes('list_tariffs'))).toEqual([]);
    expect(second).toEqual([
      'ALTER TABLE "deposit" ADD COLUMN "amount_micros" integer',
      'UPDATE "deposit" SET "amount_micros" = $0 WHERE "amount_micros" IS NULL',
      'ALTER TABLE "project" ADD COLUMN "limits" text',
      'CREATE TABLE "debt" ("id" id NOT NULL, "owed_micros" integer NOT NULL, PRIMARY KEY ("id"))',
      'CREATE INDEX "list_tariffs" ON "tariff" ("created_at_ms")',
    ]);
  });

  test('keeps the columns by which rows are found as ids, and indexes them', () => {
    const [first = []] = textsOf();
    expect(first.find((text) => text.startsWith('CREATE TABLE "usage_day"'))).toContain('"account_id" id NOT NULL');
    expect(first.find((text) => text.startsWith('CREATE TABLE "operation"'))).toContain('"fingerprint" text NOT NULL');
    expect(first).toContain('CREATE INDEX "list_projects_by_account" ON "project" ("account_id", "created_at_ms")');
    expect(first).toContain('CREATE INDEX "due_operation" ON "operation" ("due_at_ms")');
  });
});
