import type { DatabaseSync } from 'node:sqlite';
import { claimableTables, type ClaimableTable, type ClaimQuery } from '@tollgate/storage';
import { columnName } from './column-name.ts';
import { prepareArrays, rowOf } from './array-rows.ts';

const leaseSql = (table: string, columns: readonly string[]): string => `
  UPDATE ${table} SET owner = ?, due_at_ms = ?
  WHERE id IN (SELECT id FROM ${table} WHERE due_at_ms <= ? ORDER BY due_at_ms LIMIT ?)
  RETURNING ${columns.join(', ')}`;

export interface ClaimRows {
  /** Whether anything is due, so that a poll that finds nothing takes no lock. */
  anyDue(table: ClaimableTable, nowMs: number): boolean;
  /** Leases rows within the open transaction and answers them as they now are. */
  lease(query: ClaimQuery, nowMs: number): readonly (readonly unknown[])[];
}

export const createClaimRows = (
  database: DatabaseSync,
  columnsOf: (table: ClaimableTable) => readonly string[],
): ClaimRows => {
  const prepared = new Map(
    claimableTables.map((table) => {
      const name = columnName(table);
      const due = prepareArrays(database, `SELECT 1 FROM ${name} WHERE due_at_ms <= ? LIMIT 1`);
      return [table, { due, lease: prepareArrays(database, leaseSql(name, columnsOf(table))) }];
    }),
  );
  const statementsOf = (table: ClaimableTable) => {
    const statements = prepared.get(table);
    if (statements === undefined) throw new Error(`rows of ${table} cannot be claimed`);
    return statements;
  };
  return {
    anyDue: (table, nowMs) => statementsOf(table).due.get(nowMs) !== undefined,
    lease: ({ table, owner, leaseMs, limit }, nowMs) => {
      // Bound as it is, NaN would become NULL: never due.
      if (!Number.isSafeInteger(leaseMs)) throw new RangeError(`a lease is a whole number of milliseconds: ${leaseMs}`);
      return statementsOf(table)
        .lease.all(owner, nowMs + leaseMs, nowMs, limit)
        .map(rowOf);
    },
  };
};
