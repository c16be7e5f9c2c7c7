import type { Key, Records } from '@tollgate/storage';
import type { Cell } from './cell.ts';
import { besideBlob, familyOf } from './key-families.ts';

/** The same for all keys whose records lie beside each other. */
const placeName = ({ table, id }: Key): string => `${familyOf(table)} ${id}`;

/** The records of which any one tells the cell of a key: its own first. */
const signsOf = (key: Key): readonly Key[] => (key.table === 'pendingBlob' ? [key, ...besideBlob(key.id)] : [key]);

/**
 * Asks every cell which of the records it has, and returns the cells of the keys that were found. Resolves as soon as all are found,
 * so that a cell that does not respond holds up no record of another. Rejects where one is found nowhere and a cell could
 * not be asked.
 */
export const locateKeys = (cells: readonly Cell[], keys: readonly Key[]): Promise<ReadonlyMap<Key, Cell>> =>
  new Promise((resolve, reject) => {
    const signs = keys.flatMap(signsOf);
    const seen = new Map<string, Cell>();
    const failures: unknown[] = [];
    let waiting = cells.length;
    const take = (cell: Cell, records: Records): void => {
      for (const key of signs)
        if (records.get(key.table, key.id) !== undefined && !seen.has(placeName(key))) seen.set(placeName(key), cell);
    };
    const placeOf = (key: Key): Cell | undefined => {
      for (const sign of signsOf(key)) {
        const cell = seen.get(placeName(sign));
        if (cell !== undefined) return cell;
      }
      return undefined;
    };
    const end = (): void => {
      waiting -= 1;
      const found = new Map<Key, Cell>();
      for (const key of keys) {
        const cell = placeOf(key);
        if (cell !== undefined) found.set(key, cell);
      }
      if (found.size === keys.length || (waiting === 0 && failures.length === 0)) resolve(found);
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
