import type { ClaimQuery } from '@tollgate/storage';
import { claimStatement } from './claim-statement.ts';
import { dueTables } from './due-rows.ts';
import type { Row } from './row-codec.ts';
import type { Statement, StatementResult } from './statement.ts';
import type { SchemaStatements } from './table-statements.ts';
import { tidyAgainFromRows, tidyStatement } from './tidy-statement.ts';

export interface ClaimParts {
  readonly statements: SchemaStatements;
  readonly run: (statement: Statement) => Promise<StatementResult>;
  /** Replaces the server's clock, for tests. */
  readonly nowMs: number | null;
}

/** Returns whether so much was moved that due operations may have lain behind it. */
const tidy = async ({ statements, run, nowMs }: ClaimParts): Promise<boolean> => {
  let movedMany = false;
  for (const table of dueTables)
    for (let again = true; again;) {
      const { rows } = await run(tidyStatement(statements.schema, table, nowMs));
      again = Number(rows[0]?.[0] ?? 0) >= tidyAgainFromRows;
      movedMany ||= again;
    }
  return movedMany;
};

/**
 * Leases due rows and answers them. Where there were fewer operations than asked for there is time to move the rows of due
 * times that spoke too early; a backlog is not held up by that.
 */
export const claimDue = async (parts: ClaimParts, query: ClaimQuery): Promise<readonly Row[]> => {
  const { statements, run, nowMs } = parts;
  const { rows } = await run(claimStatement(statements, query, nowMs));
  const missing = query.limit - rows.length;
  if (query.table !== 'operation' || missing === 0 || !(await tidy(parts))) return rows;
  const more = await run(claimStatement(statements, { ...query, limit: missing }, nowMs));
  return [...rows, ...more.rows];
};
