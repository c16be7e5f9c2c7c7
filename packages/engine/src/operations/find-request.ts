import { isResourceKind } from '@tollgate/contract';
import type { OperationRecord } from '@tollgate/storage';
import { readAnswer } from './answers.ts';
import type { Engine } from '../engine.ts';

export interface FoundRequest {
  readonly operation: OperationRecord;
  /** The public body without credits; null unless the operation is completed and its answer is kept. Of a resource see `findResource`. */
  readonly body: string | null;
}

// requests:get:isolated
/** An operation of this project, or null: another project's is as good as none. Never executes. */
export const findRequest = async (engine: Engine, projectId: string, id: string): Promise<FoundRequest | null> => {
  const records = await engine.storage.read([{ table: 'operation', id }]);
  const operation = records.get('operation', id);
  if (operation === undefined || operation.projectId !== projectId) return null;
  const isAnswered = operation.state === 'completed' && !isResourceKind(operation.kind);
  const body = isAnswered ? ((await readAnswer(engine, operation))?.body ?? null) : null;
  return { operation, body };
};
