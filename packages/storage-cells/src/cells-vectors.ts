import type { FoundChunk, Key, VectorIndex } from '@tollgate/storage';
import { crossed, type Cell } from './cell.ts';
import type { CellFinder } from './cell-finder.ts';

const resourceKey = (id: string): Key => ({ table: 'resource', id });

/** The nearest first, then by document and place. */
const compareChunks = (one: FoundChunk, other: FoundChunk): number => {
  if (one.score !== other.score) return other.score - one.score;
  if (one.documentId !== other.documentId) return one.documentId < other.documentId ? -1 : 1;
  return one.place - other.place;
};

const isSameChunk = (one: FoundChunk, other: FoundChunk | undefined): boolean =>
  one.documentId === other?.documentId && one.place === other.place;

/** Each chunk once, the nearest first. */
export const nearestOf = (chunks: readonly FoundChunk[], limit: number): readonly FoundChunk[] => {
  const sorted = chunks.toSorted(compareChunks);
  return sorted.filter((chunk, at) => !isSameChunk(chunk, sorted[at - 1])).slice(0, limit);
};

/** Stores by their cells. One that is no resource is placed by its id. */
const groupStores = async (
  finder: CellFinder,
  storeIds: readonly string[],
): Promise<readonly (readonly [Cell, readonly string[]])[]> => {
  const groups = new Map<Cell, string[]>();
  for (const storeId of new Set(storeIds)) {
    const cell = (await finder.ofRecord(resourceKey(storeId))) ?? finder.byId(storeId);
    groups.set(cell, [...(groups.get(cell) ?? []), storeId]);
  }
  return [...groups];
};

/** The vectors of a store lie in the cell of the store. */
export const cellsVectors = (cells: readonly Cell[], finder: CellFinder): VectorIndex => ({
  put: async (chunks) => {
    const groups = await groupStores(
      finder,
      chunks.map(({ storeId }) => storeId),
    );
    const [one, other] = groups.map(([cell, [id = '']]) => ({ key: resourceKey(id), cell }));
    if (one !== undefined && other !== undefined) throw crossed(one, other);
    await (one?.cell ?? finder.byId('')).storage.vectors.put(chunks);
  },
  search: async (query) => {
    const groups = await groupStores(finder, query.storeIds);
    const [only] = groups;
    // A moved account may have chunks in a cell that it left.
    if (finder.directory.hasMoved()) {
      const found = await Promise.all(cells.map(({ storage }) => storage.vectors.search(query)));
      return nearestOf(found.flat(), query.limit);
    }
    if (groups.length <= 1) return (only?.[0] ?? finder.byId('')).storage.vectors.search(query);
    const found = await Promise.all(
      groups.map(([cell, storeIds]) => cell.storage.vectors.search({ ...query, storeIds })),
    );
    return nearestOf(found.flat(), query.limit);
  },
  remove: async (documentId) => {
    const cell = await finder.ofRecord(resourceKey(documentId));
    const asked = cell === null || finder.directory.hasMoved() ? cells : [cell];
    await Promise.all(asked.map(({ storage }) => storage.vectors.remove(documentId)));
  },
});
