import type { QueuedStep, StepBatch } from '@tollgate/storage';
import { readTogether } from '@tollgate/storage/sql';
import { batchStatements } from './commit-batch.ts';
import type { Line } from './line.ts';
import { plainStatement } from './statement.ts';
import type { SchemaStatements } from './table-statements.ts';

/** One snapshot for all tables, read in one round trip. */
const begin = { ...plainStatement('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'), name: 'begin_read' };
const commit = { ...plainStatement('COMMIT'), name: 'commit' };
const rollback = plainStatement('ROLLBACK');

/** Reads the committed records of all keys without locking. */
export const readBatch = async (
  statements: SchemaStatements,
  line: Line,
  steps: readonly QueuedStep[],
): Promise<StepBatch> => {
  try {
    return await readTogether(batchStatements(statements), steps, async (reads) =>
      (await line.run([begin, ...reads, commit])).slice(1, -1).map(({ rows }) => rows),
    );
  } catch (cause) {
    // The transaction is still open; where it cannot be left, the connection is of no use.
    if (line.isOpen()) await line.run([rollback]).catch(() => line.discard());
    throw cause;
  }
};
