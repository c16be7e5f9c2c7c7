import { rangeWithin } from './blob-range.ts';
import type { BlobRange, BlobStream } from './blob-store.ts';

/** Bytes of one chunk of a blob, where a store is free to choose. */
export const blobChunkBytes = 65_536;

/** Bytes that are at hand, as a source of chunks. */
export async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}

/** Takes chunks in and answers them as one, each copied when it comes. */
export const gatherChunks = async (chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
  const copies: Uint8Array[] = [];
  for await (const chunk of chunks) copies.push(Uint8Array.from(chunk));
  return Uint8Array.from(Buffer.concat(copies));
};

async function* copiesOf(bytes: Uint8Array, { fromByte, toByte }: Required<BlobRange>): AsyncGenerator<Uint8Array> {
  for (let at = fromByte; at < toByte; at += blobChunkBytes)
    yield bytes.slice(at, Math.min(at + blobChunkBytes, toByte));
}

/** A blob in memory as a stream of copies. */
export const streamOf = (bytes: Uint8Array, range?: BlobRange): BlobStream => ({
  sizeBytes: bytes.length,
  chunks: copiesOf(bytes, rangeWithin(bytes.length, range)),
});
