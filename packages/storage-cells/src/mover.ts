import { listRowsMax, storageBusyCode } from '@tollgate/storage';
import { rowsToClear } from './account-rows.ts';
import { keysOf } from './account-of-records.ts';
import type { CellWorld } from './cell-world.ts';
import { cellsOfAccount } from './earlier-cells.ts';
import type { Cell } from './cell.ts';
import { copyAccount, copyLogged, type MoveCells } from './copy-account.ts';
import { logPrefix } from './fenced-step.ts';
import {
  arriveMove,
  beginEmptying,
  beginMove,
  clearLog,
  clearRecords,
  closeAccount,
  decideMove,
  endMove,
  expectMove,
  giveUpMove,
  isMoveOver,
  renewMove,
  type Begun,
} from './move-steps.ts';
import { cellMovesMax, movesKey, movesOf, type CellMove } from './moves-record.ts';

/** Moves of accounts between the cells of a storage. */
export interface AccountMoves {
  /**
   * Moves an account to the cell of this name while it is served; false where it is there already. Its steps are refused with
   * `storage_busy` for less than a second. Rejects where it stays where it was. A move whose process dies is taken back, or brought to
   * its end, by the other processes.
   */
  readonly moveAccount: (accountId: string, to: string) => Promise<boolean>;
  /** The name of the cell in which an account is, or in which it would be where there is none under the id. */
  readonly cellOfAccount: (accountId: string) => Promise<string>;
  /**
   * Moves that are not at their end, one entry for each: as the cell knows it that the account leaves, or as the other one does where
   * that cell has ended its part. Rejects while a cell is away, with its name.
   */
  readonly moves: () => Promise<readonly CellMove[]>;
}

export interface Mover extends AccountMoves {
  /** Brings a move to its end whose process is dead, or that only has to be ended; in the background. */
  readonly onStalled: CellWorld['onStalled'];
  /** Looks for such moves, now and then. */
  settleStalled(): void;
  /** Waits for what is done in the background. */
  idle(): Promise<void>;
}

export type MoverOptions = Pick<CellWorld, 'cells' | 'finder' | 'newId'> & { readonly monotonicMs: () => number };

/** How often a process looks for moves that no process carries on. */
const lookEveryMs = 10_000;

/** Drains of the log before the account is closed, at the most: a busy account logs as fast as it is copied. */
const drainsMax = 100;

/** How often a move is begun again because another one was found and settled. */
const beginsMax = 5;

const drain = async (cells: MoveCells, move: CellMove): Promise<void> => {
  for (let drains = 0; drains < drainsMax; drains += 1) {
    if ((await copyLogged(cells, move)) < listRowsMax) return;
    await renewMove(cells.from, move);
  }
};

/** Copies the account and moves it over. */
const carryOver = async (cells: MoveCells, move: CellMove): Promise<void> => {
  const { from, to } = cells;
  if (!(await expectMove(to, move))) throw new Error(`${to.name} is not ready for the account ${move.accountId}`);
  await copyAccount(cells, move);
  await drain(cells, move);
  await closeAccount(from, move);
  while ((await copyLogged(cells, move)) > 0);
  await decideMove(from, move);
};

/** Deletes, page by page, what lies of the account in a cell where it does not count. */
const clearAccount = async (cell: Cell, move: CellMove): Promise<void> => {
  for await (const { table, rows } of rowsToClear(cell.storage, move.accountId))
    await clearRecords(cell, move, keysOf(table, rows));
};

const clearLogs = async (cell: Cell, move: CellMove): Promise<void> => {
  for (;;) {
    const log = await cell.storage.list('moveLogByAccount', { of: move.accountId, limit: listRowsMax });
    const own = log.filter(({ id }) => id.startsWith(logPrefix(move.id)));
    if (own.length === 0) return;
    await clearLog(
      cell,
      own.map(({ id }) => id),
    );
  }
};

/** What is left to do once a move is decided. Every part may be repeated. */
const finish = async ({ from, to }: MoveCells, move: CellMove): Promise<void> => {
  await arriveMove(to, move);
  await clearAccount(from, move);
  await clearLogs(from, move);
  await endMove(from, move);
};

/** What is left to do once a move was given up. Every part may be repeated. */
const empty = async ({ from, to }: MoveCells, move: CellMove): Promise<void> => {
  if (await beginEmptying(to, move)) {
    await clearAccount(to, move);
    await endMove(to, move);
  }
  await clearLogs(from, move);
};

/** Another process may bring the same move to its end at the same time. */
const unlessOver = (ending: Promise<void>): Promise<void> =>
  ending.catch((cause: unknown) => {
    if (!isMoveOver(cause)) throw cause;
  });

/** Brings a move to an end, if no process carries it on: back before it was decided, else forward. */
const settle = async (cells: MoveCells, move: CellMove, isOwn: boolean): Promise<'moved' | 'stayed' | 'under way'> => {
  const state = await giveUpMove(cells.from, move, isOwn);
  if (state === 'under way') return state;
  await unlessOver(state === 'decided' ? finish(cells, move) : empty(cells, move));
  return state === 'decided' ? 'moved' : 'stayed';
};

