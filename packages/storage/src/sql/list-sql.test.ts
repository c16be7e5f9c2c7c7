import { expect, test } from 'vitest';
import { onePrimary, shown } from '../../test/sql-dialects.ts';
import type { IndexName, IndexQuery } from '../indexes.ts';
import { createListSql } from './list-sql.ts';
import type { SqlDialect } from './sql-dialect.ts';
import { createTables } from './table-sql.ts';

const listed = (dialect: SqlDialect, name: IndexName, query: IndexQuery): string =>
  shown(createListSql(dialect, createTables(dialect))(name, query)).replace(/^SELECT .*? FROM /, 'FROM ');

const page = { of: 'acme', limit: 5 };
const next = { ...page, after: { order: 7, id: 'o1' } };

test('lists the rows of a value newest first, within the conditions of the index', () => {
  expect(listed(onePrimary, 'operationsByAccount', page)).toBe(
    'FROM operation WHERE account_id = ? ORDER BY created_at_ms DESC, id DESC LIMIT ? [acme,5]',
  );
  expect(listed(onePrimary, 'pendingOperationsByAccount', page)).toBe(
    'FROM operation WHERE account_id = ? AND pending_micros IS NOT NULL ORDER BY created_at_ms DESC, id DESC LIMIT ? [acme,5]',
  );
  expect(listed(onePrimary, 'accounts', { of: '', limit: 5 })).toBe(
    'FROM account ORDER BY created_at_ms DESC, id DESC LIMIT ? [5]',
  );
});

test('lists what follows a row, with a pair where the database compares pairs', () => {
  expect(listed(onePrimary, 'operationsByAccount', next)).toBe(
    'FROM operation WHERE account_id = ? AND created_at_ms <= ? AND (created_at_ms < ? OR id < ?) ORDER BY created_at_ms DESC, id DESC LIMIT ? [acme,7,7,o1,5]',
  );
  expect(listed({ ...onePrimary, comparesPairs: true }, 'operationsByAccount', next)).toBe(
    'FROM operation WHERE account_id = ? AND (created_at_ms, id) < (?, ?) ORDER BY created_at_ms DESC, id DESC LIMIT ? [acme,7,o1,5]',
  );
});

test('names the condition by which the database finds the rows faster', () => {
  const dialect: SqlDialect = { ...onePrimary, alsoListed: ({ table }) => (table === 'operation' ? 'hint' : null) };
  expect(listed(dialect, 'operationsByAccount', page)).toContain('WHERE account_id = ? AND hint ORDER BY');
  expect(listed(dialect, 'accounts', page)).not.toContain('hint');
});
