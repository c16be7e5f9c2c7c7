import type { ClaimQuery } from '@tollgate/storage';
import { clockSql } from './clock-statement.ts';
import { columnName } from '@tollgate/storage/sql';
import { dueRowsSeenMax, dueTableIn, dueTables } from './due-rows.ts';
import type { Statement } from './statement.ts';
import { tableNameIn, type SchemaStatements } from './table-statements.ts';

const now = '(SELECT now_ms FROM clock)';

/** The ids of due rows, what has been due longest first. Locked rows are skipped: another worker has them. */
const dueIds = (name: string): string => `
  SELECT id FROM ${name} WHERE due_at_ms <= ${now} ORDER BY due_at_ms LIMIT $4::int FOR UPDATE SKIP LOCKED`;

/** The same of operations. Each is checked by itself, for a row of due times may speak too early. */
const dueOperationIds = (schema: string): string => {
  const due = dueTables.map(
    (table) => `(SELECT due_at_ms, id FROM ${dueTableIn(schema, table)} WHERE due_at_ms <= ${now}
      ORDER BY due_at_ms LIMIT ${dueRowsSeenMax})`,
  );
  return `
  SELECT one.id FROM (${due.join(' UNION ALL ')} ORDER BY due_at_ms) AS due CROSS JOIN LATERAL (
    SELECT id FROM ${tableNameIn(schema, 'operation')}
    WHERE id = due.id AND due_at_ms <= ${now} FOR UPDATE SKIP LOCKED) AS one
  LIMIT $4::int`;
};

/** Leases due rows in one statement. They are found once, as an array, whatever plan is made for the rest. */
export const claimStatement = (statements: SchemaStatements, query: ClaimQuery, nowMs: number | null): Statement => {
  const { table, owner, leaseMs, limit } = query;
  const name = tableNameIn(statements.schema, table);
  const columns = statements.of(table).codec.columns;
  return {
    name: `claim_${columnName(table)}`,
    text: `
      WITH clock AS MATERIALIZED (SELECT coalesce($1::bigint, ${clockSql}) AS now_ms)
      UPDATE ${name} AS kept SET owner = $2::text, due_at_ms = ${now} + $3::bigint
      WHERE id = ANY (ARRAY(${table === 'operation' ? dueOperationIds(statements.schema) : dueIds(name)}))
      RETURNING ${columns.map((column) => `kept.${column}`).join(', ')}`,
    values: [nowMs === null ? null : String(nowMs), owner, String(leaseMs), String(limit)],
  };
};
