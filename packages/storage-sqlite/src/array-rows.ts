import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Prepares a statement that answers rows as arrays, which is quicker than objects. */
export const prepareArrays = (database: DatabaseSync, sql: string): StatementSync => {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  return statement;
};

/** A row that `prepareArrays` answered. The types of node:sqlite know only rows as objects. */
export const rowOf = (row: unknown): readonly unknown[] => {
  if (!Array.isArray(row)) throw new Error('SQLite answered no row');
  return row;
};
