import type { Key, Storage } from '@tollgate/storage';
import { accountBlobs, accountVectors } from './account-media.ts';
import type { CellFinder } from './cell-finder.ts';
import { askAt, readAt, targetOfAccount, transactAt, type CellWorld } from './cell-world.ts';
import { crossed, type Cell } from './cell.ts';
import { areShared, isOfAccount } from './key-families.ts';

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
export const accountView = (whole: Storage, world: CellWorld, accountId: string): Storage => {
  const target = targetOfAccount(world, accountId);
  /** Refuses keys of accounts of other cells. */
  const targetOf = (keys: readonly Key[]) => {
    const check = (cell: Cell): Cell => {
      const foreign = foreignKey(world.finder, cell, keys);
      if (foreign !== null) throw crossed({ key: { table: 'account', id: accountId }, cell }, foreign);
      return cell;
    };
    const cellOf = () => {
      const cell = target.cellOf();
      return cell instanceof Promise ? cell.then(check) : check(cell);
    };
    return { accountId, cellOf };
  };
  return {
    transact: (keys, decide) =>
      areShared(keys) ? whole.transact(keys, decide) : transactAt(world, targetOf(keys), keys, decide),
    read: (keys) => (areShared(keys) ? whole.read(keys) : readAt(world, target, keys)),
    list: (index, query) =>
      index === 'tariffs'
        ? whole.list(index, query)
        : askAt(world, target, ({ storage }) => storage.list(index, query)),
    scan: (table, query) => askAt(world, target, ({ storage }) => storage.scan(table, query)),
    claim: (query) => askAt(world, target, ({ storage }) => storage.claim(query)),
    sumUsage: (query) => askAt(world, target, ({ storage }) => storage.sumUsage(query)),
    blobs: accountBlobs(world, accountId),
    vectors: accountVectors(world, accountId),
    close: () => whole.close(),
    cells: whole.cells,
  };
};
