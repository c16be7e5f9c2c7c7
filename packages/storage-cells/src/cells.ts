import { checkScan, listRowsMax, type Key, type Storage, type StorageCells } from '@tollgate/storage';
import { accountView } from './account-view.ts';
import { createCellFinder, type CellFinder } from './cell-finder.ts';
import { onCell, type Cell } from './cell.ts';
import { cellsBlobs } from './cells-blobs.ts';
import { readCells, type CellsOptions } from './cells-options.ts';
import { cellsVectors } from './cells-vectors.ts';
import { createClaims } from './claim-in-turn.ts';
import { areShared, ownerKeyOf } from './key-families.ts';
import { transactOn } from './learn-writes.ts';
import { mergePages, mergeScans } from './merge-pages.ts';
import { mergeSums } from './merge-sums.ts';
import { readCellsRecords } from './read-cells.ts';
import { createSharedRecords, type SharedRecords } from './shared-records.ts';
import { waitForCalls } from './wait-for-calls.ts';

const checkLimit = (limit: number): void => {
  if (!Number.isInteger(limit) || limit < 1 || limit > listRowsMax)
    throw new RangeError(`a limit is 1 to ${listRowsMax}: ${limit}`);
};

/** Each group is one step's worth of keys: those of one cell, or one whose cell is unknown now. */
const splitKeys = async (finder: CellFinder, keys: readonly Key[]): Promise<readonly (readonly Key[])[]> => {
  const groups = new Map<Cell, Key[]>();
  const alone: Key[][] = [];
  const place = async (key: Key): Promise<void> => {
    try {
      const cell = await finder.ofStep([key]);
      const group = groups.get(cell);
      if (group === undefined) groups.set(cell, [key]);
      else group.push(key);
    } catch {
      alone.push([key]);
    }
  };
  await Promise.all(keys.map(place));
  return [...groups.values(), ...alone];
};

const steps = (finder: CellFinder, shared: SharedRecords): Pick<Storage, 'transact' | 'read'> => ({
  transact: async (keys, decide) =>
    areShared(keys)
      ? shared.transact(keys, decide)
      : onCell(finder.ofStep(keys), (cell) => transactOn(cell, finder.known, keys, decide)),
  read: async (keys) => {
    if (areShared(keys)) return shared.read(keys);
    return readCellsRecords(await finder.ofRead(keys), keys, finder.known);
  },
});

const queries = (
  cells: readonly [Cell, ...Cell[]],
  finder: CellFinder,
  shared: SharedRecords,
): Pick<Storage, 'list' | 'scan' | 'sumUsage'> => ({
  list: async (index, query) => {
    checkLimit(query.limit);
    if (index === 'tariffs') return shared.onFirst(({ storage }) => storage.list(index, query));
    const owner = ownerKeyOf(index, query.of);
    const cell = owner === null ? null : await finder.ofRecord(owner);
    return cell === null ? mergePages(cells, index, query) : cell.storage.list(index, query);
  },
  scan: async (table, query) => {
    checkScan(table, query);
    return mergeScans(cells, table, query);
  },
  sumUsage: async (query) => {
    const { accountId } = query.where;
    return accountId === undefined
      ? mergeSums(cells, query)
      : onCell(finder.ofAccount(accountId), ({ storage }) => storage.sumUsage(query));
  },
});

/**
 * Several storages as one. An account, and everything that belongs to it, is in one of them; a step is carried out by the storage of
 * its account. A step with records of two accounts in two storages is refused with `cells_crossed`.
 */
export const cells = (options: CellsOptions): Storage => {
  const { cells: all, placement } = readCells(options);
  const finder = createCellFinder(placement);
  const shared = createSharedRecords(all);
  const claim = createClaims(all, finder.known);
  const parts: StorageCells = {
    of: (accountId) => accountView(whole, finder, accountId),
    all: all.map(({ storage }) => storage),
    split: (keys) => splitKeys(finder, keys),
  };
  const calls = waitForCalls({
    ...steps(finder, shared),
    ...queries(all, finder, shared),
    claim: async (query) => {
      checkLimit(query.limit);
      return claim(query);
    },
  });
  const whole: Storage = {
    ...calls,
    blobs: cellsBlobs(all, finder),
    vectors: cellsVectors(all, finder),
    close: async () => {
      await calls.close();
      await shared.idle();
      await Promise.all(all.map(({ storage }) => storage.close()));
    },
    cells: parts,
  };
  return whole;
};
