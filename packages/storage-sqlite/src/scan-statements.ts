import type { DatabaseSync } from 'node:sqlite';
import { checkScan, type ScanQuery, type TableName } from '@tollgate/storage';
import { prepareArrays, rowOf } from './array-rows.ts';
import { columnName } from './column-name.ts';
import type { SqlValue } from './row-codec.ts';
import type { DatabaseRows } from './table-rows.ts';

/** Rows of a table by rising id. Seldom asked, so no statement is kept. */
export const scanRows = (
  database: DatabaseSync,
  rows: DatabaseRows,
  table: TableName,
  query: ScanQuery,
): readonly object[] => {
  checkScan(table, query);
  const { after, where, limit } = query;
  const values: SqlValue[] = [];
  const conditions: string[] = [];
  if (after !== undefined) {
    conditions.push('id > ?');
    values.push(after);
  }
  if (where !== undefined) {
    conditions.push(`${columnName(where.field)} = ?`);
    values.push(where.value);
  }
  const condition = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  const codec = rows.codec(table);
  const sql = `SELECT ${codec.columns.join(', ')} FROM ${columnName(table)}${condition} ORDER BY id LIMIT ?`;
  return prepareArrays(database, sql)
    .all(...values, limit)
    .map((row) => codec.decode(rowOf(row)));
};
