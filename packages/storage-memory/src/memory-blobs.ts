import { gatherChunks, isBlobKey, streamOf, type BlobStore } from '@tollgate/storage';

/** Blobs in a map. Bytes are copied on the way in and out. `guard` throws where the store may not be used. */
export const memoryBlobs = (blobs: Map<string, Uint8Array>, guard: () => void): BlobStore => {
  const check = (key: string): void => {
    guard();
    if (!isBlobKey(key)) throw new Error('not a blob key');
  };
  return {
    put: async (key, bytes) => {
      check(key);
      blobs.set(key, Uint8Array.from(bytes));
    },
    get: async (key) => {
      check(key);
      const bytes = blobs.get(key);
      return bytes === undefined ? undefined : Uint8Array.from(bytes);
    },
    putStream: async (key, chunks) => {
      check(key);
      const bytes = await gatherChunks(chunks);
      check(key);
      blobs.set(key, bytes);
      return bytes.length;
    },
    getStream: async (key, range) => {
      check(key);
      const bytes = blobs.get(key);
      return bytes === undefined ? undefined : streamOf(bytes, range);
    },
    delete: async (key) => {
      check(key);
      blobs.delete(key);
    },
  };
};
