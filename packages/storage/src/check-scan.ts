import { listRowsMax, type ScanQuery } from './indexes.ts';
import { tableColumns, type ColumnKind } from './table-columns.ts';
import type { TableName } from './tables.ts';

/** Throws a `RangeError` on a scan that no storage may answer. Every adapter begins with it. */
export const checkScan = (table: TableName, { where, limit }: ScanQuery): void => {
  if (!Number.isInteger(limit) || limit < 1 || limit > listRowsMax)
    throw new RangeError(`a limit is 1 to ${listRowsMax}: ${limit}`);
  if (where === undefined) return;
  const kinds = new Map<string, ColumnKind>(Object.entries(tableColumns[table]));
  const kind = kinds.get(where.field);
  if (kind !== 'text' && kind !== 'text?') throw new RangeError(`${table} has no text field ${where.field}`);
};
