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
  carrySteps,
  createStepBatch,
  createStepBatcher,
  indexSpec,
  listRowsMax,
  settleSteps,
  watchBatches,
  type OnBatch,
  type BlobStore,
  type ClaimableTable,
  type ClaimQuery,
  type StepBatcher,
  type IndexName,
  type IndexQuery,
  type IndexTable,
  type Key,
  type Storage,
  recordsOfTable,
} from '@tollgate/storage';
import { retryWhileLocked, type BusyLimits } from './busy-retry.ts';
import { commitBatch, type BatchParts } from './commit-batch.ts';
import { createCheckpointer, noCheckpointer, type Checkpointer } from './checkpointer.ts';
import { createClaimRows } from './claim-statements.ts';
import { diskBlobs } from './disk-blobs.ts';
import { createFirstAtOnce } from './first-at-once.ts';
import { createListRows } from './list-statements.ts';
import { memoryBlobs } from './memory-blobs.ts';
import { openDatabase } from './open-database.ts';
import { warnOfExposed, type Warn } from './warn-of-exposed.ts';
import { createRecordCache } from './record-cache.ts';
import { scanRows } from './scan-statements.ts';
import { sumUsage } from './sum-usage.ts';
import { createDatabaseRows } from './table-rows.ts';
import { tableVectors, type VectorTransactions } from './table-vectors.ts';
import { createTransactions } from './transactions.ts';
import { createWalSync, noWalSync, type SyncCalls } from './wal-sync.ts';

export interface SqliteStorageOptions {
  /** The database file, created with its folder where it is missing; or `:memory:`. */
  readonly path: string;
  /** Whether to create what is missing (default true); without it a place that holds no gateway throws `database_missing`. */
  readonly create?: boolean;
  /** The store's clock; the system's by default. */
  readonly now?: () => number;
  /** `full` (the default) syncs before a step is answered; `normal` can lose the last moments in a power cut. */
  readonly synchronous?: 'full' | 'normal';
  /** How long to wait for other processes on the same file before a step is refused with `storage_busy`; 5 s by default. */
  readonly busyTimeoutMs?: number;
  /** The folder of large answers; `<path>-blobs` by default. */
  readonly blobsPath?: string;
  /** How often the log is copied into the database file at the most; 200 ms by default. */
  readonly checkpointEveryMs?: number;
  /** Is shown each batch of steps. */
  readonly onBatch?: OnBatch;
  /** The calls that make bytes durable; those of node:fs by default. */
  readonly sync?: SyncCalls;
  /** Told of files that were there before and that other users of the machine can read; a warning of the process by default. */
  readonly warn?: Warn;
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
  readonly lists: ReturnType<typeof createListRows>;
  readonly claims: ReturnType<typeof createClaimRows>;
  readonly database: DatabaseSync;
}

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
  const rows = createDatabaseRows(database);
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
    blobs: file === null ? memoryBlobs() : diskBlobs(blobsPath),
    lists: createListRows(database, (name) => rows.codec(indexSpec(name).table).columns),
    claims: createClaimRows(database, (table) => rows.codec(table).columns),
    database,
  };
};

const createSteps = (parts: Parts, onBatch: OnBatch | undefined): StepBatcher => {
  const batcher: StepBatcher = createStepBatcher({
    // A sync costs more than a turn's wait, so that where there are syncs a turn's steps share one.
    ...(parts.sync === noWalSync && { schedule: createFirstAtOnce() }),
    flush: watchBatches(onBatch, async (steps) => {
      const outcomes = await carrySteps(steps, async (some, trustFresh) => ({
        kind: 'carried',
        outcomes: await retryWhileLocked(() => commitBatch(parts, some, trustFresh), parts.limits),
      }));
      // Others may be about to come, though none waits yet: what arrived during the commit has not been read.
      await parts.sync.flushed(steps.length === 1 && batcher.waiting() === 0);
      settleSteps(steps, outcomes);
      parts.checkpointer.nudge();
    }),
  });
  return batcher;
};

/** Transactions beside those of steps; each is answered when what it saw or did is on disk. */
const syncedTransactions = ({ transactions, limits, sync }: Parts): VectorTransactions => ({
  write: async (body) => {
    const answer = await retryWhileLocked(() => {
      const done = transactions.write(body);
      sync.written();
      return done;
    }, limits);
    await sync.flushed(true);
    return answer;
  },
  read: async (body) => {
    const answer = await retryWhileLocked(() => transactions.read(body), limits);
    await sync.flushed(true);
    return answer;
  },
});

/** Leases due rows; the commit is not synced yet. */
const leaseDue = ({ transactions, claims, rows, cache, sync, now }: Parts, query: ClaimQuery) => {
  if (!claims.anyDue(query.table, now())) return [];
  const codec = rows.codec(query.table);
  const leased = transactions.write(() => claims.lease(query, now()).map((row) => codec.decode(row)));
  for (const record of leased) cache.put(query.table, record);
  sync.written();
  return leased;
};

const checkKeys = (keys: readonly Key[]): void => {
  for (const { table, id } of keys)
    if (!id.isWellFormed()) throw new Error(`the id of a ${table} is not well-formed Unicode`);
};

const checkLimit = (limit: number): void => {
  if (!Number.isInteger(limit) || limit < 1 || limit > listRowsMax)
    throw new RangeError(`a limit is 1 to ${listRowsMax}: ${limit}`);
};

/** A storage in one SQLite file, which several processes may share. Opens and migrates it before it returns, or throws. */
export const sqliteStorage = (options: SqliteStorageOptions): Storage => {
  checkConfiguration('sqliteStorage', sqliteOptionsCheck, options);
  const parts = createParts(options);
  const { transactions, rows, sync } = parts;
  const steps = createSteps(parts, options.onBatch);
  let closing: Promise<void> | undefined;
  const guard = (): void => {
    if (closing !== undefined) throw new Error('the storage is closed');
    const failure = sync.failure();
    if (failure !== undefined) throw failure;
  };
  const synced = syncedTransactions(parts);
  const close = async (): Promise<void> => {
    await steps.idle();
    await parts.checkpointer.close();
    await sync.close();
    parts.database.close();
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
      const batch = createStepBatch(0, (key) => transactions.find(key));
      return synced.read(() => batch.decide(keys, (records) => ({ writes: [], answer: records })));
    },
    list: async <I extends IndexName>(index: I, query: IndexQuery) => {
      guard();
      checkLimit(query.limit);
      const codec = rows.codec(indexSpec(index).table);
      const records = await synced.read(() => parts.lists(index, query).map((row) => codec.decode(row)));
      return recordsOfTable<IndexTable<I>>(records);
    },
    scan: async (table, query) => {
      guard();
      return recordsOfTable<typeof table>(await synced.read(() => scanRows(parts.database, rows, table, query)));
    },
    claim: async <T extends ClaimableTable>(query: ClaimQuery & { readonly table: T }) => {
      guard();
      checkLimit(query.limit);
      const leased = await retryWhileLocked(() => leaseDue(parts, query), parts.limits);
      await sync.flushed(true);
      return recordsOfTable<T>(leased);
    },
    sumUsage: async (query) => {
      guard();
      return synced.read(() => sumUsage(parts.database, query));
    },
    blobs: parts.blobs,
    vectors: tableVectors(parts.database, synced, guard),
    close: () => (closing ??= close()),
  };
};
