import {
  checkUsageQuery,
  checkScan,
  createStepBatch,
  indexSpec,
  recordsOfTable,
  sumUsageRows,
  tableColumns,
  type AnyIndexSpec,
  type ClaimableTable,
  type ClaimQuery,
  type IndexName,
  type IndexQuery,
  type IndexTable,
  type NetWrite,
  type ScanQuery,
  type Storage,
  type TableName,
  type Tables,
} from '@tollgate/storage';
import { memoryStorage } from '@tollgate/storage-memory';

type Row = Tables[TableName];
type Rows = Map<string, Map<string, Row>>;

const rowsOf = (rows: Rows, table: TableName): Map<string, Row> => {
  const known = rows.get(table);
  if (known !== undefined) return known;
  const fresh = new Map<string, Row>();
  rows.set(table, fresh);
  return fresh;
};

const recordsIn = <T extends TableName>(rows: Rows, table: T): readonly Tables[T][] =>
  recordsOfTable<T>([...rowsOf(rows, table).values()]);

const commit = (rows: Rows, writes: readonly NetWrite[]): void => {
  for (const write of writes)
    if (write.kind === 'insert' && rowsOf(rows, write.table).has(write.record.id))
      throw new Error(`row exists already: ${write.table} ${write.record.id}`);
  for (const write of writes) {
    if (write.kind === 'delete') rowsOf(rows, write.table).delete(write.id);
    else rowsOf(rows, write.table).set(write.record.id, write.record);
  }
};

const field = (row: Row, name: string): unknown => Reflect.get(row, name);

const belongs = (spec: AnyIndexSpec, row: Row, of: string): boolean =>
  (spec.of === null || field(row, spec.of) === of) &&
  (spec.whereNull === undefined || field(row, spec.whereNull) === null) &&
  (spec.whereNotNull === undefined || field(row, spec.whereNotNull) !== null);

const scanRows = <R extends Row>(rows: readonly R[], { after, where, limit }: ScanQuery): readonly R[] =>
  rows
    .filter(({ id }) => after === undefined || id > after)
    .filter((row) => where === undefined || Reflect.get(row, where.field) === where.value)
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .slice(0, limit);

const listRows = (rows: Rows, name: IndexName, { of, after, limit }: IndexQuery): readonly Row[] => {
  const spec = indexSpec(name);
  const isAfter = (row: Row, order: number, id: string): boolean => {
    const own = Number(field(row, spec.order));
    return own < order || (own === order && row.id < id);
  };
  return [...rowsOf(rows, spec.table).values()]
    .filter((row) => belongs(spec, row, of) && (after === undefined || isAfter(row, after.order, after.id)))
    .toSorted((a, b) => (isAfter(a, Number(field(b, spec.order)), b.id) ? 1 : -1))
    .slice(0, limit);
};

const claimRows = (rows: Rows, query: ClaimQuery, nowMs: number): readonly Row[] => {
  const table = rowsOf(rows, query.table);
  const claimed: Row[] = [];
  for (const row of table.values())
    if ('dueAtMs' in row && row.dueAtMs !== null && row.dueAtMs <= nowMs && claimed.length < query.limit)
      claimed.push({ ...row, owner: query.owner, dueAtMs: nowMs + query.leaseMs });
  for (const row of claimed) table.set(row.id, row);
  return claimed;
};

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const blobsOf = (): Storage['blobs'] => {
  const blobs = new Map<string, Uint8Array>();
  return {
    put: async (key, bytes) => void blobs.set(key, bytes),
    get: async (key) => blobs.get(key),
    putStream: async (key, chunks) => {
      const kept: Uint8Array[] = [];
      for await (const chunk of chunks) kept.push(chunk);
      const whole = Buffer.concat(kept.map((chunk) => Uint8Array.from(chunk)));
      blobs.set(key, whole);
      return whole.length;
    },
    getStream: async (key, range) => {
      const bytes = blobs.get(key);
      if (bytes === undefined) return undefined;
      const part = bytes.subarray(range?.fromByte ?? 0, range?.toByte ?? bytes.length);
      return { sizeBytes: bytes.length, chunks: chunksOf(part) };
    },
    delete: async (key) => void blobs.delete(key),
  };
};

/**
 * The quickest storage there can be, for millions of histories: a step is one batch, carried the moment it is asked for, by
 * the clock of the simulation. Whatever delays, loses or repeats calls lies around it.
 */
export const createSimulatedStore = (now: () => number): Storage => {
  const rows: Rows = new Map(Object.keys(tableColumns).map((table) => [table, new Map<string, Row>()]));
  const look = ({ table, id }: { readonly table: TableName; readonly id: string }) => rowsOf(rows, table).get(id);
  return {
    transact: async (keys, decide) => {
      const batch = createStepBatch(now(), look);
      const answer = batch.decide(keys, decide);
      commit(rows, batch.netWrites());
      return answer;
    },
    read: async (keys) => createStepBatch(now(), look).decide(keys, (records) => ({ writes: [], answer: records })),
    list: async <I extends IndexName>(index: I, query: IndexQuery) =>
      // The rows of an index are rows of the index's own table.
      listRows(rows, index, query) as readonly Tables[IndexTable<I>][],
    scan: async (table, query) => {
      checkScan(table, query);
      return scanRows(recordsIn(rows, table), query);
    },
    claim: async <T extends ClaimableTable>(query: ClaimQuery & { readonly table: T }) =>
      // A claim answers rows of the table it names.
      claimRows(rows, query, now()) as readonly Tables[T][],
    sumUsage: async (query) => {
      checkUsageQuery(query);
      return sumUsageRows(query, recordsIn(rows, query.rollUp), recordsIn(rows, 'usageLine'));
    },
    blobs: blobsOf(),
    vectors: memoryStorage().vectors,
    close: async () => {},
  };
};
