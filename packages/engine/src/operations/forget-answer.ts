import type { OperationRecord } from '@tollgate/storage';
import { purge } from '../decisions/purge.ts';
import type { Engine } from '../engine.ts';
import { deleteAnswer } from './answers.ts';
import { commitOnce } from './persist.ts';

/**
 * Deletes the stored answer of an ended operation, as its retention would later. The record, its credits and its identity stay:
 * a repeat is refused, and never runs again.
 */
export const forgetAnswer = async (engine: Engine, operation: OperationRecord): Promise<void> => {
  const purged = await commitOnce(engine, purge({ operation, recordKeptMs: engine.limits.recordKeptMs }));
  // Kept is what a sweep of another process has just taken: it deletes the answer itself.
  if (purged !== 'kept') await deleteAnswer(engine, operation.id);
};
