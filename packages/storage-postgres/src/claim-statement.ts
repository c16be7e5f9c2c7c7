import type { ClaimQuery } from '@tollgate/storage';
import { clockSql } from './clock-statement.ts';
import { columnName } from './column-name.ts';
import type { Statement } from './statement.ts';
import { tableNameIn, type SchemaStatements } from './table-statements.ts';

/**
 * Leases due rows in one statement. Rows that somebody holds are passed over: whoever holds them is at work on them. The due
 * rows are found once, as an array, whatever plan is made for the rest.
 */
export const claimStatement = (statements: SchemaStatements, query: ClaimQuery, nowMs: number | null): Statement => {
  const { table, owner, leaseMs, limit } = query;
  if (!Number.isSafeInteger(leaseMs)) throw new RangeError(`a lease is a whole number of milliseconds: ${leaseMs}`);
  const name = tableNameIn(statements.schema, table);
  const columns = statements.of(table).codec.columns;
  return {
    name: `claim_${columnName(table)}`,
    text: `
      WITH clock AS MATERIALIZED (SELECT coalesce($1::bigint, ${clockSql}) AS now_ms)
      UPDATE ${name} AS kept SET owner = $2::text, due_at_ms = (SELECT now_ms FROM clock) + $3::bigint
      WHERE id = ANY (ARRAY(
        SELECT id FROM ${name} WHERE due_at_ms <= (SELECT now_ms FROM clock)
        ORDER BY due_at_ms LIMIT $4::int FOR UPDATE SKIP LOCKED))
      RETURNING ${columns.map((column) => `kept.${column}`).join(', ')}`,
    values: [nowMs === null ? null : String(nowMs), owner, String(leaseMs), String(limit)],
  };
};
