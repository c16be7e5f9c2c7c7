import { storageBusyCode, type Key, type Records, type Write } from '@tollgate/storage';

/** How far the move of an account is, in the cell that it leaves or in the one that it comes to. */
export type MoveState = 'copying' | 'leaving' | 'gone' | 'arriving' | 'emptying';

/** A move that is not at its end, as one of its two cells knows it. */
export interface CellMove {
  /** The same in both cells, and never used again. */
  readonly id: string;
  readonly accountId: string;
  readonly state: MoveState;
  readonly from: string;
  readonly to: string;
  /** How often the account was moved, this time included. */
  readonly serial: number;
  /** The cells in which it was before, this time included. */
  readonly earlier: readonly string[];
  /** By the clock of the cell: from then on another process may bring the move to an end. */
  readonly untilMs: number;
}

/** What every step of a cell reads: the moves that are not at their end, and how often accounts came or left. */
export interface CellMoves {
  /** Raised by every change after which a process may look for an account in the wrong cell. */
  readonly epoch: number;
  readonly moves: readonly CellMove[];
}

/** Moves at once in one cell: every step of the cell reads them. */
export const cellMovesMax = 16;

/** How often a question over all cells is asked because accounts came or went meanwhile, at the most. */
export const steadyTriesMax = 5;

export const movesKey = { table: 'setting', id: 'cells:moves' } as const satisfies Key;

const none: CellMoves = { epoch: 0, moves: [] };

/** Only `movesWrite` writes the row. */
const areMoves = (value: unknown): value is CellMoves =>
  typeof value === 'object' && value !== null && 'epoch' in value && 'moves' in value;

const parse = (text: string): CellMoves => {
  const value: unknown = JSON.parse(text);
  if (!areMoves(value)) throw new Error(`the row ${movesKey.id} holds no moves`);
  return value;
};

/** The row of moves as it is stored: equal while nothing came, went or began to. */
export const movesTextOf = (records: Records): string => records.get(movesKey.table, movesKey.id)?.value ?? '';

/** The moves of a cell, from records among which `movesKey` is. */
export const movesOf = (records: Records): CellMoves => {
  const text = movesTextOf(records);
  return text === '' ? none : parse(text);
};

export const movesWrite = (moves: CellMoves): Write => ({
  kind: 'put',
  table: movesKey.table,
  record: { id: movesKey.id, value: JSON.stringify(moves) },
});

/** The moves with one added, replaced or, where it is null, taken away. */
export const withMove = ({ epoch, moves }: CellMoves, id: string, move: CellMove | null): CellMoves => ({
  epoch,
  moves: [...moves.filter((one) => one.id !== id), ...(move === null ? [] : [move])],
});

/** Whether rows of the account in this cell are not those that count. */
export const isHidden = ({ state }: CellMove): boolean => state !== 'copying' && state !== 'leaving';

/** What is refused while an account is between two cells; nothing was done. */
export const accountMoving = (accountId: string): Error =>
  Object.assign(new Error(`the account ${accountId} is moving to another cell`), { code: storageBusyCode });