const refusalOf = (begun: Exclude<Begun, { readonly kind: 'begun' }>, accountId: string, from: Cell): Error => {
  const refused = (why: string, code: string) => Object.assign(new Error(`account ${accountId} ${why}`), { code });
  if (begun.kind === 'absent') return refused('is in no cell', 'not_found');
  if (begun.kind === 'full') return refused(`waits: ${from.name} has ${cellMovesMax} moves`, storageBusyCode);
  return refused('is moved by another process', storageBusyCode);
};

/** The code with which a name is refused that no cell has. */
export const cellUnknownCode = 'cell_unknown';

/** The cells of a move by their names. */
const createCellsOf = ({ cells }: Pick<MoverOptions, 'cells'>) => {
  const byName = new Map(cells.map((cell) => [cell.name, cell]));
  const cellOf = (name: string): Cell => {
    const cell = byName.get(name);
    if (cell === undefined)
      throw Object.assign(
        new RangeError(`there is no cell ${JSON.stringify(name)}; accepted are ${[...byName.keys()].join(', ')}`),
        { code: cellUnknownCode },
      );
    return cell;
  };
  return { cellOf, cellsOf: ({ from, to }: CellMove): MoveCells => ({ from: cellOf(from), to: cellOf(to) }) };
};

const createMoveAccount = ({ finder, newId }: MoverOptions, { cellOf, cellsOf }: ReturnType<typeof createCellsOf>) => {
  const { directory } = finder;
  const carry = async (cells: MoveCells, move: CellMove): Promise<void> => {
    try {
      await carryOver(cells, move);
    } catch (cause) {
      // The answer to the decision may have been lost; the cell that the account was to leave knows.
      const end = await settle(cells, move, true).catch(() => 'unknown');
      if (end !== 'moved') throw cause;
    }
    await directory.load(cells.from);
    await unlessOver(finish(cells, move));
    await directory.load(cells.to);
  };
  return async (accountId: string, name: string): Promise<boolean> => {
    const to = cellOf(name);
    for (let begins = 0; begins < beginsMax; begins += 1) {
      const from = await finder.ofAccount(accountId);
      await directory.load(from);
      if ((await finder.ofAccount(accountId)) !== from) continue;
      if (from === to) return false;
      const begun = await beginMove(from, to, accountId, newId());
      if (begun.kind === 'begun') {
        await carry({ from, to }, begun.move);
        return true;
      }
      if (begun.kind === 'elsewhere') continue;
      if (begun.kind !== 'busy') throw refusalOf(begun, accountId, from);
      const end = await settle(cellsOf(begun.move), begun.move, false);
      if (end === 'under way') throw refusalOf(begun, accountId, from);
    }
    throw refusalOf({ kind: 'full' }, accountId, to);
  };
};

const movesIn = async (cell: Cell): Promise<readonly CellMove[]> => movesOf(await cell.storage.read([movesKey])).moves;

/** Whether it is the cell that the account leaves that knows the move so: the other one only knows that the account is to come. */
const isOfSource = ({ state }: CellMove): boolean => state !== 'arriving' && state !== 'emptying';

const movesOfAll = async (cells: readonly Cell[]): Promise<readonly CellMove[]> => {
  const found = (await Promise.all(cells.map(movesIn))).flat();
  const ofSources = new Set(found.filter(isOfSource).map(({ id }) => id));
  return found.filter((move) => isOfSource(move) || !ofSources.has(move.id));
};

export const createMover = (options: MoverOptions): Mover => {
  const { cells, monotonicMs } = options;
  const named = createCellsOf(options);
  const settling = new Map<string, Promise<void>>();
  let lookedAtMs: number | null = null;
  const inBackground = (id: string, work: () => Promise<unknown>): void => {
    if (settling.has(id)) return;
    // What cannot be done now is tried again by the next process that meets it.
    const working = work().then(
      () => undefined,
      () => undefined,
    );
    settling.set(id, working);
    void working.then(() => settling.delete(id));
  };
  const onStalled = (_: Cell, move: CellMove): void =>
    inBackground(move.id, () => settle(named.cellsOf(move), move, false));
  const movesThatRespond = async (): Promise<readonly CellMove[]> => {
    const found = await Promise.allSettled(cells.map(movesIn));
    return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  };
  return {
    moveAccount: createMoveAccount(options, named),
    cellOfAccount: async (accountId) => (await cellsOfAccount(options, accountId))[0].name,
    moves: () => movesOfAll(cells),
    onStalled,
    settleStalled: () => {
      const nowMs = monotonicMs();
      if (lookedAtMs !== null && nowMs - lookedAtMs < lookEveryMs) return;
      lookedAtMs = nowMs;
      inBackground('', async () => {
        for (const move of await movesThatRespond()) await settle(named.cellsOf(move), move, false);
      });
    },
    idle: async () => void (await Promise.all(settling.values())),
  };
};
