import { appendOnlyTables, isMostlyRead, type NetWrite, type QueuedStep } from '@tollgate/storage';
import {
  LostRaceError,
  runBatch,
  UnknownCommitError,
  type BatchSql,
  type Carried,
  type Plan,
  type RunTransaction,
} from '@tollgate/storage/sql';
import { clockStatement } from './clock-statement.ts';
import { guardStatement } from './guard.ts';
import type { Line } from './line.ts';
import { codeOf } from './retry.ts';
import { plainStatement, type Statement, type StatementResult } from './statement.ts';
import { recordsById, type SchemaStatements } from './table-statements.ts';
import { writeStatements } from './write-statements.ts';

/*
 * A batch of the kit (see `runBatch`), each of whose round trips is one pipeline. A statement that waits for a lock returns the newest
 * version of the rows that it locks, but it knows of no row that was created while it waited. All inserts are made in one order, after
 * all row locks are held, so that no circle of waiting arises.
 */

export interface BatchParts {
  readonly statements: SchemaStatements;
  /** Replaces the server's clock, for tests. */
  readonly now: (() => number) | null;
}

const begin = { ...plainStatement('BEGIN'), name: 'begin' };
const commit = { ...plainStatement('COMMIT'), name: 'commit' };
const rollback = plainStatement('ROLLBACK');

/** The statements of a batch. */
export const batchStatements = (statements: SchemaStatements): BatchSql<Statement> => ({
  isGuarded: isMostlyRead,
  guard: (alone) => guardStatement(statements.schema, alone ? 'exclusive' : 'shared'),
  read: ({ table, ids }) => statements.of(table).read(ids),
  lock: ({ table, ids }) => statements.of(table).lock(ids),
  exist: ({ table, ids }) => statements.of(table).exist(ids),
  clock: clockStatement,
  writes: (writes: readonly NetWrite[], absent) => writeStatements(statements, writes, absent),
  records: (table, rows) => recordsById(statements.of(table).codec, rows),
});

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

const andCommit = function* (writes: Iterable<Statement>): Generator<Statement, void> {
  yield* writes;
  yield commit;
};

const finishWriting = async (line: Line, writes: Iterable<Statement>): Promise<readonly StatementResult[]> => {
  let results: readonly StatementResult[];
  try {
    results = await line.run(andCommit(writes));
  } catch (cause) {
    if (line.isOpen() && (await rollBack(line))) throw asDefect(cause);
    throw new UnknownCommitError('the connection was lost while the steps were committed', { cause });
  }
  const tag = results.at(-1)?.tag;
  if (tag !== 'COMMIT') throw new UnknownCommitError(`the transaction ended with ${String(tag)}`);
  return results;
};

const rowsOf = (results: readonly StatementResult[]) => results.map(({ rows }) => rows);

const finish = <T>(line: Line, { writes, onlyReads }: Plan<T, Statement>): Promise<readonly StatementResult[]> =>
  onlyReads === true ? line.run(andCommit(writes)) : finishWriting(line, writes);

/** Throws where nothing was committed, and `UnknownCommitError` where that is not known. */
const runOn =
  (line: Line): RunTransaction<Statement> =>
  async (loads, plan) => {
    try {
      const planned = plan(rowsOf(await line.run([begin, ...loads])).slice(1));
      return planned.answer(rowsOf(await finish(line, planned)));
    } catch (cause) {
      // Some failures leave the transaction open: a record that cannot be encoded, a row that was not there.
      const isLeft = !line.isOpen() || cause instanceof UnknownCommitError || (await rollBack(line));
      if (!isLeft) line.discard();
      throw cause;
    }
  };

/**
 * Decides steps and commits what they write in one transaction. Throws where nothing was committed, and `UnknownCommitError`
 * where that is not known. Where `trustFresh` is false every key is looked up.
 */
export const commitBatch = async (
  { statements, now }: BatchParts,
  line: Line,
  steps: readonly QueuedStep[],
  trustFresh: boolean,
): Promise<Carried> => {
  try {
    return await runBatch({ sql: batchStatements(statements), steps, trustFresh, now }, runOn(line));
  } catch (cause) {
    // A race that was lost without a violation; told by the same code, so that it is treated the same.
    throw cause instanceof LostRaceError ? Object.assign(cause, { code: '23505' }) : cause;
  }
};
