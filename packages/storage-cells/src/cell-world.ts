import { storageBusyCode, type Decide, type Key, type TableName } from '@tollgate/storage';
import type { CellFinder } from './cell-finder.ts';
import type { Cell } from './cell.ts';
import { sendFenced } from './fenced-step.ts';
import { accountMoving, movesKey, movesOf, type CellMove } from './moves-record.ts';
import { unlearnedTables } from './unlearned-tables.ts';

/** What steps and questions of all kinds need to come to the cell where their account is. */
export interface CellWorld {
  readonly cells: readonly [Cell, ...Cell[]];
  readonly finder: CellFinder;
  readonly newId: () => string;
  /** Told of a move whose process has had its time, or that only has to be brought to its end. */
  readonly onStalled: (cell: Cell, move: CellMove) => void;
}

/** Where something belongs, looked up again after an account has left a cell. */
export interface Target {
  readonly accountId: string | null;
  readonly cellOf: () => Cell | Promise<Cell>;
}

/** Looks for the right cell at the most: an account that changes it more often meanwhile is refused as busy. */
const looksMax = 8;

export const targetOfAccount = ({ finder }: Pick<CellWorld, 'finder'>, accountId: string): Target => ({
  accountId,
  cellOf: () => finder.ofAccount(accountId),
});

/** Remembers a record, unless accounts have left the cell since it was seen. */
export const learnAt = ({ finder }: Pick<CellWorld, 'finder'>, key: Key, cell: Cell, epoch: number): void => {
  if (finder.directory.epochOf(cell) === epoch) finder.known.learn(key.table, key.id, cell);
};

const isBusy = (cause: unknown): boolean => cause instanceof Error && 'code' in cause && cause.code === storageBusyCode;

/** Whether the account of a cell that is away was moved to another one, which that one tells. */
const isElsewhere = async ({ finder }: CellWorld, cell: Cell, target: Target, cause: unknown): Promise<boolean> => {
  if (target.accountId === null || !cell.isResting() || !isBusy(cause)) return false;
  await finder.directory.loadOthers(cell);
  return (await target.cellOf()) !== cell;
};

/** What one look came to. */
type Looked<T> = { readonly answer: T } | 'stale';

/** The cell of a target; null where its records seemed to be in two cells because an account left one of them meanwhile. */
const findCell = ({ finder }: CellWorld, target: Target): Cell | Promise<Cell | null> => {
  const version = finder.directory.version();
  const found = target.cellOf();
  if (!(found instanceof Promise)) return found;
  return found.catch((cause: unknown) => {
    if (finder.directory.version() === version) throw cause;
    return null;
  });
};

/** Asks the cell of a target, and another one where the account has left it. What fails with `storage_busy` did nothing. */
const atItsCell = async <T>(world: CellWorld, target: Target, ask: (cell: Cell) => Promise<Looked<T>>): Promise<T> => {
  for (let looks = 0; looks < looksMax; looks += 1) {
    const found = findCell(world, target);
    const cell = found instanceof Promise ? await found : found;
    if (cell === null) continue;
    try {
      const looked = await ask(cell);
      if (looked !== 'stale') return looked.answer;
      await world.finder.directory.load(cell);
    } catch (cause) {
      if (!(await isElsewhere(world, cell, target, cause))) throw cause;
    }
  }
  throw accountMoving(target.accountId ?? 'of these records');
};

const isLearned = (table: TableName): boolean => !unlearnedTables.has(table);

/** Carries a step out on its cell, and remembers the records that it made there once they are durable. */
export const transactAt = <T>(world: CellWorld, target: Target, keys: readonly Key[], decide: Decide<T>): Promise<T> =>
  atItsCell(world, target, async (cell) => {
    const { accountId } = target;
    const epoch = world.finder.directory.epochOf(cell);
    const outcome = await sendFenced({ cell, epoch, accountId, keys, decide }, world.newId);
    if (outcome.kind === 'stale') return 'stale';
    if (outcome.kind === 'moving') {
      if (outcome.isOver || outcome.move.state === 'arriving') world.onStalled(cell, outcome.move);
      throw accountMoving(outcome.move.accountId);
    }
    for (const write of outcome.writes)
      if (write.kind === 'put' && isLearned(write.table))
        learnAt(world, { table: write.table, id: write.record.id }, cell, outcome.epoch);
    return { answer: outcome.answer };
  });

/**
 * Asks the cell of a target, and then whether its accounts are still there: rows are deleted only after an account was known to have
 * left, so what was read before that is whole.
 */
export const askAt = <T>(world: CellWorld, target: Target, ask: (cell: Cell) => Promise<T>): Promise<T> =>
  atItsCell(world, target, async (cell) => {
    const answer = await ask(cell);
    const { epoch } = movesOf(await cell.storage.read([movesKey]));
    return epoch === world.finder.directory.epochOf(cell) ? { answer } : 'stale';
  });

/** Reads records of one account, in one snapshot with what tells whether it is there. */
export const readAt = (world: CellWorld, target: Target, keys: readonly Key[]) =>
  atItsCell(world, target, async (cell) => {
    const records = await cell.storage.read([...keys, movesKey]);
    return movesOf(records).epoch === world.finder.directory.epochOf(cell) ? { answer: records } : 'stale';
  });
