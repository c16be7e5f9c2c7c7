import type { Storage } from '@tollgate/storage';

/** A storage whose user takes charge of due operations and then does nothing more: a worker in the moment before it dies. */
export const stalling = (storage: Storage, onClaimed: (operationIds: readonly string[]) => void): Storage => ({
  ...storage,
  claim: async (query) => {
    const due = await storage.claim(query);
    if (query.table !== 'operation' || due.length === 0) return due;
    onClaimed(due.map(({ id }) => id));
    return new Promise(() => {});
  },
});
