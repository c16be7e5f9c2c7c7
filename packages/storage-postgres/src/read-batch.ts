import { createStepBatch, tablesInLockOrder, type StepBatch, type QueuedStep, type TableName } from '@tollgate/storage';
import type { Line } from './line.ts';
import { plainStatement } from './statement.ts';
import { recordsById, type SchemaStatements } from './table-statements.ts';

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
  const keys = steps.flatMap((step) => step.keys);
  const idsOf = (table: TableName) => [...new Set(keys.filter((key) => key.table === table).map((key) => key.id))];
  const tables = tablesInLockOrder.map((table) => ({ table, ids: idsOf(table) })).filter(({ ids }) => ids.length > 0);
  const reads = tables.map(({ table, ids }) => statements.of(table).read(ids));
  try {
    const results = await line.run([begin, ...reads, commit]);
    const found = new Map(
      tables.map(({ table }, at) => {
        const rows = results[at + 1]?.rows ?? [];
        return [table, recordsById(statements.of(table).codec, rows)];
      }),
    );
    return createStepBatch(0, ({ table, id }) => found.get(table)?.get(id));
  } catch (cause) {
    // The transaction is still open; where it cannot be left, the connection is of no use.
    if (line.isOpen()) await line.run([rollback]).catch(() => line.discard());
    throw cause;
  }
};
