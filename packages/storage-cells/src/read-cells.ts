import type { Key, Records, TableName } from '@tollgate/storage';
import type { Cell } from './cell.ts';
import type { KnownCells } from './known-cells.ts';

const declared = (keys: readonly Key[], table: TableName, id: string): boolean =>
  keys.some((key) => key.table === table && key.id === id);

/** Reads keys from their cells: one snapshot of each cell. */
export const readCellsRecords = async (
  groups: ReadonlyMap<Cell, readonly Key[]>,
  keys: readonly Key[],
  known: KnownCells,
): Promise<Records> => {
  const parts = await Promise.all(
    [...groups].map(async ([cell, ofCell]) => ({ cell, ofCell, records: await cell.storage.read(ofCell) })),
  );
  for (const { cell, ofCell, records } of parts)
    for (const { table, id } of ofCell) if (records.get(table, id) !== undefined) known.learn(table, id, cell);
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only.records;
  return {
    get: (table, id) => {
      if (!declared(keys, table, id)) throw new Error(`record not declared: ${table} ${id}`);
      return parts.find(({ ofCell }) => declared(ofCell, table, id))?.records.get(table, id);
    },
  };
};
