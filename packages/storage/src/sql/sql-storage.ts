import type { BlobStore } from '../blob-store.ts';
import { connectionOf } from '../connection-of.ts';
import { carrySteps, decideSteps, settleSteps, type CarryRetries } from '../carry-steps.ts';
import { checkScan } from '../check-scan.ts';
import {
  indexSpec,
  listRowsMax,
  type IndexName,
  type IndexQuery,
  type IndexTable,
  type ScanQuery,
} from '../indexes.ts';
import { createStepBatch } from '../step-batch.ts';
import { createStepBatcher, type QueuedStep, type StepBatcher } from '../step-batcher.ts';
import type { ClaimQuery, Key, Storage } from '../storage.ts';
import { tablesInLockOrder } from '../table-access.ts';
import type { ClaimableTable } from '../table-groups.ts';
import type { TableName } from '../tables.ts';
import { recordsOfTable } from '../typed-records.ts';
import { checkUsageQuery, type UsageSumQuery } from '../usage-sums.ts';
import type { VectorIndex } from '../vector-index.ts';
import { watchBatches, type OnBatch } from '../watch-batches.ts';
import { carrySqlBatch, wantedBy } from './carry-sql-batch.ts';
import { migrateSql } from './migrate-sql.ts';
import { sqlBlobs, type SqlRunner } from './sql-blobs.ts';
import { plainSql, type Sql, type SqlConnection } from './sql-connection.ts';
import type { SqlDialect } from './sql-dialect.ts';
import { createSqlSession, type SqlSession } from './sql-session.ts';
import { readSnapshot, retrying, runTransaction } from './sql-transaction.ts';
import { sqlVectors } from './sql-vectors.ts';
import { sumUsageSql } from './sum-usage-sql.ts';
import { createTableSql, dueSql, leaseSql, listSql, recordsById, scanSql, type TablesSql } from './table-sql.ts';

export interface SqlStorageOptions {
  readonly dialect: SqlDialect;
  /** Opens one connection, checked and set up. */
  readonly open: () => Promise<SqlConnection>;
  readonly retries: CarryRetries;
  /** Concurrent batches of steps, each on a connection of its own. */
  readonly batchConnections: number;
  readonly stepsPerBatchMax: number;
  /** Whether a database without a gateway gets its tables; else `database_missing` is thrown. */
  readonly create: boolean;
  /** Replaces the server's clock, for tests. */
  readonly now?: (() => number) | undefined;
  readonly onBatch?: OnBatch | undefined;
  /** Rows of the same database by default. */
  readonly blobs?: BlobStore | undefined;
  readonly vectors?: VectorIndex | undefined;
}

interface Parts extends Omit<SqlStorageOptions, 'now'> {
  readonly tables: TablesSql;
  readonly now: (() => number) | null;
  readonly batches: readonly SqlSession[];
  readonly reader: SqlSession;
  /** For everything that is neither a batch nor a read. */
  readonly desk: SqlSession;
}

const createTables = (dialect: SqlDialect): TablesSql => {
  const tables = new Map(tablesInLockOrder.map((table) => [table, createTableSql(dialect, table)]));
  return (name) => {
    const table = tables.get(name);
    if (table === undefined) throw new Error(`no such table: ${name}`);
    return table;
  };
};

const createSteps = (parts: Parts): StepBatcher =>
  createStepBatcher({
    batchConnections: parts.batches.length,
    connectionOf,
    stepsPerBatchMax: parts.stepsPerBatchMax,
    flush: watchBatches(parts.onBatch, async (steps, at) => {
      const session = parts.batches[at];
      if (session === undefined) throw new Error(`there is no batch connection ${at}`);
      const attempt = async (some: readonly QueuedStep[], trustFresh: boolean) => {
        try {
          return await session.use((connection) => carrySqlBatch(parts, connection, some, trustFresh));
        } catch (cause) {
          // Without a connection nothing was sent.
          return parts.dialect.faultOf(cause) === 'lost'
            ? ({ kind: 'busy', cause } as const)
            : ({ kind: 'nothing', cause } as const);
        }
      };
      settleSteps(steps, await carrySteps(steps, attempt, parts.retries));
    }),
  });

const readKeys = async ({ dialect, tables }: Parts, connection: SqlConnection, steps: readonly QueuedStep[]) => {
  const wanted = wantedBy(
    steps.flatMap(({ keys }) => keys),
    false,
  );
  const results = await readSnapshot(
    dialect,
    connection,
    wanted.map(({ table, ids }) => tables(table).read(ids)),
  );
  const found = new Map(wanted.map(({ table }, at) => [table, recordsById(tables(table), results[at] ?? [])]));
  return createStepBatch(0, ({ table, id }) => found.get(table)?.get(id));
};

/** Reads that wait together are one round trip. */
const createReads = (parts: Parts): StepBatcher =>
  createStepBatcher({
    flush: async (steps) => {
      const batch = await retrying(parts.dialect, parts.retries, () =>
        parts.reader.use((connection) => readKeys(parts, connection, steps)),
      );
      settleSteps(steps, decideSteps(batch, steps));
    },
  });

