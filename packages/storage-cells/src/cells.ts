import { listRowsMax, type Decide, type Key, type Storage, type StorageCells } from '@tollgate/storage';
import { accountView } from './account-view.ts';
import { createCellFinder, type CellFinder } from './cell-finder.ts';
import { askAt, targetOfAccount, transactAt, type CellWorld, type Target } from './cell-world.ts';
import type { Cell } from './cell.ts';
import { cellsBlobs } from './cells-blobs.ts';
import { readCells, type CellsOptions } from './cells-options.ts';
import { cellsVectors } from './cells-vectors.ts';
import { createClaims } from './claim-in-turn.ts';
import { areShared, isOfAccount, ownerKeyOf } from './key-families.ts';
import { mergePages, mergeScans } from './merge-pages.ts';
import { mergeSums } from './merge-sums.ts';
import { createMover, type AccountMoves } from './mover.ts';
import { accountMoving, movesKey, movesOf, type CellMove } from './moves-record.ts';
import { readCellsRecords } from './read-cells.ts';
import { createSharedRecords, type SharedRecords } from './shared-records.ts';
import { createSteadyView } from './steady-view.ts';
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

/** Steps and reads whose place their keys tell. */
const targetOfKeys = ({ finder }: CellWorld, keys: readonly Key[]): Target => {
  const [first] = keys;
  const accountId = first !== undefined && keys.every(({ table, id }) => isOfAccount(table) && id === first.id);
  return { accountId: accountId ? first.id : null, cellOf: () => finder.ofStep(keys) };
};

const steps = (world: CellWorld, shared: SharedRecords): Pick<Storage, 'transact' | 'read'> => ({
  transact: async (keys, decide) =>
    areShared(keys) ? shared.transact(keys, decide) : transactAt(world, targetOfKeys(world, keys), keys, decide),
  read: async (keys) => (areShared(keys) ? shared.read(keys) : readCellsRecords(world, keys)),
});

const queries = (world: CellWorld, shared: SharedRecords): Pick<Storage, 'list' | 'scan' | 'sumUsage'> => {
  const { cells, finder } = world;
  const view = createSteadyView(cells);
  return {
    list: async (index, query) => {
      checkLimit(query.limit);
      if (index === 'tariffs') return shared.onFirst(({ storage }) => storage.list(index, query));
      const owner = ownerKeyOf(index, query.of);
      const isFound = owner !== null && (await finder.ofRecord(owner)) !== null;
      return isFound
        ? askAt(world, targetOfKeys(world, [owner]), ({ storage }) => storage.list(index, query))
        : mergePages(view, index, query);
    },
    scan: (table, query) => mergeScans(view, table, query),
    sumUsage: async (query) => {
      const { accountId } = query.where;
      return accountId === undefined
        ? mergeSums(view, query)
        : askAt(world, targetOfAccount(world, accountId), ({ storage }) => storage.sumUsage(query));
    },
  };
};

type Unfenced<T> = { readonly kind: 'moving'; readonly move: CellMove } | { readonly kind: 'done'; readonly answer: T };

const whileNoneMoves = async <T>({ storage }: Cell, keys: readonly Key[], decide: Decide<T>): Promise<T> => {
  const outcome = await storage.transact<Unfenced<T>>([...keys, movesKey], (records, nowMs) => {
    const [move] = movesOf(records).moves;
    if (move !== undefined) return { writes: [], answer: { kind: 'moving', move } };
    const { writes, answer } = decide(records, nowMs);
    return { writes, answer: { kind: 'done', answer } };
  });
  if (outcome.kind === 'moving') throw accountMoving(outcome.move.accountId);
  return outcome.answer;
};

/** A cell for work that goes over the records of all its accounts: its steps are refused while one of them is between two cells. */
const wholeCell = (cell: Cell): Storage => ({
  ...cell.storage,
  transact: (keys, decide) => whileNoneMoves(cell, keys, decide),
});

/** Several storages as one, and the moves of accounts between them. */
export interface CellsStorage extends Storage, AccountMoves {
  readonly cells: StorageCells;
}

/**
 * Several storages as one. An account, and everything that belongs to it, is in one of them; a step is carried out by the storage of
 * its account. A step with records of two accounts in two storages is refused with `cells_crossed`.
 */
export const cells = (options: CellsOptions): CellsStorage => {
  const { cells: all, placement, checkStart } = readCells(options);
  const finder = createCellFinder(placement);
  const { newId = () => crypto.randomUUID(), monotonicMs = () => performance.now() } = options;
  const mover = createMover({ cells: all, finder, newId, monotonicMs });
  const world: CellWorld = { cells: all, finder, newId, onStalled: mover.onStalled };
  const shared = createSharedRecords(all, checkStart);
  const claim = createClaims(world);
  const parts: StorageCells = {
    of: (accountId) => accountView(whole, world, accountId),
    all: all.map(wholeCell),
    split: (keys) => splitKeys(finder, keys),
  };
  const calls = waitForCalls({
    ...steps(world, shared),
    ...queries(world, shared),
    claim: async (query) => {
      checkLimit(query.limit);
      mover.settleStalled();
      return claim(query);
    },
  });
  const whole: CellsStorage = {
    ...calls,
    blobs: cellsBlobs(all, finder),
    vectors: cellsVectors(all, finder),
    close: async () => {
      await calls.close();
      await mover.idle();
      await shared.idle();
      await Promise.all(all.map(({ storage }) => storage.close()));
    },
    cells: parts,
    moveAccount: mover.moveAccount,
    cellOfAccount: mover.cellOfAccount,
    moves: mover.moves,
  };
  return whole;
};
