import { recordOfTable, type NetWrite, type OperationRecord } from '@tollgate/storage';
import { copyLine, copyText } from './copy-line.ts';
import { quoted } from './quoted.ts';
import type { Statement } from './statement.ts';

/*
 * Which operations are due is found in two narrow tables: `operation_open` and, once they ended, `operation_kept`. An index
 * over the operations' own column would be cheaper to understand. But every settlement changes that column, and a change of
 * one indexed column costs a new entry in every index of the row, all of it while the wallet is locked.
 *
 * A row says: look at this operation from then on. It may say so too early, never too late:
 *
 * - an operation that is open, or due at any time, has a row whose time is no later than the operation's;
 * - an open one has such a row in `operation_open`, so that open ones are found among all that are stored.
 *
 * So nothing is written where an operation's time rises: at the renewal of a lease, at the end, at a claim. Where it falls, or
 * begins, a row is added in the same transaction, under the operation's lock. Rows that spoke too early are moved by
 * a worker that claims and finds little to do (see claim-due.ts). A claim reads the operation itself, so that a row too many does no harm.
 */

export const dueTables = ['operation_open', 'operation_kept'] as const;
export type DueTable = (typeof dueTables)[number];

/** The full SQL name of a table of due times. */
export const dueTableIn = (schema: string, table: DueTable): string => `${quoted(schema)}.${table}`;

/** Rows of a table that one statement looks at, so that no backlog makes it slow. */
export const dueRowsSeenMax = 1_000;

/** The time of an open operation that is never due. */
export const neverDueMs = 9_223_372_036_854_775_807n;

interface DueRow {
  readonly table: DueTable;
  readonly dueAtMs: bigint;
  readonly id: string;
}

const neededRow = ({ id, dueAtMs, endedAtMs }: OperationRecord): DueRow | null => {
  if (endedAtMs === null)
    return { table: 'operation_open', dueAtMs: dueAtMs === null ? neverDueMs : BigInt(dueAtMs), id };
  return dueAtMs === null ? null : { table: 'operation_kept', dueAtMs: BigInt(dueAtMs), id };
};

/** Whether the row that an operation had is one that it needs now. */
const serves = (had: DueRow | null, needed: DueRow): boolean =>
  had !== null && had.dueAtMs <= needed.dueAtMs && (had.table === 'operation_open' || needed.table === had.table);

// A write to the table of operations carries operations.
const rowFor = (record: object): DueRow | null => neededRow(recordOfTable<'operation'>(record));

/** The row that a write must add, or null. */
const addedRow = (write: NetWrite): DueRow | null => {
  if (write.table !== 'operation' || write.kind === 'delete') return null;
  const needed = rowFor(write.record);
  if (needed === null) return null;
  return serves(write.kind === 'update' ? rowFor(write.before) : null, needed) ? null : needed;
};

/** What these writes of operations add: one insert a table at the most. */
export const dueStatements = (schema: string, writes: readonly NetWrite[]): readonly Statement[] => {
  const added = Map.groupBy(
    writes.map(addedRow).filter((row) => row !== null),
    ({ table }) => table,
  );
  return Array.from(added, ([table, rows]) => ({
    name: `insert_${table}`,
    text: `COPY ${dueTableIn(schema, table)} (due_at_ms, id) FROM STDIN`,
    values: [],
    copied: rows.map(({ dueAtMs, id }) => copyLine([String(dueAtMs), copyText(id)])).join(''),
  }));
};