const createRunner = ({ dialect, retries, desk }: Parts, guard: () => void): SqlRunner => {
  const run = <T>(body: (connection: SqlConnection) => Promise<T>): Promise<T> => {
    guard();
    return retrying(dialect, retries, () => desk.use(body));
  };
  return {
    dialect,
    query: (statement: Sql) => run(async (connection) => (await connection.run([statement]))[0] ?? []),
    transact: (loads, plan) => run((connection) => runTransaction(dialect, connection, loads, plan)),
  };
};

const claimRows = (
  { dialect, tables, now }: Parts,
  runner: SqlRunner,
  query: ClaimQuery,
): Promise<readonly object[]> => {
  const { table, owner, leaseMs } = query;
  if (!Number.isSafeInteger(leaseMs)) throw new RangeError(`a lease is a whole number of milliseconds: ${leaseMs}`);
  const nowMs = now?.() ?? null;
  const loads = [plainSql(`SELECT ${dialect.clock}`), dueSql(dialect, tables(table), query, nowMs)];
  return runner.transact(loads, ([clock, due = []]) => {
    const dueAtMs = (nowMs ?? Number(clock?.[0]?.[0])) + leaseMs;
    const rows = due.map((row) => ({ ...tables(table).codec.decode(row), owner, dueAtMs }));
    const ids = rows.map(({ id }) => id);
    const writes = ids.length === 0 ? [] : [leaseSql(dialect, table, ids, { owner, dueAtMs })];
    return { writes, answer: () => rows };
  });
};

const checkKeys = (keys: readonly Key[]): void => {
  for (const { table, id } of keys)
    if (!id.isWellFormed()) throw new Error(`the id of a ${table} is not well-formed Unicode`);
};

const checkLimit = (limit: number): void => {
  if (!Number.isInteger(limit) || limit < 1 || limit > listRowsMax)
    throw new RangeError(`a limit is 1 to ${listRowsMax}: ${limit}`);
};

const prepare = async ({ dialect, create, batches, reader, desk }: Parts): Promise<void> => {
  await desk.use((connection) => migrateSql(dialect, connection, create));
  await Promise.all([...batches, reader].map((session) => session.use(() => Promise.resolve())));
};

const closeAll = ({ batches, reader, desk }: Parts): void => {
  for (const session of [...batches, reader, desk]) session.close();
};

/** Lists an index on the connection of the runner. */
const listRows = async ({ dialect, tables }: Parts, runner: SqlRunner, index: IndexName, query: IndexQuery) => {
  checkLimit(query.limit);
  const rows = await runner.query(listSql(dialect, tables, index, query));
  return rows.map((row) => tables(indexSpec(index).table).codec.decode(row));
};

const sumUsage = ({ dialect, tables, retries, desk }: Parts, query: UsageSumQuery) => {
  checkUsageQuery(query);
  return retrying(dialect, retries, () => desk.use((connection) => sumUsageSql(dialect, tables, connection, query)));
};

const scanRows = async ({ dialect, tables }: Parts, runner: SqlRunner, table: TableName, query: ScanQuery) => {
  checkScan(table, query);
  const rows = await runner.query(scanSql(dialect, tables(table), table, query));
  return rows.map((row) => tables(table).codec.decode(row));
};

const createStorage = (parts: Parts): Storage => {
  let closing: Promise<void> | undefined;
  const guard = (): void => {
    if (closing !== undefined) throw new Error('the storage is closed');
  };
  const [steps, reads, runner] = [createSteps(parts), createReads(parts), createRunner(parts, guard)];
  const close = async (): Promise<void> => {
    await Promise.all([steps.idle(), reads.idle()]);
    closeAll(parts);
  };
  return {
    transact: async (keys, decide) => {
      guard();
      checkKeys(keys);
      return steps.submit(keys, decide);
    },
    read: async (keys) => {
      guard();
      checkKeys(keys);
      return reads.submit(keys, (records) => ({ writes: [], answer: records }));
    },
    list: async <I extends IndexName>(index: I, query: IndexQuery) =>
      recordsOfTable<IndexTable<I>>(await listRows(parts, runner, index, query)),
    scan: async (table, query) => recordsOfTable<typeof table>(await scanRows(parts, runner, table, query)),
    claim: async <T extends ClaimableTable>(query: ClaimQuery & { readonly table: T }) => {
      checkLimit(query.limit);
      return recordsOfTable<T>(await claimRows(parts, runner, query));
    },
    sumUsage: async (query) => {
      guard();
      return sumUsage(parts, query);
    },
    blobs: parts.blobs ?? sqlBlobs(runner),
    vectors: parts.vectors ?? sqlVectors(runner),
    close: () => (closing ??= close()),
  };
};

/** A storage on a database of SQL. Brings the schema up to date and opens its connections before it resolves. */
export const openSqlStorage = async (options: SqlStorageOptions): Promise<Storage> => {
  const session = (): SqlSession => createSqlSession(options.open);
  const parts: Parts = {
    ...options,
    now: options.now ?? null,
    tables: createTables(options.dialect),
    batches: Array.from({ length: options.batchConnections }, session),
    reader: session(),
    desk: session(),
  };
  try {
    await prepare(parts);
  } catch (cause) {
    closeAll(parts);
    throw cause;
  }
  return createStorage(parts);
};
