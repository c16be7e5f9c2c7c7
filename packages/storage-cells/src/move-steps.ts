import type { Key, Records, TableName, Tables, Write } from '@tollgate/storage';
import { writeOf } from '@tollgate/storage';
import { accountMoving, cellMovesMax, movesKey, movesOf, movesWrite, withMove, type CellMove } from './moves-record.ts';
import { namedAccount } from './account-of-records.ts';
import type { Cell } from './cell.ts';
import { placeKey, placeOf, placeWrite } from './moved-place.ts';

/** How long a process may copy before another one takes the move for one whose process is dead; each page renews it. */
const copyLeaseMs = 10_000;

/** How long the steps of an account are refused at the most: then its move is taken back. */
const fenceMs = 1_000;

/** Thrown out of a move that another process has brought to its end, or taken back. */
class MoveOver extends Error {
  override readonly name = 'MoveOver';
}

/** The move as the cell knows it, where it is in one of these states. */
const moveIn = (records: Records, { id }: CellMove, states: readonly CellMove['state'][]): CellMove => {
  const move = movesOf(records).moves.find((one) => one.id === id);
  if (move === undefined || !states.includes(move.state))
    throw new MoveOver(`the move ${id} is ${move?.state ?? 'over'}`);
  return move;
};

const change = <T>(
  { storage }: Cell,
  keys: readonly Key[],
  decide: (records: Records, nowMs: number) => { readonly writes: readonly Write[]; readonly answer: T },
): Promise<T> => storage.transact([movesKey, ...keys], decide);

/** How a move began. */
export type Begun =
  | { readonly kind: 'begun'; readonly move: CellMove }
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'full' }
  | { readonly kind: 'busy'; readonly move: CellMove; readonly isOver: boolean };

/** Begins a move in the cell that the account is to leave: from then on its steps write down what they change. */
export const beginMove = (from: Cell, to: Cell, accountId: string, id: string): Promise<Begun> => {
  const account = { table: 'account', id: accountId } as const;
  return change<Begun>(from, [placeKey(accountId), account], (records, nowMs) => {
    const moves = movesOf(records);
    const place = placeOf(records, accountId);
    const present = moves.moves.find((one) => one.accountId === accountId);
    if (present !== undefined)
      return { writes: [], answer: { kind: 'busy', move: present, isOver: nowMs > present.untilMs } };
    if (place !== undefined && place.cell !== from.name) return { writes: [], answer: { kind: 'elsewhere' } };
    if (records.get('account', accountId) === undefined) return { writes: [], answer: { kind: 'absent' } };
    if (moves.moves.length >= cellMovesMax) return { writes: [], answer: { kind: 'full' } };
    const move: CellMove = {
      id,
      accountId,
      state: 'copying',
      from: from.name,
      to: to.name,
      serial: (place?.serial ?? 0) + 1,
      earlier: [...new Set([...(place?.earlier ?? []), from.name])].filter((name) => name !== to.name),
      untilMs: nowMs + copyLeaseMs,
    };
    return { writes: [movesWrite(withMove(moves, id, move))], answer: { kind: 'begun', move } };
  });
};

/** Prepares the cell that the account comes to: what lies there of it does not count yet. False where a former move is not cleared away. */
export const expectMove = (to: Cell, move: CellMove): Promise<boolean> =>
  change(to, [], (records, nowMs) => {
    const moves = movesOf(records);
    const isTaken = moves.moves.some(({ accountId }) => accountId === move.accountId);
    if (isTaken || moves.moves.length >= cellMovesMax) return { writes: [], answer: false };
    const arriving: CellMove = { ...move, state: 'arriving', untilMs: nowMs + copyLeaseMs };
    const changed = withMove({ ...moves, epoch: moves.epoch + 1 }, move.id, arriving);
    return { writes: [movesWrite(changed)], answer: true };
  });

/** Says that the process still copies. */
export const renewMove = (from: Cell, move: CellMove): Promise<void> =>
  change(from, [], (records, nowMs) => {
    const copying = moveIn(records, move, ['copying']);
    const renewed = { ...copying, untilMs: nowMs + copyLeaseMs };
    return { writes: [movesWrite(withMove(movesOf(records), move.id, renewed))], answer: undefined };
  });

const textOf = (record: object): string =>
  JSON.stringify(record, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));

/** Throws where another account has the id in this cell. */
const refuseForeign = (table: TableName, id: string, move: CellMove, present: object | undefined): void => {
  const accountId = namedAccount(present);
  if (accountId !== null && accountId !== move.accountId)
    throw new Error(
      `account ${move.accountId} cannot move to ${move.to}: another account has the ${table} ${id} there`,
    );
};

/** Writes records into the cell that the account comes to; one that the source no longer has is deleted there. */
export const copyRecords = (
  to: Cell,
  move: CellMove,
  copies: readonly { readonly key: Key; readonly record: Tables[TableName] | undefined }[],
): Promise<void> =>
  change(
    to,
    copies.map(({ key }) => key),
    (records) => {
      moveIn(records, move, ['arriving']);
      const writes = copies.flatMap(({ key: { table, id }, record }): readonly Write[] => {
        const present = records.get(table, id);
        if (record === undefined) {
          const accountId = namedAccount(present);
          const isOwn = accountId === null || accountId === move.accountId;
          return isOwn ? [{ kind: 'delete', table, id, moved: true }] : [];
        }
        refuseForeign(table, id, move, present);
        if (present !== undefined && textOf(present) === textOf(record)) return [];
        return [writeOf(table, record)];
      });
      return { writes, answer: undefined };
    },
  );

