import type { AnswerRecord, OperationRecord } from '@tollgate/storage';
import { answerBlobKey } from '../decisions/purge.ts';
import type { Engine } from '../engine.ts';
import { removePendingBlob } from './pending-blobs.ts';

/** An answer as the step has it that refers to it: its body is null where it lies beside the records. */
export interface AnswerPlace {
  readonly body: string | null;
  readonly bytes: number;
}

/** A small answer, which travels inside the step; null for a larger one. */
export const inlineAnswer = ({ limits }: Pick<Engine, 'limits'>, body: string): AnswerPlace | null => {
  const bytes = Buffer.byteLength(body);
  return bytes <= limits.inlineAnswerBytesMax ? { body, bytes } : null;
};

/** Puts an answer beside the records. */
export const putAnswer = async (
  { storage }: Pick<Engine, 'storage'>,
  operationId: string,
  body: string,
): Promise<AnswerPlace> => {
  const bytes = Buffer.from(body);
  await storage.blobs.put(answerBlobKey(operationId), bytes);
  return { body: null, bytes: bytes.length };
};

/** Puts a large answer beside the records before the step that refers to it; a small one travels inside that step. */
export const storeAnswer = async (engine: Engine, operationId: string, body: string): Promise<AnswerPlace> =>
  inlineAnswer(engine, body) ?? putAnswer(engine, operationId, body);

/** The same for an answer that is never in memory whole. */
export const storeAnswerChunks = async (
  { storage }: Pick<Engine, 'storage'>,
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

const findRecord = async (
  { storage }: Pick<Engine, 'storage'>,
  { id, answer }: OperationRecord,
): Promise<AnswerRecord | null> =>
  answer === 'stored' || answer === 'partial'
    ? ((await storage.read([{ table: 'answer', id }])).get('answer', id) ?? null)
    : null;

/** The text of an answer; null where its blob is gone. */
const readBody = async ({ storage }: Pick<Engine, 'storage'>, { id, body }: AnswerRecord): Promise<string | null> => {
  if (body !== null) return body;
  const bytes = await storage.blobs.get(answerBlobKey(id));
  return bytes === undefined ? null : Buffer.from(bytes).toString('utf8');
};

/** The stored answer, or where it lies if it has more bytes; null where there is none or it was purged. */
export const findAnswer = async (
  engine: Engine,
  operation: OperationRecord,
  heldBytesMax: number,
): Promise<string | LargeAnswer | null> => {
  const answer = await findRecord(engine, operation);
  if (answer === null) return null;
  return answer.body === null && answer.bytes > heldBytesMax
    ? { blobKey: answerBlobKey(operation.id), bytes: answer.bytes }
    : readBody(engine, answer);
};

/** What is stored of an answer. */
export interface StoredAnswer {
  /** Without credits. */
  readonly body: string;
  readonly division: string | null;
}

/** The stored answer of an operation; null where there is none or it was purged. */
export const readAnswer = async (engine: Engine, operation: OperationRecord): Promise<StoredAnswer | null> => {
  const answer = await findRecord(engine, operation);
  const body = answer === null ? null : await readBody(engine, answer);
  return answer === null || body === null ? null : { body, division: answer.division };
};

/** Removes what retention has taken off the record. */
export const deleteAnswer = (engine: Engine, operationId: string): Promise<void> =>
  removePendingBlob(engine, answerBlobKey(operationId));
