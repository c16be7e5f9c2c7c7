import {
  appendOnlyTables,
  createStepBatch,
  decideSteps,
  isMostlyRead,
  tablesInLockOrder,
  writesMostlyRead,
  type Key,
  type NetWrite,
  type QueuedStep,
  type StepOutcome,
  type TableName,
} from '@tollgate/storage';
import { clockStatement } from './clock-statement.ts';
import { guardStatement, type GuardMode } from './guard.ts';
import type { Line } from './line.ts';
import { codeOf } from './retry.ts';
import type { AnyRecord } from './row-codec.ts';
import { plainStatement, type Statement, type StatementResult } from './statement.ts';
import { recordsById, type SchemaStatements } from './table-statements.ts';
import { writeStatements, type Absent } from './write-statements.ts';

/*
 * A batch is one transaction of READ COMMITTED in two round trips.
 *
 * First: BEGIN; the guard (see guard.ts); then table by table, in one order for all, and by id within a table, lock the rows
 * that the steps declare and answer them as they are once locked; the clock. A statement that waits for a lock answers the
 * newest version of the rows that it locks, but it knows of no row that came into being while it waited. So a row found is
 * sure, and a row not found is an assumption.
 *
 * Then the steps are decided, and the second round trip writes each table once and commits. It holds the assumption to be
 * true from its inserts until the commit: an absent row that the steps create is inserted, and one that they only read is
 * inserted as a placeholder and deleted again. If another process created it meanwhile, either is a unique violation, and the
 * batch is decided again on fresh records; if another process is about to, the primary key makes one wait for the other. Both
 * are inserted in one order, after all row locks are held, so no circle of waiting arises. A batch that writes nothing looks
 * once more instead, which shows one state of the database: the rows locked, and the absent ones still absent.
 *
 * Thus every batch is as if alone at the moment of its inserts: what it found is locked, what it did not find cannot come.
 */

export interface BatchParts {
  readonly statements: SchemaStatements;
  /** Replaces the server's clock, for tests. */
  readonly now: (() => number) | null;
}

export interface Carried {
  readonly outcomes: readonly StepOutcome[];
  readonly writes: readonly NetWrite[];
  readonly nowMs: number;
}

/** Rows of one table that the steps declare. */
type Wanted = Absent;

const begin = { ...plainStatement('BEGIN'), name: 'begin' };
const commit = { ...plainStatement('COMMIT'), name: 'commit' };
const rollback = plainStatement('ROLLBACK');

const wantedBy = (steps: readonly QueuedStep[], trustFresh: boolean): readonly Wanted[] => {
  const byTable = new Map<TableName, Set<string>>(tablesInLockOrder.map((table) => [table, new Set()]));
  for (const step of steps)
    for (const { table, id, fresh } of step.keys) if (!(fresh === true && trustFresh)) byTable.get(table)?.add(id);
  return [...byTable].filter(([, ids]) => ids.size > 0).map(([table, ids]) => ({ table, ids: [...ids] }));
};

const loadStatement = ({ statements }: BatchParts, { table, ids }: Wanted): Statement =>
  isMostlyRead(table) ? statements.of(table).read(ids) : statements.of(table).lock(ids);

type Loaded = ReadonlyMap<TableName, ReadonlyMap<string, AnyRecord>>;

const load = async (parts: BatchParts, line: Line, wanted: readonly Wanted[], mode: GuardMode) => {
  const before = [begin];
  if (mode === 'exclusive' || wanted.some(({ table }) => isMostlyRead(table)))
    before.push(guardStatement(parts.statements.schema, mode));
  const loads = wanted.map((one) => loadStatement(parts, one));
  const results = await line.run([...before, ...loads, clockStatement]);
  const loaded: Loaded = new Map(
    wanted.map(({ table }, at) => {
      const rows = results[before.length + at]?.rows ?? [];
      return [table, recordsById(parts.statements.of(table).codec, rows)];
    }),
  );
  return { loaded, nowMs: parts.now?.() ?? Number(results.at(-1)?.rows[0]?.[0]) };
};

/** The declared rows that are not there, of tables whose absent rows the guard does not keep absent. */
const absentAmong = (wanted: readonly Wanted[], loaded: Loaded): readonly Wanted[] =>
  wanted
    .filter(({ table }) => !isMostlyRead(table))
    .map(({ table, ids }) => ({ table, ids: ids.filter((id) => loaded.get(table)?.has(id) !== true) }))
    .filter(({ ids }) => ids.length > 0);

