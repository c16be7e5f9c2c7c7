import { tableColumns, type Records, type TableName, type Tables, type Write } from '@tollgate/storage';
import { firstWrites } from './access-step.ts';

type AnyRecord = Tables[TableName];

/** Records in this process, without a storage around them: what the decisions see and what their writes are put into. */
export interface RecordMap {
  readonly records: Records;
  readonly tables: ReadonlyMap<TableName, Map<string, AnyRecord>>;
  put(table: TableName, record: AnyRecord): void;
  remove(table: TableName, id: string): void;
}

const tableNames = Object.keys(tableColumns) as TableName[];

/** Most histories run in a world without a prefix; its first records are made once. */
const plainWrites = firstWrites('');

export const createRecordMap = (prefix = ''): RecordMap => {
  const tables = new Map(tableNames.map((name) => [name, new Map<string, AnyRecord>()]));
  const rows = (table: TableName): Map<string, AnyRecord> => {
    const found = tables.get(table);
    if (found === undefined) throw new Error(`no such table: ${table}`);
    return found;
  };
  const map: RecordMap = {
    records: { get: <T extends TableName>(table: T, id: string) => rows(table).get(id) as Tables[T] | undefined },
    tables,
    put: (table, record) => void rows(table).set(record.id, record),
    remove: (table, id) => void rows(table).delete(id),
  };
  applyWrites(map, prefix === '' ? plainWrites : firstWrites(prefix));
  return map;
};

export const applyWrites = (map: RecordMap, writes: readonly Write[]): void => {
  for (const write of writes) {
    if (write.kind === 'delete') map.remove(write.table, write.id);
    else map.put(write.table, write.record);
  }
};
