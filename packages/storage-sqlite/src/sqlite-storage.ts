import type { DatabaseSync } from 'node:sqlite';
import {
  callable,
  checkConfiguration,
  flag,
  having,
  oneOf,
  optionsCheck,
  required,
  text,
  timerMs,
  whole,
} from '@tollgate/contract/configuration';
import {
  checkedStorage,
  createStepBatch,
  indexSpec,
  recordsOfBatch,
  type OnBatch,
  type BlobStore,
  type ClaimQuery,
  type IndexName,
  type IndexQuery,
  type ScanQuery,
  type TableName,
  type Storage,
} from '@tollgate/storage';
import {
  createListSql,
  createTables,
  scanSql,
  sqlVectors,
  type ChunkTable,
  type ListSql,
  type TablesSql,
} from '@tollgate/storage/sql';
import { createRunSql, type RunSql } from './array-rows.ts';
import { retryWhileLocked, type BusyLimits } from './busy-retry.ts';
import { commitBatch, type BatchParts } from './commit-batch.ts';
import { createDatabaseSteps } from './database-steps.ts';
import { createCheckpointer, noCheckpointer, type Checkpointer } from './checkpointer.ts';
import { isAnyDue, leaseRows } from './claim-rows.ts';
import { blobsOf } from './disk-blobs.ts';
import { openDatabase } from './open-database.ts';
import { warnOfExposed, type Warn } from './warn-of-exposed.ts';
import { createRecordCache } from './record-cache.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { sumUsage } from './sum-usage.ts';
import { syncedRunner, syncedTransactions } from './synced-transactions.ts';
import { createDatabaseRows } from './table-rows.ts';
import { createTransactions } from './transactions.ts';
import { createWalSync, noWalSync, type SyncCalls } from './wal-sync.ts';

export interface SqliteStorageOptions {
  /** The database file, created with its folder where it is missing; or `:memory:`. */
  readonly path: string;
  /** Whether to create what is missing (default true); without it a place that holds no gateway throws `database_missing`. */
  readonly create?: boolean | undefined;
  /** The store's clock; the system's by default. */
  readonly now?: (() => number) | undefined;
  /** `full` (the default) syncs before a step is answered; `normal` can lose the last moments in a power cut. */
  readonly synchronous?: 'full' | 'normal' | undefined;
  /** How long to wait for other processes on the same file before a step is refused with `storage_busy`; 5 s by default. */
  readonly busyTimeoutMs?: number | undefined;
  /** The folder of large answers; `<path>-blobs` by default. */
  readonly blobsPath?: string | undefined;
  /** How often the log is copied into the database file at the most; 200 ms by default. */
  readonly checkpointEveryMs?: number | undefined;
  /** Is shown each batch of steps. */
  readonly onBatch?: OnBatch | undefined;
  /** The calls that make bytes durable; those of node:fs by default. */
  readonly sync?: SyncCalls | undefined;
  /** Told of files that were there before and that other users of the machine can read; a warning of the process by default. */
  readonly warn?: Warn | undefined;
}

const sqliteOptionsCheck = optionsCheck<SqliteStorageOptions>({
  path: required(text({ accepted: "is the path of a file, or ':memory:'" })),
  create: flag(),
  now: callable(),
  synchronous: oneOf('full', 'normal'),
  busyTimeoutMs: whole(),
  blobsPath: text(),
  checkpointEveryMs: timerMs(),
  onBatch: callable(),
  sync: having<SyncCalls>('fdatasync', 'fdatasyncSync'),
  warn: callable(),
});

interface Parts extends BatchParts {
  readonly limits: BusyLimits;
  readonly checkpointer: Checkpointer;
  readonly blobs: BlobStore;
  readonly run: RunSql;
  readonly tables: TablesSql;
  readonly lists: ListSql;
  readonly database: DatabaseSync;
}

const chunkTable: ChunkTable = { number: 'id', dimensions: 'dimensions', isAlone: true };

