import { movesKey, movesOf } from './moves-record.ts';
import { placeKey, placeOf } from './moved-place.ts';
import type { CellWorld } from './cell-world.ts';
import type { Cell } from './cell.ts';

/**
 * The cell of an account and those that it has left: what is kept beside the records, blobs and vectors, stays in the cell where it was
 * put.
 */
export const cellsOfAccount = async (
  world: Pick<CellWorld, 'finder' | 'cells'>,
  accountId: string,
): Promise<readonly [Cell, ...Cell[]]> => {
  const { finder, cells } = world;
  for (;;) {
    const cell = await finder.ofAccount(accountId);
    const records = await cell.storage.read([movesKey, placeKey(accountId)]);
    if (movesOf(records).epoch === finder.directory.epochOf(cell)) {
      const names = placeOf(records, accountId)?.earlier ?? [];
      return [cell, ...cells.filter(({ name }) => name !== cell.name && names.includes(name))];
    }
    await finder.directory.load(cell);
  }
};
