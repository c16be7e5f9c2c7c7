import type { BlobStore, VectorIndex } from '@tollgate/storage';
import { askAt, targetOfAccount, type CellWorld } from './cell-world.ts';
import { firstFound } from './cells-blobs.ts';
import { nearestOf } from './cells-vectors.ts';
import { cellsOfAccount } from './earlier-cells.ts';

/** The blobs of an account: new ones in its cell, and the old ones wherever it was when they were put. */
export const accountBlobs = (world: CellWorld, accountId: string): BlobStore => {
  const target = targetOfAccount(world, accountId);
  /** Only where the cell of the account has none are those asked that it has left. */
  const find = async <T>(ask: (blobs: BlobStore) => Promise<T | undefined>): Promise<T | undefined> => {
    const cell = await target.cellOf();
    const found = await ask(cell.storage.blobs);
    if (found !== undefined) return found;
    const all = await cellsOfAccount(world, accountId);
    return all.length === 1 && all[0] === cell ? undefined : firstFound(all, ({ storage }) => ask(storage.blobs));
  };
  return {
    put: async (key, bytes) => (await target.cellOf()).storage.blobs.put(key, bytes),
    putStream: async (key, chunks) => (await target.cellOf()).storage.blobs.putStream(key, chunks),
    get: (key) => find((blobs) => blobs.get(key)),
    getStream: (key, range) => find((blobs) => blobs.getStream(key, range)),
    delete: async (key) => {
      const all = await cellsOfAccount(world, accountId);
      await Promise.all(all.map(({ storage }) => storage.blobs.delete(key)));
    },
  };
};

/** The vectors of an account, likewise. */
export const accountVectors = (world: CellWorld, accountId: string): VectorIndex => ({
  put: (chunks) => askAt(world, targetOfAccount(world, accountId), ({ storage }) => storage.vectors.put(chunks)),
  search: async (query) => {
    const all = await cellsOfAccount(world, accountId);
    const found = await Promise.all(all.map(({ storage }) => storage.vectors.search(query)));
    return found.length === 1 ? (found[0] ?? []) : nearestOf(found.flat(), query.limit);
  },
  remove: async (documentId) => {
    const all = await cellsOfAccount(world, accountId);
    await Promise.all(all.map(({ storage }) => storage.vectors.remove(documentId)));
  },
});
