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
import { visiblePage, type SteadyView } from './steady-view.ts';

/**
 * A page of an index over all cells: of the first rows of each cell, the first ones. Rejects where a cell cannot be asked: a page
 * without its rows would say that there are none.
 */
export const mergePages = async <I extends IndexName>(
  view: SteadyView,
  index: I,
  query: IndexQuery,
): Promise<readonly Tables[IndexTable<I>][]> => {
  const { order, table } = indexSpec(index);
  const orderOf = (row: object): number => Number(Reflect.get(row, order));
  const pages = await view.ask((cell, hidden) =>
    visiblePage(cell, hidden, { table, limit: query.limit }, (last) =>
      cell.storage.list(index, last === undefined ? query : { ...query, after: { order: orderOf(last), id: last.id } }),
    ),
  );
  const rows = pages.flatMap((page) => page.map((row) => ({ row, at: orderOf(row), id: row.id })));
  const sorted = rows.toSorted((one, other) => other.at - one.at || (one.id < other.id ? 1 : -1));
  return recordsOfTable<IndexTable<I>>(sorted.slice(0, query.limit).map(({ row }) => row));
};

/** A page of a scan over all cells, by rising id. A record that every cell has, such as a setting, comes once from each. */
export const mergeScans = async <T extends TableName>(
  view: SteadyView,
  table: T,
  query: ScanQuery,
): Promise<readonly Tables[T][]> => {
  const pages = await view.ask((cell, hidden) =>
    visiblePage(cell, hidden, { table, limit: query.limit }, (last) =>
      cell.storage.scan(table, { ...query, after: last?.id ?? query.after }),
    ),
  );
  return pages
    .flat()
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .slice(0, query.limit);
};
