import type { TableName, Tables } from '@tollgate/storage';

type AnyRecord = Tables[TableName];

/** Records kept at the least and, twice that, at the most; each is small, for tables with large values are left out. */
const cachedRecordsMax = 4_096;

/** Tables whose rows are small and read more than once. */
const cachedTables: ReadonlySet<TableName> = new Set<TableName>([
  'account',
  'wallet',
  'project',
  'apiKey',
  'operation',
  'tariff',
  'setting',
  'delivery',
  'subscriptions',
]);

/** Nearly every step of a project asks for a row of this table, and most projects have none. */
const mostlyAbsent: TableName = 'subscriptions';

/** Seldom read again; kept, it would be one for each of the last requests, and the garbage collector copies each twice. */
const isAtRest = (record: AnyRecord): boolean => {
  // A delivery without an owner waits for a claim, which reads the row itself.
  if ('webhookId' in record) return record.owner === null;
  return 'endedAtMs' in record && record.endedAtMs !== null;
};

/** Committed records that this connection read or wrote; what was not used for long, or has ended, is forgotten. */
export interface RecordCache {
  get(table: TableName, id: string): AnyRecord | undefined;
  put(table: TableName, record: AnyRecord): void;
  /** Whether it was looked for and not found, where that is remembered. */
  isAbsent(table: TableName, id: string): boolean;
  putAbsent(table: TableName, id: string): void;
  delete(table: TableName, id: string): void;
  clear(): void;
}

type Rows = Map<string, AnyRecord>;

const emptyTables = (): ReadonlyMap<TableName, Rows> =>
  new Map([...cachedTables].map((table) => [table, new Map<string, AnyRecord>()]));

type Absences = Pick<RecordCache, 'isAbsent' | 'putAbsent'> & {
  readonly delete: (table: TableName, id: string) => void;
  readonly clear: () => void;
};

/** The rows that were looked for and not found. */
const createAbsences = (recordsMax: number): Absences => {
  const ids = new Set<string>();
  return {
    isAbsent: (table, id) => table === mostlyAbsent && ids.has(id),
    putAbsent: (table, id) => {
      if (table !== mostlyAbsent) return;
      if (ids.size >= recordsMax) ids.clear();
      ids.add(id);
    },
    delete: (table, id) => {
      if (table === mostlyAbsent) ids.delete(id);
    },
    clear: () => ids.clear(),
  };
};

/**
 * Two generations: what is used enters the younger; when that is full, the older is dropped and the younger takes its place.
 * A use so costs one look, where an order of use would have to be rearranged.
 */
export const createRecordCache = (recordsMax = cachedRecordsMax): RecordCache => {
  const absences = createAbsences(recordsMax);
  let younger = emptyTables();
  let older = emptyTables();
  let size = 0;
  const forget = (table: TableName, id: string): void => {
    older.get(table)?.delete(id);
    if (younger.get(table)?.delete(id) === true) size -= 1;
  };
  const put = (table: TableName, record: AnyRecord): void => {
    absences.delete(table, record.id);
    const rows = younger.get(table);
    if (rows === undefined) return;
    if (isAtRest(record)) return forget(table, record.id);
    if (!rows.has(record.id)) size += 1;
    rows.set(record.id, record);
    if (size < recordsMax) return;
    older = younger;
    younger = emptyTables();
    size = 0;
  };
  return {
    isAbsent: absences.isAbsent,
    putAbsent: absences.putAbsent,
    get: (table, id) => {
      const record = younger.get(table)?.get(id);
      if (record !== undefined) return record;
      const aged = older.get(table)?.get(id);
      if (aged !== undefined) put(table, aged);
      return aged;
    },
    put,
    delete: forget,
    clear: () => {
      absences.clear();
      [younger, older, size] = [emptyTables(), emptyTables(), 0];
    },
  };
};
