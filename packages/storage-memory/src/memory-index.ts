import type { AnyIndexSpec, IndexCursor, IndexQuery, TableName, Tables } from '@tollgate/storage';

type Row = Tables[TableName];

/** The rows of one index, kept in order as they are written: work that goes over a table reads it again and again. */
export interface MemoryIndex {
  /** A row took the place of another one of the same id; undefined where there is none. */
  change(before: Row | undefined, row: Row | undefined): void;
  /** The rows after the query's cursor, newest first. */
  list(query: IndexQuery): readonly Row[];
}

/** All rows of an index that leaves its query nothing to fix. */
const whole = '';

const fieldOf = (row: object, name: string): unknown => Reflect.get(row, name);

/** The list that has a row; null where the index leaves the row out. */
const listOf = ({ of, whereNull, whereNotNull }: AnyIndexSpec, row: Row): string | null => {
  if (whereNull !== undefined && fieldOf(row, whereNull) !== null) return null;
  if (whereNotNull !== undefined && fieldOf(row, whereNotNull) === null) return null;
  if (of === null) return whole;
  const value = fieldOf(row, of);
  return typeof value === 'string' ? value : null;
};

const placeOf = (spec: AnyIndexSpec, row: Row): IndexCursor => ({
  order: Number(fieldOf(row, spec.order)),
  id: row.id,
});

const isBefore = (spec: AnyIndexSpec, row: Row, { order, id }: IndexCursor): boolean => {
  const own = Number(fieldOf(row, spec.order));
  return own < order || (own === order && row.id < id);
};

/** How many rows of a list come before a place. */
const countBefore = (spec: AnyIndexSpec, rows: readonly Row[], place: IndexCursor): number => {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const row = rows[middle];
    if (row !== undefined && isBefore(spec, row, place)) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Nearly every row is newer than those that are there. */
const insert = (spec: AnyIndexSpec, rows: Row[], row: Row): void => {
  const place = placeOf(spec, row);
  const last = rows.at(-1);
  if (last === undefined || isBefore(spec, last, place)) rows.push(row);
  else rows.splice(countBefore(spec, rows, place), 0, row);
};

/** An index over the rows that are there. */
export const createMemoryIndex = (spec: AnyIndexSpec, stored: Iterable<Row>): MemoryIndex => {
  /** Each by rising order, then by rising id. */
  const lists = new Map<string, Row[]>();
  const add = (name: string, row: Row): void => {
    const rows = lists.get(name);
    if (rows === undefined) lists.set(name, [row]);
    else insert(spec, rows, row);
  };
  const remove = (name: string, row: Row): void => {
    const rows = lists.get(name) ?? [];
    rows.splice(countBefore(spec, rows, placeOf(spec, row)), 1);
    if (rows.length === 0) lists.delete(name);
  };
  const change = (before: Row | undefined, row: Row | undefined): void => {
    const from = before === undefined ? null : listOf(spec, before);
    const to = row === undefined ? null : listOf(spec, row);
    if (before !== undefined && from !== null) remove(from, before);
    if (row !== undefined && to !== null) add(to, row);
  };
  for (const row of stored) change(undefined, row);
  return {
    change,
    list: ({ of, after, limit }) => {
      const rows = lists.get(spec.of === null ? whole : of) ?? [];
      const end = after === undefined ? rows.length : countBefore(spec, rows, after);
      return rows.slice(Math.max(0, end - limit), end).toReversed();
    },
  };
};