const monotonicMs = (): number => performance.now();

const createParts = (options: SqliteStorageOptions): Parts => {
  const { path, create = true, now = Date.now, synchronous = 'full', checkpointEveryMs = 200 } = options;
  const limits: BusyLimits = { busyTimeoutMs: options.busyTimeoutMs ?? 5_000, monotonicMs };
  const database = openDatabase({ path, create }, limits);
  // SQLite names the log after the file it found behind any links; a database in memory has no file.
  const file = database.location();
  const sync =
    file === null || synchronous === 'normal'
      ? noWalSync
      : createWalSync({ walPath: `${file}-wal`, monotonicMs, calls: options.sync });
  const blobsPath = options.blobsPath ?? `${file}-blobs`;
  if (file !== null) warnOfExposed(file, blobsPath, options.warn);
  // JSON that was made anew counts as changed, for writing it costs less than comparing.
  const tables = createTables(sqliteDialect, { comparesJson: false });
  const rows = createDatabaseRows(database, tables);
  const cache = createRecordCache();
  return {
    limits,
    sync,
    rows,
    cache,
    now,
    transactions: createTransactions({ database, rows, cache, sync }),
    checkpointer:
      file === null
        ? noCheckpointer
        : createCheckpointer({
            file,
            checkpointHere: () => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'),
            everyMs: checkpointEveryMs,
            monotonicMs,
          }),
    blobs: blobsOf(file, blobsPath),
    run: createRunSql(database),
    tables,
    lists: createListSql(sqliteDialect, tables),
    database,
  };
};

/** Leases due rows; the commit is not synced yet. */
const leaseDue = ({ transactions, run, tables, cache, sync, now }: Parts, query: ClaimQuery) => {
  if (!isAnyDue(run, query.table, now())) return [];
  const { codec } = tables(query.table);
  const leased = transactions.write(() => leaseRows(run, tables, query, now()).map((row) => codec.decode(row)));
  for (const record of leased) cache.put(query.table, record);
  sync.written();
  return leased;
};

/** All rows of a table in the order of an index. */
const listRows = ({ run, tables, lists }: Parts, index: IndexName, query: IndexQuery) =>
  run(lists(index, query)).map((row) => tables(indexSpec(index).table).codec.decode(row));

const scanRows = ({ run, tables }: Parts, table: TableName, query: ScanQuery) =>
  run(scanSql(sqliteDialect, tables(table), table, query)).map((row) => tables(table).codec.decode(row));

/** A storage in one SQLite file, which several processes may share. Opens and migrates it before it returns, or throws. */
export const sqliteStorage = (options: SqliteStorageOptions): Storage => {
  checkConfiguration('sqliteStorage', sqliteOptionsCheck, options);
  const parts = createParts(options);
  const { transactions, sync, run } = parts;
  const steps = createDatabaseSteps({
    ...parts,
    commit: (some, trustFresh) => commitBatch(parts, some, trustFresh),
    onBatch: options.onBatch,
  });
  const synced = syncedTransactions(parts);
  return checkedStorage(
    (guard) => ({
      steps,
      read: (keys) =>
        synced.read(() =>
          recordsOfBatch(
            createStepBatch(0, (key) => transactions.find(key)),
            keys,
          ),
        ),
      list: (index, query) => synced.read(() => listRows(parts, index, query)),
      scan: (table, query) => synced.read(() => scanRows(parts, table, query)),
      claim: async (query) => {
        const leased = await retryWhileLocked(() => leaseDue(parts, query), parts.limits);
        await sync.flushed(true);
        return leased;
      },
      sumUsage: (query) => synced.read(() => sumUsage(run, query)),
      blobs: parts.blobs,
      vectors: sqlVectors(syncedRunner(synced, run, guard), chunkTable),
      close: async () => {
        await steps.idle();
        await parts.checkpointer.close();
        await sync.close();
        parts.database.close();
      },
    }),
    { failure: () => sync.failure() },
  );
};