/** A race that was lost without a violation; told by the same code, so that it is treated the same. */
const lostRace = (): Error => Object.assign(new Error('a row came into being meanwhile'), { code: '23505' });

const finishReading = async (parts: BatchParts, line: Line, absent: readonly Wanted[]): Promise<void> => {
  const looks = absent.map(({ table, ids }) => parts.statements.of(table).exist(ids));
  const results = await line.run([...looks, commit]);
  if (results.slice(0, looks.length).some(({ rows }) => rows.length > 0)) throw lostRace();
};

const isAppendOnly = (table: string): boolean => appendOnlyTables.some((name) => name === table);

/** A row appended twice is a defect of a step and no race: its id was guarded by a lock. */
const asDefect = (cause: unknown): unknown => {
  if (codeOf(cause) !== '23505' || !(cause instanceof Error)) return cause;
  const table = 'table' in cause ? String(cause.table) : '';
  return isAppendOnly(table) ? new Error(`a row of ${table} was appended twice`, { cause }) : cause;
};

/** Whether a session still answers after an error: if so, the error was no more than an error and nothing was committed. */
const rollBack = async (line: Line): Promise<boolean> =>
  line.run([rollback]).then(
    () => true,
    () => false,
  );

/** The commit was sent and no answer came: whether it happened is unknown here. */
export class UnknownCommitError extends Error {
  override readonly name = 'UnknownCommitError';
  readonly code = 'unknown_commit';
}

const andCommit = function* (writes: Iterable<Statement>): Generator<Statement, void> {
  yield* writes;
  yield commit;
};

const finishWriting = async (line: Line, writes: Iterable<Statement>): Promise<void> => {
  let results: readonly StatementResult[];
  try {
    results = await line.run(andCommit(writes));
  } catch (cause) {
    if (line.isOpen() && (await rollBack(line))) throw asDefect(cause);
    throw new UnknownCommitError('the connection was lost while the steps were committed', { cause });
  }
  const tag = results.at(-1)?.tag;
  if (tag !== 'COMMIT') throw new UnknownCommitError(`the transaction ended with ${String(tag)}`);
};

/** Whatever was decided is not to be written: leaves the transaction. */
const leave = async (line: Line): Promise<void> => {
  if (!(await rollBack(line))) line.discard();
};

const carryGuarded = async (
  parts: BatchParts,
  line: Line,
  input: { readonly steps: readonly QueuedStep[]; readonly trustFresh: boolean; readonly mode: GuardMode },
): Promise<Carried | 'exclusive'> => {
  const wanted = wantedBy(input.steps, input.trustFresh);
  const { loaded, nowMs } = await load(parts, line, wanted, input.mode);
  const batch = createStepBatch(nowMs, ({ table, id }: Key) => loaded.get(table)?.get(id));
  const outcomes = decideSteps(batch, input.steps);
  const writes = batch.netWrites();
  if (input.mode === 'shared' && writesMostlyRead(writes)) {
    await leave(line);
    return 'exclusive';
  }
  const absent = absentAmong(wanted, loaded);
  if (writes.length === 0) await finishReading(parts, line, absent);
  else await finishWriting(line, writeStatements(parts.statements, writes, absent));
  return { outcomes, writes, nowMs };
};

/**
 * Decides steps and commits what they write in one transaction. Throws where nothing was committed, and `UnknownCommitError`
 * where that is not known. Where `trustFresh` is false every key is looked up.
 */
export const commitBatch = async (
  parts: BatchParts,
  line: Line,
  steps: readonly QueuedStep[],
  trustFresh: boolean,
): Promise<Carried> => {
  try {
    const carried = await carryGuarded(parts, line, { steps, trustFresh, mode: 'shared' });
    if (carried !== 'exclusive') return carried;
    const again = await carryGuarded(parts, line, { steps, trustFresh, mode: 'exclusive' });
    if (again !== 'exclusive') return again;
    throw new Error('a batch cannot be decided');
  } catch (cause) {
    // Some failures leave the transaction open: a record that cannot be encoded, a row that was not there.
    if (line.isOpen() && !(cause instanceof UnknownCommitError)) await leave(line);
    throw cause;
  }
};
