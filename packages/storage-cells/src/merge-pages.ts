import {
  indexSpec,
  recordsOfTable,
  type IndexName,
  type IndexQuery,
  type IndexTable,
  type ScanQuery,
  type TableName,
  type Tables,
} from '@tollgate/storage';
import type { Cell } from './cell.ts';

/**
 * A page of an index over all cells: of the first rows of each cell, the first ones. Rejects where a cell cannot be asked: a page
 * without its rows would say that there are none.
 */
export const mergePages = async <I extends IndexName>(
  cells: readonly Cell[],
  index: I,
  query: IndexQuery,
): Promise<readonly Tables[IndexTable<I>][]> => {
  const pages = await Promise.all(cells.map(({ storage }) => storage.list(index, query)));
  const { order } = indexSpec(index);
  const rows = pages.flatMap((page) => page.map((row) => ({ row, at: Number(Reflect.get(row, order)), id: row.id })));
  const sorted = rows.toSorted((one, other) => other.at - one.at || (one.id < other.id ? 1 : -1));
  return recordsOfTable<IndexTable<I>>(sorted.slice(0, query.limit).map(({ row }) => row));
};

/** A page of a scan over all cells, by rising id. A record that every cell has, such as a setting, comes once from each. */
export const mergeScans = async <T extends TableName>(
  cells: readonly Cell[],
  table: T,
  query: ScanQuery,
): Promise<readonly Tables[T][]> => {
  const pages = await Promise.all(cells.map(({ storage }) => storage.scan(table, query)));
  return pages
    .flat()
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .slice(0, query.limit);
};
