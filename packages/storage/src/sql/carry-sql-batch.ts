import { decideSteps, type CarryResult } from '../carry-steps.ts';
import { createStepBatch, type NetWrite } from '../step-batch.ts';
import type { QueuedStep } from '../step-batcher.ts';
import type { Key } from '../storage.ts';
import { isMostlyRead, tablesInLockOrder } from '../table-access.ts';
import { appendOnlyTables } from '../table-groups.ts';
import type { TableName, Tables } from '../tables.ts';
import { certifyFoundSql } from './certify-sql.ts';
import type { Sql, SqlConnection } from './sql-connection.ts';
import type { SqlDialect } from './sql-dialect.ts';
import { guardSql } from './kit-tables.ts';
import { runTransaction, UnknownCommitError, type Plan } from './sql-transaction.ts';
import { recordsById, writeSql, type TablesSql } from './table-sql.ts';

/*
 * A batch is one transaction in two round trips, whose statements each see what was committed before them (READ COMMITTED).
 *
 * First: BEGIN; the guard; then table by table, in one order for all, and by id within a table, lock the rows that the steps
 * declare; the clock. A row found is locked. A row not found is an assumption.
 *
 * Then the steps are decided, and the second round trip writes and commits. An absent row that the steps create is inserted, and one
 * that they only read is inserted as a placeholder and removed again: if another process created it meanwhile, either is a unique
 * violation, and the batch is decided again; if another process is about to, the primary key makes one wait for the other. A batch that
 * writes nothing looks once more instead.
 *
 * Mostly read tables have no locks on their rows but one guard for all of them, which readers share and a writer has alone. What a
 * step writes is known only when it is decided; if that is a guarded row, the transaction is left and begun again with the guard
 * taken alone. The guard keeps their absent rows absent too. A database with several primaries has no such guard, for each of them would
 * have its own: there the rows are locked as all others are, and what was only read is written (`certify-sql.ts`).
 */

export interface BatchParts {
  readonly dialect: SqlDialect;
  readonly tables: TablesSql;
  /** Replaces the server's clock, for tests. */
  readonly now: (() => number) | null;
}

/** Rows of one table that the steps declare. */
interface Wanted {
  readonly table: TableName;
  readonly ids: readonly string[];
}

type Loaded = ReadonlyMap<TableName, ReadonlyMap<string, Tables[TableName]>>;
type Guard = 'shared' | 'alone';

/** What is thrown out of a transaction that is to be begun again with the guard taken alone. */
class NeedsGuardAlone extends Error {}

/** A record that a batch found absent was created meanwhile. */
class LostRaceError extends Error {}

export const wantedBy = (keys: Iterable<Key>, trustFresh: boolean): readonly Wanted[] => {
  const byTable = new Map<TableName, Set<string>>(tablesInLockOrder.map((table) => [table, new Set()]));
  for (const { table, id, fresh } of keys) if (!(fresh === true && trustFresh)) byTable.get(table)?.add(id);
  return [...byTable].filter(([, ids]) => ids.size > 0).map(([table, ids]) => ({ table, ids: [...ids] }));
};

const isGuarded = ({ certification }: SqlDialect, table: TableName): boolean =>
  certification === undefined && isMostlyRead(table);

const absentAmong = (dialect: SqlDialect, wanted: readonly Wanted[], loaded: Loaded): readonly Wanted[] =>
  wanted
    .filter(({ table }) => !isGuarded(dialect, table))
    .map(({ table, ids }) => ({ table, ids: ids.filter((id) => loaded.get(table)?.has(id) !== true) }))
    .filter(({ ids }) => ids.length > 0);

const writesOf = (tables: TablesSql, writes: readonly NetWrite[], absent: readonly Wanted[]): readonly Sql[] => {
  const written = Map.groupBy(writes, ({ table }) => table);
  const absentIds = new Map(absent.map(({ table, ids }) => [table, ids]));
  return tablesInLockOrder.flatMap((table) =>
    writeSql(tables(table), written.get(table) ?? [], absentIds.get(table) ?? []),
  );
};

const isAppendOnly = (table: TableName): boolean => appendOnlyTables.some((name) => name === table);

/** The rows that a batch added to tables of which no row is declared. */
const appendedBy = (writes: readonly NetWrite[]): readonly Key[] =>
  writes.flatMap((write) =>
    write.kind === 'insert' && isAppendOnly(write.table) ? [{ table: write.table, id: write.record.id }] : [],
  );

