import type { Key, Storage } from '@tollgate/storage';
import { crossed, onCell, type Cell } from './cell.ts';
import type { CellFinder } from './cell-finder.ts';
import { areShared, isOfAccount } from './key-families.ts';
import { transactOn } from './learn-writes.ts';

/** The first key that belongs to an account of another cell. */
const foreignKey = (finder: CellFinder, own: Cell, keys: readonly Key[]): { key: Key; cell: Cell } | null => {
  for (const key of keys) {
    if (!isOfAccount(key.table)) continue;
    const cell = finder.ofAccount(key.id);
    if (!(cell instanceof Promise) && cell !== own) return { key, cell };
  }
  return null;
};

/** The storage as an account sees it: its cell, where a record of another account is not found. */
export const accountView = (whole: Storage, finder: CellFinder, accountId: string): Storage => {
  const on = <T>(run: (cell: Cell) => Promise<T>): Promise<T> => {
    const cell = finder.ofAccount(accountId);
    return onCell(cell, run);
  };
  return {
    transact: (keys, decide) =>
      areShared(keys)
        ? whole.transact(keys, decide)
        : on(async (cell) => {
            const foreign = foreignKey(finder, cell, keys);
            if (foreign !== null) throw crossed({ key: { table: 'account', id: accountId }, cell }, foreign);
            return transactOn(cell, finder.known, keys, decide);
          }),
    read: (keys) => (areShared(keys) ? whole.read(keys) : on(({ storage }) => storage.read(keys))),
    list: (index, query) =>
      index === 'tariffs' ? whole.list(index, query) : on(({ storage }) => storage.list(index, query)),
    scan: (table, query) => on(({ storage }) => storage.scan(table, query)),
    claim: (query) => on(({ storage }) => storage.claim(query)),
    sumUsage: (query) => on(({ storage }) => storage.sumUsage(query)),
    blobs: {
      put: (key, bytes) => on(({ storage }) => storage.blobs.put(key, bytes)),
      get: (key) => on(({ storage }) => storage.blobs.get(key)),
      putStream: (key, chunks) => on(({ storage }) => storage.blobs.putStream(key, chunks)),
      getStream: (key, range) => on(({ storage }) => storage.blobs.getStream(key, range)),
      delete: (key) => on(({ storage }) => storage.blobs.delete(key)),
    },
    vectors: {
      put: (chunks) => on(({ storage }) => storage.vectors.put(chunks)),
      search: (query) => on(({ storage }) => storage.vectors.search(query)),
      remove: (documentId) => on(({ storage }) => storage.vectors.remove(documentId)),
    },
    close: () => whole.close(),
    cells: whole.cells,
  };
};
