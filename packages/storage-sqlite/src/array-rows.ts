import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Sql, SqlRow } from '@tollgate/storage/sql';

/** Prepares a statement that answers rows as arrays, which is quicker than objects. */
export const prepareArrays = (database: DatabaseSync, sql: string): StatementSync => {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  return statement;
};

const isRow = (row: unknown): row is SqlRow => Array.isArray(row);

/** A row that `prepareArrays` answered. The types of node:sqlite know only rows as objects. */
export const rowOf = (row: unknown): SqlRow => {
  if (!isRow(row)) throw new Error('SQLite answered no row');
  return row;
};

/** Statements that stay prepared, at the most. */
const preparedMax = 256;

/** Runs a statement and returns its rows. */
export type RunSql = (statement: Sql) => readonly SqlRow[];

/** Runs statements of any text; what was run before is prepared. */
export const createRunSql = (database: DatabaseSync): RunSql => {
  const prepared = new Map<string, StatementSync>();
  return ({ text, values }) => {
    if (prepared.size > preparedMax) prepared.clear();
    const statement = prepared.get(text) ?? prepareArrays(database, text);
    prepared.set(text, statement);
    return statement.all(...values).map(rowOf);
  };
};