interface Attempt extends BatchParts {
  readonly steps: readonly QueuedStep[];
  readonly trustFresh: boolean;
  /** Receives what would be written, before it is. */
  readonly onWrites: (writes: readonly NetWrite[]) => void;
}

/** What the first round trip of a batch found. */
interface Found {
  readonly loaded: Loaded;
  readonly nowMs: number;
}

const planOf = (attempt: Attempt, { loaded, nowMs }: Found, wanted: readonly Wanted[], guard: Guard) => {
  const { dialect, tables, steps } = attempt;
  const batch = createStepBatch(nowMs, ({ table, id }) => loaded.get(table)?.get(id));
  const outcomes = decideSteps(batch, steps);
  const writes = batch.netWrites();
  if (guard === 'shared' && writes.some(({ table }) => isGuarded(dialect, table)))
    throw new NeedsGuardAlone('a guarded row is written');
  attempt.onWrites(writes);
  const carried: CarryResult = { kind: 'carried', outcomes };
  const absent = absentAmong(dialect, wanted, loaded);
  if (writes.length > 0) {
    const certifying = certifyFoundSql(dialect, tables, loaded, writes);
    return { writes: [...certifying, ...writesOf(tables, writes, absent)], answer: () => carried };
  }
  const looks = absent.map(({ table, ids }) => tables(table).exist(ids));
  return {
    writes: looks,
    answer: (results) => {
      if (results.slice(0, looks.length).some((rows) => rows.length > 0))
        throw new LostRaceError('a row came meanwhile');
      return carried;
    },
  } satisfies Plan<CarryResult>;
};

const runAttempt = async (attempt: Attempt, connection: SqlConnection, guard: Guard): Promise<CarryResult> => {
  const { dialect, tables, steps, trustFresh, now } = attempt;
  const wanted = wantedBy(
    steps.flatMap(({ keys }) => keys),
    trustFresh,
  );
  const hasGuard = guard === 'alone' || wanted.some(({ table }) => isGuarded(dialect, table));
  const before = hasGuard ? [guardSql(dialect, 'records', guard === 'alone')] : [];
  const loads = wanted.map(({ table, ids }) =>
    isGuarded(dialect, table) ? tables(table).read(ids) : tables(table).lock(ids),
  );
  const clock = { text: `SELECT ${dialect.clock}`, values: [] };
  return runTransaction<CarryResult>(dialect, connection, [...before, ...loads, clock], (results) => {
    const loaded: Loaded = new Map(
      wanted.map(({ table }, at) => [table, recordsById(tables(table), results[before.length + at] ?? [])]),
    );
    const nowMs = now?.() ?? Number(results.at(-1)?.[0]?.[0]);
    return planOf(attempt, { loaded, nowMs }, wanted, guard);
  });
};

/** Whether a row that was appended is there already: its id was guarded by a lock, so that is a defect of a step and no race. */
const findsAppended = async (
  { tables }: BatchParts,
  connection: SqlConnection,
  keys: readonly Key[],
): Promise<boolean> => {
  const looks = wantedBy(keys, false).map(({ table, ids }) => tables(table).exist(ids));
  if (looks.length === 0 || !connection.isOpen()) return false;
  return (await connection.run(looks)).some((rows) => rows.length > 0);
};

const failureOf = (dialect: SqlDialect, cause: unknown): CarryResult => {
  if (cause instanceof UnknownCommitError) return { kind: 'unknown', cause };
  const fault = cause instanceof LostRaceError ? 'race' : dialect.faultOf(cause);
  if (fault === 'busy' || fault === 'lost') return { kind: 'busy', cause };
  return { kind: 'nothing', cause, isRace: fault === 'race' };
};

const runGuarded = async (attempt: Attempt, connection: SqlConnection): Promise<CarryResult> => {
  try {
    return await runAttempt(attempt, connection, 'shared');
  } catch (cause) {
    if (!(cause instanceof NeedsGuardAlone)) throw cause;
    return runAttempt(attempt, connection, 'alone');
  }
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
    return await runGuarded({ ...parts, steps, trustFresh, onWrites }, connection);
  } catch (cause) {
    const failure = failureOf(parts.dialect, cause);
    // The first time it may be that another process has won: the steps are decided again first.
    const isDefect = failure.kind === 'nothing' && failure.isRace === true && !trustFresh;
    if (isDefect && (await findsAppended(parts, connection, appended)))
      return { kind: 'nothing', cause: new Error('a row was appended twice', { cause }) };
    return failure;
  }
};