/** Closes the account for its move: waits for the steps under way, and refuses those that come. */
export const closeAccount = (from: Cell, move: CellMove): Promise<void> =>
  change(from, [], (records, nowMs) => {
    const leaving: CellMove = { ...moveIn(records, move, ['copying']), state: 'leaving', untilMs: nowMs + fenceMs };
    return { writes: [movesWrite(withMove(movesOf(records), move.id, leaving))], answer: undefined };
  });

/** The only point of decision: the cell that the account leaves says that it has left. Throws where its steps were refused too long. */
export const decideMove = (from: Cell, move: CellMove): Promise<void> =>
  change(from, [placeKey(move.accountId)], (records, nowMs) => {
    const leaving = moveIn(records, move, ['leaving']);
    if (nowMs > leaving.untilMs) throw accountMoving(move.accountId);
    const { accountId, to, serial, earlier } = move;
    const moves = movesOf(records);
    const gone = withMove({ ...moves, epoch: moves.epoch + 1 }, move.id, { ...leaving, state: 'gone' });
    return {
      writes: [movesWrite(gone), placeWrite({ accountId, cell: to, serial, moveId: move.id, earlier })],
      answer: undefined,
    };
  });

/** The other cell serves the account. Repeating it changes nothing. */
export const arriveMove = (to: Cell, move: CellMove): Promise<void> =>
  change(to, [placeKey(move.accountId)], (records) => {
    const moves = movesOf(records);
    if (!moves.moves.some(({ id }) => id === move.id)) return { writes: [], answer: undefined };
    const { accountId, serial, earlier } = move;
    const here = withMove({ ...moves, epoch: moves.epoch + 1 }, move.id, null);
    return {
      writes: [movesWrite(here), placeWrite({ accountId, cell: to.name, serial, moveId: move.id, earlier })],
      answer: undefined,
    };
  });

/** What a move that is to be taken back had come to. */
export type GivenUp = 'given up' | 'decided' | 'under way';

/** Takes a move back that is not decided; of another process only where that has had its time. */
export const giveUpMove = (from: Cell, move: CellMove, isOwn: boolean): Promise<GivenUp> =>
  change<GivenUp>(from, [placeKey(move.accountId)], (records, nowMs) => {
    const moves = movesOf(records);
    const present = moves.moves.find(({ id }) => id === move.id);
    if (present?.state === 'gone') return { writes: [], answer: 'decided' };
    if (present === undefined) {
      // Only a move that came to its other cell is followed by another one: then nothing of it is left to be taken back.
      const isDecided = placeOf(records, move.accountId)?.moveId === move.id;
      return { writes: [], answer: isDecided ? 'decided' : 'given up' };
    }
    if (!isOwn && nowMs <= present.untilMs) return { writes: [], answer: 'under way' };
    return { writes: [movesWrite(withMove(moves, move.id, null))], answer: 'given up' };
  });

/** Begins to empty the cell that the account was to come to. False where nothing of it is there any more. */
export const beginEmptying = (to: Cell, move: CellMove): Promise<boolean> =>
  change(to, [], (records) => {
    const moves = movesOf(records);
    const present = moves.moves.find(({ id }) => id === move.id);
    if (present === undefined) return { writes: [], answer: false };
    return { writes: [movesWrite(withMove(moves, move.id, { ...present, state: 'emptying' }))], answer: true };
  });

/** Deletes records that do not count, in the cell that the account has left or did not come to. */
export const clearRecords = (cell: Cell, move: CellMove, keys: readonly Key[]): Promise<void> =>
  change(cell, keys, (records) => {
    moveIn(records, move, ['gone', 'emptying']);
    const present = keys.filter(({ table, id }) => records.get(table, id) !== undefined);
    return {
      writes: present.map(({ table, id }) => ({ kind: 'delete', table, id, moved: true }) as const),
      answer: undefined,
    };
  });

/** Deletes what was logged for a move. */
export const clearLog = (cell: Cell, ids: readonly string[]): Promise<void> =>
  change(
    cell,
    ids.map((id) => ({ table: 'moveLog', id })),
    (records) => ({
      writes: ids
        .filter((id) => records.get('moveLog', id) !== undefined)
        .map((id) => ({ kind: 'delete', table: 'moveLog', id }) as const),
      answer: undefined,
    }),
  );

/** Nothing is left to do in this cell. */
export const endMove = (cell: Cell, move: CellMove): Promise<void> =>
  change(cell, [], (records) => {
    const moves = movesOf(records);
    const isThere = moves.moves.some(({ id }) => id === move.id);
    return { writes: isThere ? [movesWrite(withMove(moves, move.id, null))] : [], answer: undefined };
  });

export const isMoveOver = (cause: unknown): boolean => cause instanceof MoveOver;
