import type { Cell } from './cell.ts';
import { movesKey, movesOf } from './moves-record.ts';
import { placeOfRow, placePrefix, type MovedPlace } from './moved-place.ts';
import { scanPages } from './scan-pages.ts';

/** What a process knows of the accounts that were moved: the exceptions to where accounts are placed. */
export interface Directory {
  /** The cell of an account that was moved; undefined of any other. */
  readonly find: (accountId: string) => Cell | undefined;
  /** How often, as this process knows, accounts have come to the cell or left it. */
  readonly epochOf: (cell: Cell) => number;
  /** Raised by whatever this process learns of moves. */
  readonly version: () => number;
  /** Whether any account is known to have been moved. */
  hasMoved(): boolean;
  /** Reads again which accounts came to the cell and left it. */
  readonly load: (cell: Cell) => Promise<void>;
  /** The same for all other cells that were never looked through; one that does not respond is left out. */
  readonly loadOthers: (cell: Cell) => Promise<void>;
}

const readPlaces = async ({ storage }: Cell): Promise<readonly MovedPlace[]> => {
  const places: MovedPlace[] = [];
  for await (const page of scanPages(storage, 'setting', { prefix: placePrefix })) places.push(...page.map(placeOfRow));
  return places;
};

/** No cell has this epoch: what is asked next looks the cell through again. */
const unsure = -1;

/** `onLeft` is called with a cell that accounts have left. */
export const createDirectory = (cells: readonly Cell[], onLeft: (cell: Cell) => void): Directory => {
  const byName = new Map(cells.map((cell) => [cell.name, cell]));
  const places = new Map<string, MovedPlace>();
  const epochs = new Map<Cell, number>();
  const loading = new Map<Cell, Promise<void>>();
  let version = 0;
  const read = async (cell: Cell): Promise<void> => {
    // First, so that what changes meanwhile is read once more.
    const { epoch } = movesOf(await cell.storage.read([movesKey]));
    const found = await readPlaces(cell);
    const newer = found.filter(({ accountId, serial }) => serial > (places.get(accountId)?.serial ?? 0));
    for (const place of newer) places.set(place.accountId, place);
    const left = new Set(newer.flatMap((place) => place.earlier.filter((name) => name !== place.cell)));
    for (const one of cells)
      if (left.has(one.name)) {
        // Whatever was seen there until now, and what is on its way from there, is no longer sure.
        epochs.set(one, unsure);
        onLeft(one);
      }
    epochs.set(cell, epoch);
    version += 1;
  };
  const load = (cell: Cell): Promise<void> => {
    const begun = loading.get(cell) ?? read(cell).finally(() => loading.delete(cell));
    loading.set(cell, begun);
    return begun;
  };
  return {
    load,
    loadOthers: async (cell) => {
      const others = cells.filter((one) => one !== cell && !epochs.has(one));
      await Promise.allSettled(others.map(load));
    },
    find: (accountId) => {
      const place = places.get(accountId);
      if (place === undefined) return undefined;
      const cell = byName.get(place.cell);
      if (cell === undefined)
        throw new Error(`account ${accountId} was moved to ${place.cell}, and there is no such cell`);
      return cell;
    },
    epochOf: (cell) => epochs.get(cell) ?? 0,
    version: () => version,
    hasMoved: () => places.size > 0,
  };
};
