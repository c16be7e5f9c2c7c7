import { decideSteps, type StepOutcome } from '../carry-steps.ts';
import { createStepBatch, type NetWrite, type StepBatch } from '../step-batch.ts';
import type { QueuedStep } from '../step-batcher.ts';
import type { Key } from '../storage.ts';
import { tablesInLockOrder } from '../table-access.ts';
import type { TableName, Tables } from '../tables.ts';
import type { SqlRow } from './sql-connection.ts';
import type { Plan, RunTransaction } from './sql-transaction.ts';

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
 * have its own: there the rows are locked as all others are, and what was only read is written (`certify-sql.ts`). In place of the rows
 * that most steps find absent another row of the same id is locked and written: placeholders of one id, over and over, make
 * transactions about other ids wait for each other.
 */

/** Rows of one table by their ids. */
export interface Wanted {
  readonly table: TableName;
  readonly ids: readonly string[];
}

/** Records by table and id. */
export type Loaded = ReadonlyMap<TableName, ReadonlyMap<string, Tables[TableName]>>;

/** The statements of a batch on one database, of type `S`. */
export interface BatchSql<S> {
  /** Whether the rows of a table have the guard in place of locks of their own. */
  isGuarded(table: TableName): boolean;
  /** The table whose row of the same id is locked, and written, in place of a row of this table that is absent. */
  readonly standIn?: ((table: TableName) => TableName | undefined) | undefined;
  /** Takes the lock of the mostly read tables until the transaction ends, alone or together with others. */
  guard(alone: boolean): S;
  read(wanted: Wanted): S;
  /** As `read`, and locks the rows in the order of their ids. */
  lock(wanted: Wanted): S;
  /** Returns a row for each of the ids that has one. */
  exist(wanted: Wanted): S;
  /** The clock of the moment itself, in whole milliseconds. */
  readonly clock: S;
  /** Writes, and inserts and removes placeholders of rows that must stay absent until the commit. `found` has the rows that are there. */
  writes(writes: readonly NetWrite[], absent: readonly Wanted[], found: Loaded): Iterable<S>;
  /** Records of rows that `read` or `lock` returned, by id. */
  records(table: TableName, rows: readonly SqlRow[]): ReadonlyMap<string, Tables[TableName]>;
}

export interface Batch<S> {
  readonly sql: BatchSql<S>;
  readonly steps: readonly QueuedStep[];
  /** Where it is false every key is looked up. */
  readonly trustFresh: boolean;
  /** Replaces the server's clock, for tests. */
  readonly now: (() => number) | null;
  /** Receives what is about to be written. */
  readonly onWrites?: ((writes: readonly NetWrite[]) => void) | undefined;
}

/** What was committed. */
export interface Carried {
  readonly outcomes: readonly StepOutcome[];
  readonly writes: readonly NetWrite[];
  readonly nowMs: number;
}

type Guard = 'shared' | 'alone';

/** What is thrown out of a transaction that is to be begun again with the guard taken alone. */
class NeedsGuardAlone extends Error {}

/** A record that a batch found absent was created meanwhile. */
export class LostRaceError extends Error {}

/** The keys by their tables, in the order in which rows are locked. */
export const wantedBy = (keys: Iterable<Key>, trustFresh: boolean): readonly Wanted[] => {
  const byTable = new Map<TableName, Set<string>>(tablesInLockOrder.map((table) => [table, new Set()]));
  for (const { table, id, fresh } of keys) if (!(fresh === true && trustFresh)) byTable.get(table)?.add(id);
  return [...byTable].filter(([, ids]) => ids.size > 0).map(([table, ids]) => ({ table, ids: [...ids] }));
};

/** The rows that stand in for those of the keys. */
const standInsFor = <S>({ standIn }: BatchSql<S>, keys: readonly Key[]): readonly Key[] => {
  if (standIn === undefined) return [];
  return keys.flatMap(({ table, id }) => {
    const other = standIn(table);
    return other === undefined ? [] : [{ table: other, id }];
  });
};

