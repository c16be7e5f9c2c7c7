import type { GeneratedMedia } from '@tollgate/provider';
import type { Engine } from '../engine.ts';
import { storePendingBlob } from '../operations/pending-blobs.ts';

/** Where one generated medium lies, and what of it is needed again. */
export interface KeptMedium {
  readonly blobKey: string;
  readonly mimeType: string;
  readonly sizeBytes: number;
  /** By which the upstream knows it again, or null. */
  readonly reference: string | null;
}

/** Bytes of one generated medium at the most: far more than any upstream makes. */
const mediumBytesMax = 2_147_483_648;

/** The chunks until the signal aborts, also where their source does not look at it. */
async function* untilAborted(chunks: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array, void> {
  const iterator = chunks[Symbol.asyncIterator]();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  aborted.catch(() => undefined);
  const giveUp = (): void => reject(new Error('the copy was given up'));
  if (signal.aborted) giveUp();
  signal.addEventListener('abort', giveUp);
  let sizeBytes = 0;
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), aborted]);
      if (next.done === true) return;
      sizeBytes += next.value.length;
      if (sizeBytes > mediumBytesMax) throw new Error('a generated medium is too large');
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', giveUp);
    // A reader that hangs in the middle is not waited for.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

/**
 * Copies what an upstream generated into the blob store, chunk by chunk, before it forgets it. The copy has no owner until a
 * step takes it, and lies under a key of its own: a worker that lost the work meanwhile can only remove its own copy.
 */
export const keepMedium = async (
  engine: Engine,
  folder: string,
  medium: GeneratedMedia,
  signal: AbortSignal,
): Promise<KeptMedium> => {
  const blobKey = `${folder}/${engine.newId()}`;
  const sizeBytes = await storePendingBlob(engine, blobKey, untilAborted(medium.read(), signal));
  return { blobKey, mimeType: medium.mimeType, sizeBytes, reference: medium.reference };
};
