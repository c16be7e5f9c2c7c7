import { storageBusy, type CarryRetries } from '../carry-steps.ts';
import { plainSql, type Sql, type SqlConnection, type SqlRow } from './sql-connection.ts';
import type { SqlDialect } from './sql-dialect.ts';

const commit = plainSql('COMMIT');
const rollback = plainSql('ROLLBACK');

/** The commit was sent and it is not known whether it happened. */
export class UnknownCommitError extends Error {
  override readonly name = 'UnknownCommitError';
  readonly code = 'unknown_commit';
}

type Results = readonly (readonly SqlRow[])[];

/** What is to be written in the transaction, and what is returned of it, from the results of the writes. */
export interface Plan<T, S = Sql> {
  readonly writes: Iterable<S>;
  /** Whether `writes` only read: then a connection that is lost at the commit has lost nothing. */
  readonly onlyReads?: boolean;
  readonly answer: (results: Results) => T;
}

/** Runs a transaction of two round trips: what it loads first, then the writes of the plan and the commit. */
export type RunTransaction<S> = <T>(loads: readonly S[], plan: (results: Results) => Plan<T, S>) => Promise<T>;

/** Whatever was begun is left. A connection that cannot leave it is closed, which ends the transaction too. */
const leave = async ({ certification }: SqlDialect, connection: SqlConnection): Promise<void> => {
  if (!connection.isOpen()) return;
  await connection.run([rollback, ...(certification?.afterTransaction ?? [])]).catch(() => connection.close());
};

/** Whether what failed at COMMIT is certain to have written nothing. */
const wroteNothing = (dialect: SqlDialect, cause: unknown): boolean => {
  if (dialect.certification !== undefined) return dialect.certification.isConflict(cause);
  const fault = dialect.faultOf(cause);
  return fault !== 'unknown' && fault !== 'lost';
};

/**
 * Writes and COMMIT are one packet, so that nothing of it runs outside the transaction where a write ends it. A database that may end the
 * transaction between two statements without a word gets COMMIT by itself, once it is sure that all writes are within.
 */
const finish = async <T>(dialect: SqlDialect, connection: SqlConnection, plan: Plan<T>): Promise<T> => {
  const { certification } = dialect;
  let results: Results = [];
  if (certification !== undefined) results = await connection.run([...plan.writes, certification.checkTransaction]);
  try {
    if (certification === undefined) results = await connection.run([...plan.writes, commit]);
    else await connection.run([commit, ...certification.afterTransaction]);
  } catch (cause) {
    const lostReadsOnly = plan.onlyReads === true && dialect.faultOf(cause) === 'lost';
    if (lostReadsOnly || wroteNothing(dialect, cause)) throw cause;
    connection.close();
    throw new UnknownCommitError('it is not known whether the transaction was committed', { cause });
  }
  return plan.answer(results);
};

/**
 * One transaction in two round trips: begins it and loads, then makes the writes of the plan and commits. Throws where nothing was
 * committed, and `UnknownCommitError` where that is not known.
 */
export const runTransaction = async <T>(
  dialect: SqlDialect,
  connection: SqlConnection,
  loads: readonly Sql[],
  plan: (results: Results) => Plan<T>,
): Promise<T> => {
  try {
    const results = await connection.run([...dialect.begin, ...loads]);
    return await finish(dialect, connection, plan(results.slice(dialect.begin.length)));
  } catch (cause) {
    await leave(dialect, connection);
    throw cause;
  }
};

/** Ends what `beginSnapshot` began. Fails where the reads were not all within. */
export const endSnapshot = ({ certification }: SqlDialect): readonly Sql[] =>
  certification === undefined ? [commit] : [certification.checkTransaction, commit];

/** Reads on one snapshot, in one round trip. */
export const readSnapshot = async (
  dialect: SqlDialect,
  connection: SqlConnection,
  reads: readonly Sql[],
): Promise<Results> => {
  try {
    const results = await connection.run([...dialect.beginSnapshot, ...reads, ...endSnapshot(dialect)]);
    return results.slice(dialect.beginSnapshot.length, dialect.beginSnapshot.length + reads.length);
  } catch (cause) {
    await leave(dialect, connection);
    throw cause;
  }
};

/** Runs `body` again where it changed nothing for a reason that passes. In the end such a reason is `storage_busy`. */
export const retrying = async <T>(
  dialect: SqlDialect,
  { retriesMax, wait }: CarryRetries,
  body: () => Promise<T>,
): Promise<T> => {
  for (let retries = 0; ; retries += 1) {
    try {
      return await body();
    } catch (cause) {
      if (cause instanceof UnknownCommitError) throw cause;
      const fault = dialect.faultOf(cause);
      if (fault !== 'race' && fault !== 'busy' && fault !== 'lost') throw cause;
      if (retries >= retriesMax) throw storageBusy(cause);
      await wait(retries);
    }
  }
};
