import type { BlobStore } from '@tollgate/storage';
import type { Cell } from './cell.ts';
import type { CellFinder } from './cell-finder.ts';

/** Asks one cell after another; the first that has it wins. Rejects where none has it and one could not be asked. */
export const firstFound = async <T>(
  cells: readonly Cell[],
  ask: (cell: Cell) => Promise<T | undefined>,
): Promise<T | undefined> => {
  const failures: unknown[] = [];
  for (const cell of cells) {
    try {
      const found = await ask(cell);
      if (found !== undefined) return found;
    } catch (cause) {
      failures.push(cause);
    }
  }
  if (failures.length > 0) throw failures[0];
  return undefined;
};

/** A blob lies in the cell of the record that announces it. One that has none is placed by its key. */
export const cellsBlobs = (cells: readonly Cell[], finder: CellFinder): BlobStore => {
  const likelyCell = async (key: string): Promise<Cell> =>
    (await finder.ofRecord({ table: 'pendingBlob', id: key })) ?? finder.byId(key);
  /** Where it most likely is first; where none is likely, in their order. */
  const inOrder = async (key: string): Promise<readonly Cell[]> => {
    const likely = await likelyCell(key).catch(() => null);
    return likely === null ? cells : [likely, ...cells.filter((cell) => cell !== likely)];
  };
  return {
    put: async (key, bytes) => (await likelyCell(key)).storage.blobs.put(key, bytes),
    putStream: async (key, chunks) => (await likelyCell(key)).storage.blobs.putStream(key, chunks),
    get: async (key) => firstFound(await inOrder(key), ({ storage }) => storage.blobs.get(key)),
    getStream: async (key, range) =>
      firstFound(await inOrder(key), ({ storage }) => storage.blobs.getStream(key, range)),
    delete: async (key) => {
      const cell = await finder.ofRecord({ table: 'pendingBlob', id: key });
      // A moved account may have it in a cell that it left.
      const asked = cell === null || finder.directory.hasMoved() ? cells : [cell];
      await Promise.all(asked.map(({ storage }) => storage.blobs.delete(key)));
    },
  };
};
