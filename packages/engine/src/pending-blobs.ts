import type { PendingBlobRecord } from '@tollgate/storage';
import type { Engine } from './engine.ts';
import { patienceOf, persist } from './persist.ts';

const keyOf = (blobKey: string) => ({ table: 'pendingBlob', id: blobKey }) as const;

const announce = (engine: Engine, blobKey: string, keptMs: number): Promise<void> =>
  engine.storage.transact([keyOf(blobKey)], (_, nowMs) => ({
    writes: [
      {
        kind: 'put',
        table: 'pendingBlob',
        record: { id: blobKey, owner: null, dueAtMs: nowMs + keptMs },
      },
    ],
    answer: undefined,
  }));

/** Deletes the blob and then what says that it is there, in this order: a death between leaves the row to the sweep. */
export const removePendingBlob = async (engine: Engine, blobKey: string): Promise<void> => {
  await engine.storage.blobs.delete(blobKey);
  await persist(patienceOf(engine), () =>
    engine.storage.transact([keyOf(blobKey)], (records) => ({
      writes: records.get('pendingBlob', blobKey) === undefined ? [] : [{ kind: 'delete', ...keyOf(blobKey) }],
      answer: undefined,
    })),
  );
};

/**
 * Stores chunks under a new key as a blob that nobody owns yet, and answers its size. A step takes it as its own by deleting the
 * row; if none does in that time, the sweep deletes the blob. Leaves nothing where it throws.
 */
export const storePendingBlob = async (
  engine: Engine,
  blobKey: string,
  chunks: AsyncIterable<Uint8Array>,
  keptMs: number = engine.limits.pendingBlobMs,
): Promise<number> => {
  await announce(engine, blobKey, keptMs);
  try {
    return await engine.storage.blobs.putStream(blobKey, chunks);
  } catch (cause) {
    // The first error is the one that tells; what cannot be removed now is the sweep's.
    await removePendingBlob(engine, blobKey).catch(() => undefined);
    throw cause;
  }
};

/** Deletes a blob that nobody took as his own; one that was taken stays. */
export const dropPendingBlob = async (engine: Engine, blobKey: string): Promise<void> => {
  const records = await engine.storage.read([keyOf(blobKey)]);
  if (records.get('pendingBlob', blobKey) !== undefined) await removePendingBlob(engine, blobKey);
};

/** Clears one away whose time has come. The claim on its row keeps everybody else from taking it. */
export const sweepPendingBlob = async (engine: Engine, { id }: PendingBlobRecord): Promise<void> => {
  try {
    await removePendingBlob(engine, id);
  } catch (cause) {
    engine.logger.error('a blob that nobody owns could not be deleted', { key: id, cause });
  }
};

/** Reads a blob in chunks; throws where there is none. */
export async function* readBlob(engine: Engine, blobKey: string): AsyncGenerator<Uint8Array, void> {
  const blob = await engine.storage.blobs.getStream(blobKey);
  if (blob === undefined) throw new Error('the blob is gone');
  yield* blob.chunks;
}
