import type { Storage } from '@tollgate/storage';

/** Opens a storage of which a process can do without at its start. */
export type OpenCell = () => Storage | Promise<Storage>;

/**
 * A storage that is opened when it is first asked. An opening that fails rejects what asked, and the next call opens again, so that a
 * cell that is away keeps no process from starting.
 */
export const openWhenAsked = (open: OpenCell): Storage => {
  let opening: Promise<Storage> | null = null;
  let isClosed = false;
  const opened = (): Promise<Storage> => {
    if (isClosed) return Promise.reject(new Error('the storage is closed'));
    if (opening !== null) return opening;
    const begun = Promise.resolve().then(open);
    opening = begun;
    begun.catch(() => {
      opening = null;
    });
    return begun;
  };
  return {
    transact: async (keys, decide) => (await opened()).transact(keys, decide),
    read: async (keys) => (await opened()).read(keys),
    list: async (index, query) => (await opened()).list(index, query),
    scan: async (table, query) => (await opened()).scan(table, query),
    claim: async (query) => (await opened()).claim(query),
    sumUsage: async (query) => (await opened()).sumUsage(query),
    blobs: {
      put: async (key, bytes) => (await opened()).blobs.put(key, bytes),
      get: async (key) => (await opened()).blobs.get(key),
      putStream: async (key, chunks) => (await opened()).blobs.putStream(key, chunks),
      getStream: async (key, range) => (await opened()).blobs.getStream(key, range),
      delete: async (key) => (await opened()).blobs.delete(key),
    },
    vectors: {
      put: async (chunks) => (await opened()).vectors.put(chunks),
      search: async (query) => (await opened()).vectors.search(query),
      remove: async (documentId) => (await opened()).vectors.remove(documentId),
    },
    close: async () => {
      isClosed = true;
      const storage = await opening?.catch(() => null);
      await storage?.close();
    },
  };
};
