import type { PendingBlobRecord } from '@tollgate/storage';
import type { Engine } from '../engine.ts';
import type { LineIds } from '../ports/line-ids.ts';
import { commit, commitOnce } from './persist.ts';

const keyOf = (blobKey: string) => ({ table: 'pendingBlob', id: blobKey }) as const;

const announce = (engine: Engine, blobKey: string, keptMs: number): Promise<PendingBlobRecord> =>
  commitOnce(engine, {
    keys: [keyOf(blobKey)],
    decide: (records, nowMs) => {
      const before = records.get('pendingBlob', blobKey)?.dueAtMs ?? 0;
      // The time distinguishes one announcement from the next.
      const record: PendingBlobRecord = { id: blobKey, owner: null, dueAtMs: Math.max(nowMs + keptMs, before + 1) };
      return { writes: [{ kind: 'put', table: 'pendingBlob', record }], answer: record };
    },
  });

/** Deletes the blob and then what says that it is there, in this order: a death between leaves the row to the sweep. */
export const removePendingBlob = async (engine: Engine, blobKey: string): Promise<void> => {
  await engine.storage.blobs.delete(blobKey);
  await commit(engine, {
    keys: [keyOf(blobKey)],
    decide: (records) => ({
      writes: records.get('pendingBlob', blobKey) === undefined ? [] : [{ kind: 'delete', ...keyOf(blobKey) }],
      answer: undefined,
    }),
  });
};

/** The same for a blob as it was announced: where another caller announced it again meanwhile, the row stays for that caller. */
const removeAnnounced = async (engine: Engine, { id, owner, dueAtMs }: PendingBlobRecord): Promise<void> => {
  await engine.storage.blobs.delete(id);
  await commit(engine, {
    keys: [keyOf(id)],
    decide: (records) => {
      const row = records.get('pendingBlob', id);
      const isSame = row?.owner === owner && row.dueAtMs === dueAtMs;
      return { writes: isSame ? [{ kind: 'delete', ...keyOf(id) }] : [], answer: undefined };
    },
  });
};

/**
 * Stores chunks under a new key as a blob without an owner, and returns its size. A step takes it as its own by deleting the
 * row; if none does in that time, the sweep deletes the blob. Leaves nothing where it throws.
 */
export const storePendingBlob = async (
  engine: Engine,
  blobKey: string,
  chunks: AsyncIterable<Uint8Array>,
  keptMs: number = engine.limits.pendingBlobMs,
): Promise<number> => {
  const announced = await announce(engine, blobKey, keptMs);
  try {
    return await engine.storage.blobs.putStream(blobKey, chunks);
  } catch (cause) {
    // The first error is the one that tells; what cannot be removed now is the sweep's.
    await removeAnnounced(engine, announced).catch(() => undefined);
    throw cause;
  }
};

/**
 * The same under a key that may be stored again, or dropped, while this goes on. Announced once more afterwards, so that the caller that
 * drops it between leaves no bytes without a row.
 */
export const storeSharedBlob = async (
  engine: Engine,
  blobKey: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<number> => {
  const sizeBytes = await storePendingBlob(engine, blobKey, chunks);
  await announce(engine, blobKey, engine.limits.pendingBlobMs);
  return sizeBytes;
};

/** Deletes a blob without an owner; one that was taken stays. */
export const dropPendingBlob = async (engine: Engine, blobKey: string): Promise<void> => {
  const announced = (await engine.storage.read([keyOf(blobKey)])).get('pendingBlob', blobKey);
  if (announced !== undefined) await removeAnnounced(engine, announced);
};

/** Takes what kept a blob from being deleted: it does no harm, since the sweep deletes it in its time. */
export const leftToSweep =
  ({ logger }: Pick<Engine, 'logger'>, key: string, ids: LineIds) =>
  (cause: unknown): void =>
    logger.warn('a blob was left to the sweep', { ...ids, key, cause });

/** The same where nothing waits for it: does not throw. */
export const discardBlob = (engine: Engine, blobKey: string, ids: LineIds): Promise<void> =>
  dropPendingBlob(engine, blobKey).catch(leftToSweep(engine, blobKey, ids));

/** Clears one away whose time has come. The claim on its row keeps everybody else from taking it. */
export const sweepPendingBlob = async (engine: Engine, claimed: PendingBlobRecord): Promise<void> => {
  try {
    await removeAnnounced(engine, claimed);
  } catch (cause) {
    engine.logger.error('an ownerless blob could not be deleted', { key: claimed.id, cause });
  }
};

/** Reads a blob in chunks; throws where there is none. */
export async function* readBlob(engine: Engine, blobKey: string): AsyncGenerator<Uint8Array, void> {
  const blob = await engine.storage.blobs.getStream(blobKey);
  if (blob === undefined) throw new Error('the blob is gone');
  yield* blob.chunks;
}
