import type { OperationRecord } from '@tollgate/storage';
import { answerBlobKey } from './answer-blob-key.ts';
import type { Engine } from './engine.ts';
import { removePendingBlob } from './pending-blobs.ts';

/** Puts a large answer beside the records before the step that refers to it; a small one travels inside that step. */
export const storeAnswer = async (
  engine: Engine,
  operationId: string,
  body: string,
): Promise<{ readonly body: string | null; readonly bytes: number }> => {
  const bytes = Buffer.byteLength(body);
  if (bytes <= engine.limits.inlineAnswerBytesMax) return { body, bytes };
  await engine.storage.blobs.put(answerBlobKey(operationId), Buffer.from(body));
  return { body: null, bytes };
};

/** The same for an answer that is never in memory whole. */
export const storeAnswerChunks = async (
  { storage }: Engine,
  operationId: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ readonly body: null; readonly bytes: number }> => ({
  body: null,
  bytes: await storage.blobs.putStream(answerBlobKey(operationId), chunks),
});

/** An answer that is too large to be held; its blob is JSON text, too. */
export interface LargeAnswer {
  readonly blobKey: string;
  readonly bytes: number;
}

/** The stored answer, or where it lies if it has more bytes; null where there is none or it was purged. */
export const findAnswer = async (
  engine: Engine,
  operation: OperationRecord,
  heldBytesMax: number,
): Promise<string | LargeAnswer | null> => {
  if (operation.answer !== 'stored') return null;
  const records = await engine.storage.read([{ table: 'answer', id: operation.id }]);
  const answer = records.get('answer', operation.id);
  if (answer === undefined) return null;
  if (answer.body !== null) return answer.body;
  const blobKey = answerBlobKey(operation.id);
  if (answer.bytes > heldBytesMax) return { blobKey, bytes: answer.bytes };
  const bytes = await engine.storage.blobs.get(blobKey);
  return bytes === undefined ? null : Buffer.from(bytes).toString('utf8');
};

/** The stored answer of an operation, without credits; null where there is none or it was purged. */
export const readAnswer = async (engine: Engine, operation: OperationRecord): Promise<string | null> => {
  const found = await findAnswer(engine, operation, Infinity);
  return typeof found === 'string' ? found : null;
};

/** Removes what retention has taken off the record. */
export const deleteAnswer = (engine: Engine, operationId: string): Promise<void> =>
  removePendingBlob(engine, answerBlobKey(operationId));
