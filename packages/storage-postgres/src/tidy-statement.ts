import { clockSql } from './clock-statement.ts';
import { dueRowsSeenMax, dueTableIn, neverDueMs, type DueTable } from './due-rows.ts';
import type { Statement } from './statement.ts';
import { tableNameIn } from './table-statements.ts';

/** Where one statement moved as many, there are probably more. */
export const tidyAgainFromRows = dueRowsSeenMax / 2;

/**
 * Moves rows whose time has come, and whose operation is not due, to where and when it will be; returns how many. The
 * operations are not locked: a step that makes one due earlier meanwhile adds a row for that. Each is found by its primary key,
 * whatever the planner thinks of the table.
 */
export const tidyStatement = (schema: string, table: DueTable, nowMs: number | null): Statement => ({
  name: `tidy_${table}`,
  text: `
    WITH clock AS MATERIALIZED (SELECT coalesce($1::bigint, ${clockSql}) AS now_ms),
    early AS MATERIALIZED (
      SELECT seen.at, seen.id, one.due_at_ms, one.ended_at_ms, one.id IS NULL AS gone
      FROM (
        SELECT ctid AS at, id FROM ${dueTableIn(schema, table)} WHERE due_at_ms <= (SELECT now_ms FROM clock)
        ORDER BY due_at_ms LIMIT ${dueRowsSeenMax} FOR UPDATE SKIP LOCKED) AS seen
      LEFT JOIN LATERAL (
        SELECT id, due_at_ms, ended_at_ms FROM ${tableNameIn(schema, 'operation')} WHERE id = seen.id OFFSET 0) AS one ON true
      WHERE one.due_at_ms IS NULL OR one.due_at_ms > (SELECT now_ms FROM clock)),
    removed AS (DELETE FROM ${dueTableIn(schema, table)} WHERE ctid = ANY (ARRAY (SELECT at FROM early))),
    opened AS (
      INSERT INTO ${dueTableIn(schema, 'operation_open')} (due_at_ms, id)
      SELECT coalesce(due_at_ms, ${neverDueMs}), id FROM early WHERE NOT gone AND ended_at_ms IS NULL),
    kept AS (
      INSERT INTO ${dueTableIn(schema, 'operation_kept')} (due_at_ms, id)
      SELECT due_at_ms, id FROM early WHERE ended_at_ms IS NOT NULL AND due_at_ms IS NOT NULL)
    SELECT count(*) FROM early`,
  values: [nowMs === null ? null : String(nowMs)],
});
