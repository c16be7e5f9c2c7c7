import type { CarryResult } from '../carry-steps.ts';
import type { NetWrite } from '../step-batch.ts';
import type { QueuedStep } from '../step-batcher.ts';
import type { Key } from '../storage.ts';
import { isMostlyRead, standInOf, tablesInLockOrder } from '../table-access.ts';
import { appendOnlyTables } from '../table-groups.ts';
import type { TableName } from '../tables.ts';
import { certifyFoundSql } from './certify-sql.ts';
import { guardSql } from './kit-tables.ts';
import { LostRaceError, runBatch, wantedBy, type BatchSql } from './run-batch.ts';
import { plainSql, type Sql, type SqlConnection } from './sql-connection.ts';
import type { SqlDialect } from './sql-dialect.ts';
import { runTransaction, UnknownCommitError } from './sql-transaction.ts';
import { recordsById, writeSql, type TablesSql } from './table-sql.ts';

export interface BatchParts {
  readonly dialect: SqlDialect;
  readonly sql: BatchSql<Sql>;
  /** Replaces the server's clock, for tests. */
  readonly now: (() => number) | null;
}

/** The statements of a batch from those of the tables. */
export const createBatchSql = (dialect: SqlDialect, tables: TablesSql): BatchSql<Sql> => ({
  isGuarded: (table) => dialect.certification === undefined && isMostlyRead(table),
  standIn: dialect.certification === undefined ? undefined : standInOf,
  guard: (alone) => guardSql(dialect, 'records', alone),
  read: ({ table, ids }) => tables(table).read(ids),
  lock: ({ table, ids }) => tables(table).lock(ids),
  exist: ({ table, ids }) => tables(table).exist(ids),
  clock: plainSql(`SELECT ${dialect.clock}`),
  writes: (writes, absent, found) => {
    const written = Map.groupBy(writes, ({ table }) => table);
    const absentIds = new Map(absent.map(({ table, ids }) => [table, ids]));
    const writing = tablesInLockOrder.flatMap((table) =>
      writeSql(tables(table), written.get(table) ?? [], absentIds.get(table) ?? []),
    );
    return [...certifyFoundSql(dialect, tables, found, writes), ...writing];
  },
  records: (table, rows) => recordsById(tables(table), rows),
});

const isAppendOnly = (table: TableName): boolean => appendOnlyTables.some((name) => name === table);

/** The rows that a batch added to tables of which no row is declared. */
const appendedBy = (writes: readonly NetWrite[]): readonly Key[] =>
  writes.flatMap((write) =>
    write.kind === 'insert' && isAppendOnly(write.table) ? [{ table: write.table, id: write.record.id }] : [],
  );

/** Whether a row that was appended is there already: its id was guarded by a lock, so that is a defect of a step and no race. */
const findsAppended = async (
  { sql }: BatchParts,
  connection: SqlConnection,
  keys: readonly Key[],
): Promise<boolean> => {
  const looks = wantedBy(keys, false).map((one) => sql.exist(one));
  if (looks.length === 0 || !connection.isOpen()) return false;
  return (await connection.run(looks)).some((rows) => rows.length > 0);
};

const failureOf = (dialect: SqlDialect, cause: unknown): CarryResult => {
  if (cause instanceof UnknownCommitError) return { kind: 'unknown', cause };
  const fault = cause instanceof LostRaceError ? 'race' : dialect.faultOf(cause);
  // COMMIT was not sent, so nothing was written whatever the server does not know.
  if (fault === 'busy' || fault === 'lost' || fault === 'unknown') return { kind: 'busy', cause };
  return { kind: 'nothing', cause, isRace: fault === 'race' };
};

/** Decides steps and commits what they write in one transaction. Where `trustFresh` is false every key is looked up. */
export const carrySqlBatch = async (
  parts: BatchParts,
  connection: SqlConnection,
  steps: readonly QueuedStep[],
  trustFresh: boolean,
): Promise<CarryResult> => {
  let appended: readonly Key[] = [];
  const onWrites = (writes: readonly NetWrite[]): void => {
    appended = appendedBy(writes);
  };
  try {
    const { outcomes } = await runBatch({ ...parts, steps, trustFresh, onWrites }, (loads, plan) =>
      runTransaction(parts.dialect, connection, loads, plan),
    );
    return { kind: 'carried', outcomes };
  } catch (cause) {
    const failure = failureOf(parts.dialect, cause);
    // The first time it may be that another process has won: the steps are decided again first.
    const isDefect = failure.kind === 'nothing' && failure.isRace === true && !trustFresh;
    if (isDefect && (await findsAppended(parts, connection, appended)))
      return { kind: 'nothing', cause: new Error('a row was appended twice', { cause }) };
    return failure;
  }
};