/** The declared rows that are not there, of tables whose absent rows the guard does not keep absent. */
const absentAmong = <S>(sql: BatchSql<S>, wanted: readonly Wanted[], loaded: Loaded): readonly Wanted[] =>
  wanted
    .filter(({ table }) => !sql.isGuarded(table))
    .map(({ table, ids }) => {
      const standIns = loaded.get(sql.standIn?.(table) ?? table);
      return { table, ids: ids.filter((id) => loaded.get(table)?.has(id) !== true && standIns?.has(id) !== true) };
    })
    .filter(({ ids }) => ids.length > 0);

const loadedBy = <S>(sql: BatchSql<S>, wanted: readonly Wanted[], results: readonly (readonly SqlRow[])[]): Loaded =>
  new Map(wanted.map(({ table }, at) => [table, sql.records(table, results[at] ?? [])]));

/** What the first round trip of a batch found. */
interface Found {
  readonly loaded: Loaded;
  readonly nowMs: number;
}

const planOf = <S>(batch: Batch<S>, { loaded, nowMs }: Found, wanted: readonly Wanted[], guard: Guard) => {
  const { sql } = batch;
  const decided = createStepBatch(nowMs, ({ table, id }) => loaded.get(table)?.get(id));
  const outcomes = decideSteps(decided, batch.steps);
  const writes = decided.netWrites();
  if (guard === 'shared' && writes.some(({ table }) => sql.isGuarded(table)))
    throw new NeedsGuardAlone('a guarded row is written');
  batch.onWrites?.(writes);
  const carried: Carried = { outcomes, writes, nowMs };
  const absent = absentAmong(sql, wanted, loaded);
  if (writes.length > 0) return { writes: sql.writes(writes, absent, loaded), onlyReads: false, answer: () => carried };
  return {
    writes: absent.map((one) => sql.exist(one)),
    onlyReads: true,
    answer: (results) => {
      if (results.slice(0, absent.length).some((rows) => rows.length > 0))
        throw new LostRaceError('a row came meanwhile');
      return carried;
    },
  } satisfies Plan<Carried, S>;
};

const runGuarded = <S>(batch: Batch<S>, run: RunTransaction<S>, guard: Guard): Promise<Carried> => {
  const { sql, steps, trustFresh, now } = batch;
  const keys = steps.flatMap((step) => step.keys);
  const wanted = wantedBy(keys, trustFresh);
  const locked = wantedBy([...keys, ...standInsFor(sql, keys)], trustFresh);
  const hasGuard = guard === 'alone' || wanted.some(({ table }) => sql.isGuarded(table));
  const before = hasGuard ? [sql.guard(guard === 'alone')] : [];
  const loads = locked.map((one) => (sql.isGuarded(one.table) ? sql.read(one) : sql.lock(one)));
  return run<Carried>([...before, ...loads, sql.clock], (results) => {
    const nowMs = now?.() ?? Number(results.at(-1)?.[0]?.[0]);
    return planOf(batch, { loaded: loadedBy(sql, locked, results.slice(before.length)), nowMs }, wanted, guard);
  });
};

/** Decides steps and commits what they write in one transaction. Throws what `run` throws, and `LostRaceError`. */
export const runBatch = async <S>(batch: Batch<S>, run: RunTransaction<S>): Promise<Carried> => {
  try {
    return await runGuarded(batch, run, 'shared');
  } catch (cause) {
    if (!(cause instanceof NeedsGuardAlone)) throw cause;
    return runGuarded(batch, run, 'alone');
  }
};

/** The committed records of all keys, by one round trip on one snapshot. */
export const readTogether = async <S>(
  sql: BatchSql<S>,
  steps: readonly QueuedStep[],
  run: (reads: readonly S[]) => Promise<readonly (readonly SqlRow[])[]>,
): Promise<StepBatch> => {
  const wanted = wantedBy(
    steps.flatMap(({ keys }) => keys),
    false,
  );
  const found = loadedBy(sql, wanted, await run(wanted.map((one) => sql.read(one))));
  return createStepBatch(0, ({ table, id }) => found.get(table)?.get(id));
};
