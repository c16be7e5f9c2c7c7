import { gatherChunks, isBlobKey, streamOf, type BlobStore } from '@tollgate/storage';

const checked = (key: string): string => {
  if (!isBlobKey(key)) throw new Error('not a blob key');
  return key;
};

/** Blobs beside a database in memory. Bytes are copied on the way in and out. */
export const memoryBlobs = (): BlobStore => {
  const blobs = new Map<string, Uint8Array>();
  return {
    put: async (key, bytes) => void blobs.set(checked(key), Uint8Array.from(bytes)),
    get: async (key) => {
      const bytes = blobs.get(checked(key));
      return bytes === undefined ? undefined : Uint8Array.from(bytes);
    },
    putStream: async (key, chunks) => {
      const place = checked(key);
      const bytes = await gatherChunks(chunks);
      blobs.set(place, bytes);
      return bytes.length;
    },
    getStream: async (key, range) => {
      const bytes = blobs.get(checked(key));
      return bytes === undefined ? undefined : streamOf(bytes, range);
    },
    delete: async (key) => void blobs.delete(checked(key)),
  };
};
