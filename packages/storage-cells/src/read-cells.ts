import type { Key, Records, TableName } from '@tollgate/storage';
import { learnAt, type CellWorld } from './cell-world.ts';
import type { Cell } from './cell.ts';
import { accountMoving, movesKey, movesOf } from './moves-record.ts';

const declared = (keys: readonly Key[], table: TableName, id: string): boolean =>
  keys.some((key) => key.table === table && key.id === id);

const joined = (keys: readonly Key[], parts: readonly (readonly [readonly Key[], Records])[]): Records => ({
  get: (table, id) => {
    if (!declared(keys, table, id)) throw new Error(`record not declared: ${table} ${id}`);
    return parts.find(([ofCell]) => declared(ofCell, table, id))?.[1].get(table, id);
  },
});

/** How often keys are looked for again because accounts left their cells meanwhile. */
const looksMax = 8;

/** Reads a group from its cell; null where accounts have come or gone since the process looked. */
const readGroup = async (world: CellWorld, cell: Cell, keys: readonly Key[]): Promise<Records | null> => {
  const records = await cell.storage.read([...keys, movesKey]);
  const { epoch } = movesOf(records);
  if (epoch !== world.finder.directory.epochOf(cell)) {
    await world.finder.directory.load(cell);
    return null;
  }
  for (const key of keys) if (records.get(key.table, key.id) !== undefined) learnAt(world, key, cell, epoch);
  return records;
};

/** Reads keys from their cells: one snapshot of each cell. */
export const readCellsRecords = async (world: CellWorld, keys: readonly Key[]): Promise<Records> => {
  for (let looks = 0; looks < looksMax; looks += 1) {
    const groups = [...(await world.finder.ofRead(keys))];
    const parts = await Promise.all(
      groups.map(async ([cell, ofCell]) => {
        const records = await readGroup(world, cell, ofCell);
        return records && ([ofCell, records] as const);
      }),
    );
    const read = parts.filter((part) => part !== null);
    const [only] = read;
    if (read.length < parts.length) continue;
    return read.length === 1 && only !== undefined ? only[1] : joined(keys, read);
  }
  throw accountMoving('of these records');
};
