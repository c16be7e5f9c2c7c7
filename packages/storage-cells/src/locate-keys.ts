import type { Key, Records } from '@tollgate/storage';
import type { Cell } from './cell.ts';
import { besideBlob, familyOf } from './key-families.ts';

/** The same for all keys whose records lie beside each other. */
const placeName = ({ table, id }: Key): string => `${familyOf(table)} ${id}`;

/** The records of which any one tells the cell of a key: its own first. */
const signsOf = (key: Key): readonly Key[] => (key.table === 'pendingBlob' ? [key, ...besideBlob(key.id)] : [key]);

/** The keys of which a sign was seen, with the cell where. */
const foundOf = (keys: readonly Key[], seen: ReadonlyMap<string, Cell>): ReadonlyMap<Key, Cell> =>
  new Map(
    keys.flatMap((key) => {
      const sign = signsOf(key).find((each) => seen.has(placeName(each)));
      const cell = sign && seen.get(placeName(sign));
      return cell === undefined ? [] : [[key, cell] as const];
    }),
  );

/**
 * Asks every cell which of the records it has, and returns the cells of the keys that were found. Resolves as soon as all are found,
 * so that a cell that does not respond holds up no record of another. Rejects where one is found nowhere and a cell could
 * not be asked, unless what was found is enough.
 */
export const locateKeys = (
  cells: readonly Cell[],
  keys: readonly Key[],
  isEnough: (found: ReadonlyMap<Key, Cell>) => boolean = () => false,
): Promise<ReadonlyMap<Key, Cell>> =>
  new Promise((resolve, reject) => {
    const signs = keys.flatMap(signsOf);
    const seen = new Map<string, Cell>();
    const failures: unknown[] = [];
    let waiting = cells.length;
    const take = (cell: Cell, records: Records): void => {
      for (const key of signs)
        if (records.get(key.table, key.id) !== undefined && !seen.has(placeName(key))) seen.set(placeName(key), cell);
    };
    const end = (): void => {
      waiting -= 1;
      const found = foundOf(keys, seen);
      const isDone = waiting === 0 && (failures.length === 0 || isEnough(found));
      if (found.size === keys.length || isDone) resolve(found);
      else if (waiting === 0) reject(failures[0]);
    };
    const ask = async (cell: Cell): Promise<void> => {
      try {
        take(cell, await cell.storage.read(signs));
      } catch (cause) {
        failures.push(cause);
      }
      end();
    };
    for (const cell of cells) void ask(cell);
  });
