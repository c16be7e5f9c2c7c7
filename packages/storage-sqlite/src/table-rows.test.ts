import { DatabaseSync } from 'node:sqlite';
import { createTables } from '@tollgate/storage/sql';
import { expect, test } from 'vitest';
import { sampleRecords } from '../../testing/src/storage/sample-records.ts';
import { migrate } from './migrate.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { createDatabaseRows } from './table-rows.ts';

const openRows = () => {
  const database = new DatabaseSync(':memory:');
  migrate(database);
  return createDatabaseRows(database, createTables(sqliteDialect, { comparesJson: false }));
};

test('writes what changed of a row, and nothing of one that did not change', () => {
  const rows = openRows();
  const table = 'wallet';
  const record = sampleRecords.wallet('acme');
  rows.write([{ kind: 'insert', table, record }]);
  rows.write([{ kind: 'update', table, before: record, record }]);
  expect(rows.find(table, 'acme')).toEqual(record);
  const changed = { ...record, balanceMicros: 7n, seq: 2 };
  rows.write([{ kind: 'update', table, before: record, record: changed }]);
  expect(rows.find(table, 'acme')).toEqual(changed);
  rows.write([{ kind: 'delete', table, id: 'acme', before: record }]);
  expect(rows.find(table, 'acme')).toBeUndefined();
});

test('refuses to change or delete a row that is not there', () => {
  const rows = openRows();
  const table = 'wallet';
  const before = sampleRecords.wallet('acme');
  const record = { ...before, seq: 2 };
  expect(() => rows.write([{ kind: 'update', table, before, record }])).toThrow('row does not exist: wallet acme');
  expect(() => rows.write([{ kind: 'delete', table, id: 'acme', before: record }])).toThrow(
    'row does not exist: wallet acme',
  );
});
