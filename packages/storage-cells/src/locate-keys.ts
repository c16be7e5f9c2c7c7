import type { Key, Records } from '@tollgate/storage';
import { accountsOf, keyName } from './account-of-records.ts';
import type { Cell } from './cell.ts';
import { besideBlob, familyOf } from './key-families.ts';
import { accountMoving, isHidden, movesKey, movesOf, movesTextOf, steadyTriesMax } from './moves-record.ts';

/** Where a record was seen, and how often accounts had come to the cell or left it then. */
export interface Sighting {
  readonly cell: Cell;
  readonly epoch: number;
}

/** The same for all keys whose records lie beside each other. */
const placeName = ({ table, id }: Key): string => `${familyOf(table)} ${id}`;

/** The records of which any one tells the cell of a key: its own first. */
const signsOf = (key: Key): readonly Key[] => (key.table === 'pendingBlob' ? [key, ...besideBlob(key.id)] : [key]);

/** The keys of which a sign was seen, with the place where. */
const foundOf = (keys: readonly Key[], seen: ReadonlyMap<string, Sighting>): ReadonlyMap<Key, Sighting> =>
  new Map(
    keys.flatMap((key) => {
      const sign = signsOf(key).find((each) => seen.has(placeName(each)));
      const sighting = sign && seen.get(placeName(sign));
      return sighting === undefined ? [] : [[key, sighting] as const];
    }),
  );

/** The records of a cell that count: those of an account that is on its way to it, or has left it, are left out. */
const visibleIn = async (cell: Cell, signs: readonly Key[], records: Records) => {
  const { epoch, moves } = movesOf(records);
  const present = signs.filter(({ table, id }) => records.get(table, id) !== undefined);
  const hidden = new Set(moves.filter(isHidden).map(({ accountId }) => accountId));
  if (hidden.size === 0 || present.length === 0) return { epoch, keys: present, left: null };
  const accounts = await accountsOf(cell.storage, present, records);
  // What told the account may be deleted already, since it has left.
  const mayHaveLeft = (key: Key): boolean => {
    const accountId = accounts.get(keyName(key));
    return accountId === undefined || hidden.has(accountId);
  };
  const left = present.find(mayHaveLeft);
  return {
    epoch,
    keys: present.filter((key) => !mayHaveLeft(key)),
    left: left === undefined ? null : (accounts.get(keyName(left)) ?? `of the ${left.table} ${left.id}`),
  };
};

/** What the cells returned, each at a moment of its own. */
interface Looked {
  readonly found: ReadonlyMap<Key, Sighting>;
  /** Of each cell that was asked, the row of its moves. */
  readonly moves: ReadonlyMap<Cell, string>;
}

type IsEnough = (found: ReadonlyMap<Key, Sighting>) => boolean;

/** Asks each cell once. Resolves as soon as all are found, or every cell has answered; rejects as `locateKeys` does. */
const askCells = (cells: readonly Cell[], keys: readonly Key[], isEnough: IsEnough): Promise<Looked> =>
  new Promise((resolve, reject) => {
    const signs = keys.flatMap(signsOf);
    const seen = new Map<string, Sighting>();
    const moves = new Map<Cell, string>();
    const failures: unknown[] = [];
    let waiting = cells.length;
    const end = (): void => {
      waiting -= 1;
      const found = foundOf(keys, seen);
      const isDone = waiting === 0 && (failures.length === 0 || isEnough(found));
      if (found.size === keys.length || isDone) resolve({ found, moves });
      else if (waiting === 0) reject(failures[0]);
    };
    const ask = async (cell: Cell): Promise<void> => {
      try {
        const records = await cell.storage.read([...signs, movesKey]);
        moves.set(cell, movesTextOf(records));
        const { epoch, keys: there, left } = await visibleIn(cell, signs, records);
        for (const key of there) seen.set(placeName(key), { cell, epoch });
        if (left !== null) failures.push(accountMoving(left));
      } catch (cause) {
        failures.push(cause);
      }
      end();
    };
    for (const cell of cells) void ask(cell);
  });

/** Whether a cell has the same row of moves as before. */
const isUnmoved = async ([cell, before]: readonly [Cell, string]): Promise<boolean> =>
  movesTextOf(await cell.storage.read([movesKey])) === before;

/** Whether no account came to a cell or left it since the cells were asked. */
const areUnmoved = async ({ moves }: Looked): Promise<boolean> =>
  (await Promise.all([...moves].map(isUnmoved))).every(Boolean);

/**
 * Asks every cell which of the records it has, and returns the cells of the keys that were found. Resolves as soon as all are found,
 * so that a cell that does not respond holds up no record of another. Rejects where one is found nowhere and a cell could
 * not be asked, or has it of an account that is moving, unless what was found is enough.
 *
 * The cells respond one after another. An account that moves meanwhile may be missing in the one, which was asked too early, and in
 * the other, which was asked too late: a record is nowhere only if no account moved since.
 */
export const locateKeys = async (
  cells: readonly Cell[],
  keys: readonly Key[],
  isEnough: IsEnough = () => false,
): Promise<ReadonlyMap<Key, Sighting>> => {
  for (let tries = 0; tries < steadyTriesMax; tries += 1) {
    const looked = await askCells(cells, keys, isEnough);
    const { found } = looked;
    if (found.size === keys.length || isEnough(found) || (await areUnmoved(looked))) return found;
  }
  throw accountMoving('of these records');
};
