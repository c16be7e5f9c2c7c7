import { gatherChunks, streamOf } from './blob-chunks.ts';
import { isBlobKey } from './blob-key.ts';
import type { BlobStore } from './blob-store.ts';

/** Blobs in a map. Bytes are copied on the way in and out. `guard` throws where the store may not be used. */
export const memoryBlobs = (blobs = new Map<string, Uint8Array>(), guard: () => void = () => undefined): BlobStore => {
  const checked = (key: string): string => {
    guard();
    if (!isBlobKey(key)) throw new Error('not a blob key');
    return key;
  };
  return {
    put: async (key, bytes) => void blobs.set(checked(key), Uint8Array.from(bytes)),
    get: async (key) => {
      const bytes = blobs.get(checked(key));
      return bytes === undefined ? undefined : Uint8Array.from(bytes);
    },
    putStream: async (key, chunks) => {
      checked(key);
      const bytes = await gatherChunks(chunks);
      blobs.set(checked(key), bytes);
      return bytes.length;
    },
    getStream: async (key, range) => {
      const bytes = blobs.get(checked(key));
      return bytes === undefined ? undefined : streamOf(bytes, range);
    },
    delete: async (key) => void blobs.delete(checked(key)),
  };
};
