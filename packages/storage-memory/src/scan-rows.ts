import type { ScanQuery, TableName } from '@tollgate/storage';
import type { MemoryDisk } from './memory-disk.ts';

/** Rows of a table by rising id. */
export const scanRows = (disk: MemoryDisk, table: TableName, { after, where, limit }: ScanQuery): readonly object[] =>
  [...disk.rows(table).values()]
    .filter((row) => after === undefined || row.id > after)
    .filter((row) => where === undefined || Reflect.get(row, where.field) === where.value)
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .slice(0, limit);
