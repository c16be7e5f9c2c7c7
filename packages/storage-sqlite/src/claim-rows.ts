import type { ClaimQuery, ClaimableTable } from '@tollgate/storage';
import { columnName, type SqlRow, type TablesSql } from '@tollgate/storage/sql';
import type { RunSql } from './array-rows.ts';

/** Whether anything is due, so that a poll that finds nothing takes no lock. */
export const isAnyDue = (run: RunSql, table: ClaimableTable, nowMs: number): boolean =>
  run({ text: `SELECT 1 FROM ${columnName(table)} WHERE due_at_ms <= ? LIMIT 1`, values: [nowMs] }).length > 0;

/** Leases rows within the open transaction and returns them as they now are. */
export const leaseRows = (
  run: RunSql,
  tables: TablesSql,
  { table, owner, leaseMs, limit }: ClaimQuery,
  nowMs: number,
): readonly SqlRow[] => {
  const name = columnName(table);
  const text = `
    UPDATE ${name} SET owner = ?, due_at_ms = ?
    WHERE id IN (SELECT id FROM ${name} WHERE due_at_ms <= ? ORDER BY due_at_ms LIMIT ?)
    RETURNING ${tables(table).columns}`;
  return run({ text, values: [owner, nowMs + leaseMs, nowMs, limit] });
};
