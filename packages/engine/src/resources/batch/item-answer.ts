import type { AttemptRecord } from '@tollgate/storage';
import type { ItemEnd } from '../../decisions/record-items.ts';
import type { Engine } from '../../engine.ts';
import { storePendingBlob } from '../../operations/pending-blobs.ts';

/** Where the answer of an item lies that is too large for its row. */
export const itemBlobKey = (itemId: string): string => `answers/${itemId.replace(':', '/')}`;

async function* oneChunk(text: string): AsyncGenerator<Uint8Array, void> {
  yield Buffer.from(text);
}

const nothing = { usage: null, errorCode: null, answer: null, answerBytes: 0, blobKey: null } as const;

export const completedItem = async (
  engine: Engine,
  id: string,
  found: {
    readonly usage: ItemEnd['usage'];
    readonly answer: string;
    readonly attempts: readonly AttemptRecord[];
    readonly keptMs: number;
  },
): Promise<ItemEnd> => {
  const { usage, answer, attempts, keptMs } = found;
  const answerBytes = Buffer.byteLength(answer);
  const ended = { ...nothing, id, state: 'completed', usage, attempts, answerBytes } as const;
  if (answerBytes <= engine.limits.inlineAnswerBytesMax) return { ...ended, answer };
  const blobKey = itemBlobKey(id);
  await storePendingBlob(engine, blobKey, oneChunk(answer), keptMs);
  return { ...ended, blobKey };
};

export const failedItem = (id: string, errorCode: string, attempts: readonly AttemptRecord[]): ItemEnd => ({
  ...nothing,
  id,
  state: 'failed',
  errorCode,
  attempts,
});

/** It may have run, or what it used is unknown. */
export const unknownItem = (id: string, attempts: readonly AttemptRecord[]): ItemEnd => ({
  ...nothing,
  id,
  state: 'unknown',
  attempts,
});

/** Nothing ran, and the cause may pass. */
export const putOffItem = (id: string, attempts: readonly AttemptRecord[]): ItemEnd => ({
  ...nothing,
  id,
  state: 'waiting',
  attempts,
});

/** An upstream that was asked to stop did not begin it. */
export const cancelledItem = (id: string): ItemEnd => ({ ...nothing, id, state: 'cancelled', attempts: [] });
