import { indexSpec, type AnyIndexSpec, type IndexCursor, type IndexName, type IndexQuery } from '@tollgate/storage';
import type { MemoryDisk } from './memory-disk.ts';

const fieldOf = (row: object, name: string): unknown => Reflect.get(row, name);

const isAfter = (place: IndexCursor, cursor: IndexCursor): boolean =>
  place.order < cursor.order || (place.order === cursor.order && place.id < cursor.id);

const belongs = (spec: AnyIndexSpec, row: object, of: string): boolean => {
  if (spec.of !== null && fieldOf(row, spec.of) !== of) return false;
  if (spec.whereNull !== undefined && fieldOf(row, spec.whereNull) !== null) return false;
  return spec.whereNotNull === undefined || fieldOf(row, spec.whereNotNull) !== null;
};

/** The rows of an index after the query's cursor, newest first. */
export const listRows = (disk: MemoryDisk, name: IndexName, query: IndexQuery): readonly object[] => {
  const spec = indexSpec(name);
  const { of, after, limit } = query;
  return [...disk.rows(spec.table).values()]
    .filter((row) => belongs(spec, row, of))
    .map((row) => ({ row, place: { order: Number(fieldOf(row, spec.order)), id: row.id } }))
    .filter(({ place }) => after === undefined || isAfter(place, after))
    .toSorted((a, b) => (isAfter(a.place, b.place) ? 1 : -1))
    .slice(0, limit)
    .map(({ row }) => row);
};
