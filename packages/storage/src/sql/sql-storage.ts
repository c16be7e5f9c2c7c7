import type { BlobStore } from '../blob-store.ts';
import { checkedStorage } from '../checked-storage.ts';
import { connectionOf } from '../connection-of.ts';
import { carrySteps, decideSteps, settleSteps, type CarryRetries } from '../carry-steps.ts';
import { indexSpec, type IndexName, type IndexQuery, type ScanQuery } from '../indexes.ts';
import { createStepBatcher, type QueuedStep, type StepBatcher } from '../step-batcher.ts';
import type { ClaimQuery, Storage } from '../storage.ts';
import type { TableName } from '../tables.ts';
import type { VectorIndex } from '../vector-index.ts';
import { watchBatches, type OnBatch } from '../watch-batches.ts';
import { carrySqlBatch, createBatchSql } from './carry-sql-batch.ts';
import { readTogether, type BatchSql } from './run-batch.ts';
import { createListSql, type ListSql } from './list-sql.ts';
import { migrateSql } from './migrate-sql.ts';
import { sqlBlobs, type SqlRunner } from './sql-blobs.ts';
import { plainSql, type Sql, type SqlConnection } from './sql-connection.ts';
import type { SqlDialect } from './sql-dialect.ts';
import { createSqlSession, type SqlSession } from './sql-session.ts';
import { readSnapshot, retrying, runTransaction } from './sql-transaction.ts';
import { sqlVectors } from './sql-vectors.ts';
import { sumUsageSql } from './sum-usage-sql.ts';
import { createTables, dueSql, leaseSql, scanSql, type TablesSql } from './table-sql.ts';

export interface SqlStorageOptions {
  readonly dialect: SqlDialect;
  /** Opens one connection, checked and set up: for the batches of this number, or for everything else. */
  readonly open: (batchConnection: number | null) => Promise<SqlConnection>;
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
  readonly lists: ListSql;
  readonly sql: BatchSql<Sql>;
  readonly now: (() => number) | null;
  readonly batches: readonly SqlSession[];
  readonly reader: SqlSession;
  /** For everything that is neither a batch nor a read. */
  readonly desk: SqlSession;
}

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

/** Reads that wait together are one round trip. */
const createReads = (parts: Parts): StepBatcher =>
  createStepBatcher({
    flush: async (steps) => {
      const batch = await retrying(parts.dialect, parts.retries, () =>
        parts.reader.use((connection) =>
          readTogether(parts.sql, steps, (reads) => readSnapshot(parts.dialect, connection, reads)),
        ),
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

const prepare = async ({ dialect, create, retries, batches, reader, desk }: Parts): Promise<void> => {
  await desk.use((connection) => migrateSql(dialect, connection, { create, retries }));
  await Promise.all([...batches, reader].map((session) => session.use(() => Promise.resolve())));
};

const closeAll = ({ batches, reader, desk }: Parts): void => {
  for (const session of [...batches, reader, desk]) session.close();
};

/** Lists an index on the connection of the runner. */
const listRows = async ({ tables, lists }: Parts, runner: SqlRunner, index: IndexName, query: IndexQuery) => {
  const rows = await runner.query(lists(index, query));
  return rows.map((row) => tables(indexSpec(index).table).codec.decode(row));
};

const scanRows = async ({ dialect, tables }: Parts, runner: SqlRunner, table: TableName, query: ScanQuery) => {
  const rows = await runner.query(scanSql(dialect, tables(table), table, query));
  return rows.map((row) => tables(table).codec.decode(row));
};

const createStorage = (parts: Parts): Storage =>
  checkedStorage((guard) => {
    const { dialect, tables } = parts;
    const [steps, reads, runner] = [createSteps(parts), createReads(parts), createRunner(parts, guard)];
    return {
      steps,
      read: (keys) => reads.submit(keys, (records) => ({ writes: [], answer: records })),
      list: (index, query) => listRows(parts, runner, index, query),
      scan: (table, query) => scanRows(parts, runner, table, query),
      claim: (query) => claimRows(parts, runner, query),
      sumUsage: (query) =>
        retrying(dialect, parts.retries, () =>
          parts.desk.use((connection) => sumUsageSql(dialect, tables, connection, query)),
        ),
      blobs: parts.blobs ?? sqlBlobs(runner),
      vectors: parts.vectors ?? sqlVectors(runner),
      close: async () => {
        await Promise.all([steps.idle(), reads.idle()]);
        closeAll(parts);
      },
    };
  });

/** A storage on a database of SQL. Brings the schema up to date and opens its connections before it resolves. */
export const openSqlStorage = async (options: SqlStorageOptions): Promise<Storage> => {
  const session = (batchConnection: number | null): SqlSession => createSqlSession(() => options.open(batchConnection));
  const tables = createTables(options.dialect);
  const parts: Parts = {
    ...options,
    now: options.now ?? null,
    tables,
    lists: createListSql(options.dialect, tables),
    sql: createBatchSql(options.dialect, tables),
    batches: Array.from({ length: options.batchConnections }, (_, at) => session(at)),
    reader: session(null),
    desk: session(null),
  };
  try {
    await prepare(parts);
  } catch (cause) {
    closeAll(parts);
    throw cause;
  }
  return createStorage(parts);
};
