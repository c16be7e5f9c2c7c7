import { randomUUID } from 'node:crypto';
import { blobChunkBytes } from './blob-chunks.ts';
import type { BlobRange } from './blob-store.ts';
import { regroupChunks } from './regroup-chunks.ts';

/** Bytes of one row of a blob that comes in chunks: as much as a statement should carry, and few commits. */
export const blobPartBytes = 524_288;

/** The rows of one blob that comes in chunks. */
export interface BlobParts {
  /** Commits one row. It may be sent again after a connection was lost. */
  put(upload: string, seq: number, bytes: Uint8Array): Promise<unknown>;
  /** Puts an upload in place, and removes what was there before; false where the blob was deleted since the upload began. */
  place(upload: string, sizeBytes: number): Promise<boolean>;
  /** Removes the rows of an upload that is not in place. */
  drop(upload: string): Promise<unknown>;
}

/** Rows of parts first, each committed alone; the blob is seen when its own row names them. Returns its size. */
export const putBlobParts = async (parts: BlobParts, chunks: AsyncIterable<Uint8Array>): Promise<number> => {
  const upload = randomUUID();
  let [sizeBytes, seq] = [0, 0];
  try {
    for await (const part of regroupChunks(chunks, blobPartBytes)) {
      await parts.put(upload, seq, part);
      sizeBytes += part.length;
      seq += 1;
    }
    if (!(await parts.place(upload, sizeBytes))) throw new Error('the blob was deleted while it was written');
  } catch (cause) {
    // Where this fails too, the rows are there until the key is deleted; the first error is the one that tells.
    await parts.drop(upload).catch(() => undefined);
    throw cause;
  }
  return sizeBytes;
};

/** Reads some bytes of a row; null where it is gone. */
export type SlicePart = (seq: number, fromByte: number, bytes: number) => Promise<Uint8Array | null>;

/** The bytes of a range, from rows of `partBytes` each. One slice a chunk: what is not asked for is not fetched. */
export async function* readBlobParts(
  slice: SlicePart,
  { fromByte, toByte }: Required<BlobRange>,
  partBytes = blobPartBytes,
): AsyncGenerator<Uint8Array> {
  for (let at = fromByte; at < toByte;) {
    const bytes = Math.min(blobChunkBytes, partBytes - (at % partBytes), toByte - at);
    const chunk = await slice(Math.floor(at / partBytes), at % partBytes, bytes);
    if (chunk?.length !== bytes) throw new Error('the blob was deleted or replaced');
    yield chunk;
    at += bytes;
  }
}
