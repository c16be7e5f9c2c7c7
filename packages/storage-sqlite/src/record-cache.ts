import type { TableName, Tables } from '@tollgate/storage';

type AnyRecord = Tables[TableName];

/** Records kept at the most; each is small, for tables with large values are left out. */
export const cachedRecordsMax = 4_096;

/** Tables whose rows are small and read again and again. */
const cachedTables: ReadonlySet<TableName> = new Set<TableName>([
  'account',
  'wallet',
  'project',
  'apiKey',
  'operation',
  'identity',
  'tariff',
  'setting',
]);

/** Committed records that this connection read or wrote, least recently used first out. */
export interface RecordCache {
  get(table: TableName, id: string): AnyRecord | undefined;
  put(table: TableName, record: AnyRecord): void;
  delete(table: TableName, id: string): void;
  clear(): void;
}

export const createRecordCache = (recordsMax = cachedRecordsMax): RecordCache => {
  // A map keeps the order of insertion, so its first key is the one not used for longest.
  const records = new Map<string, AnyRecord>();
  const put = (key: string, record: AnyRecord): void => {
    records.delete(key);
    records.set(key, record);
    if (records.size <= recordsMax) return;
    for (const oldest of records.keys()) {
      records.delete(oldest);
      return;
    }
  };
  return {
    get: (table, id) => {
      const key = `${table}\n${id}`;
      const record = records.get(key);
      if (record !== undefined) put(key, record);
      return record;
    },
    put: (table, record) => {
      if (cachedTables.has(table)) put(`${table}\n${record.id}`, record);
    },
    delete: (table, id) => {
      records.delete(`${table}\n${id}`);
    },
    clear: () => records.clear(),
  };
};
