import type { OperationRecord } from '@tollgate/storage';
import { readAnswer } from './answers.ts';
import type { Engine } from './engine.ts';

export interface FoundRequest {
  readonly operation: OperationRecord;
  /** The public body without credits; null unless the operation is completed and its answer is kept. */
  readonly body: string | null;
}

/** An operation of this project, or null: another project's is as good as none (requests:get:isolated). Never executes. */
export const findRequest = async (engine: Engine, projectId: string, id: string): Promise<FoundRequest | null> => {
  const records = await engine.storage.read([{ table: 'operation', id }]);
  const operation = records.get('operation', id);
  if (operation === undefined || operation.projectId !== projectId) return null;
  const body = operation.state === 'completed' ? await readAnswer(engine, operation) : null;
  return { operation, body };
};
