import { setTimeout as delay } from 'node:timers/promises';
import {
  callable,
  checkConfiguration,
  flag,
  having,
  optionsCheck,
  required,
  whole,
} from '@tollgate/contract/configuration';
import type { BlobStore, CarryRetries, OnBatch, Storage, VectorIndex } from '@tollgate/storage';
import { openSqlStorage, retrying } from '@tollgate/storage/sql';
import { driverConnection, type SqliteDriver } from './driver-connection.ts';
import { sqliteDialect } from './sqlite-dialect.ts';

export interface DriverStorageOptions {
  /** Opens one connection to the database; called a few times, and again after one was lost. */
  readonly open: () => SqliteDriver | Promise<SqliteDriver>;
  /** Whether to create missing tables (default true); without it a database that holds no gateway throws `database_missing`. */
  readonly create?: boolean | undefined;
  /** How often what found the database locked is tried again, after waits of up to 20 ms, before it is `storage_busy`; 300 by default. */
  readonly retriesMax?: number | undefined;
  /** Where large answers lie; tables of the database by default. */
  readonly blobs?: BlobStore | undefined;
  /** Where texts of documents are found; a table of the database by default. */
  readonly vectors?: VectorIndex | undefined;
  /** Is shown each batch of steps. */
  readonly onBatch?: OnBatch | undefined;
  /** Replaces the clock of SQLite, for tests. */
  readonly now?: (() => number) | undefined;
}

const driverOptionsCheck = optionsCheck<DriverStorageOptions>({
  open: required(callable()),
  create: flag(),
  retriesMax: whole(),
  blobs: having<BlobStore>('put', 'get', 'putStream', 'getStream', 'delete'),
  vectors: having<VectorIndex>('put', 'search', 'remove'),
  onBatch: callable(),
  now: callable(),
});

const longestWaitMs = 20;

/**
 * A storage in SQLite through a driver of the host, such as those of Bun and Deno, where `node:sqlite` is not at hand. All of it is
 * made by the kit from the dialect that `sqliteStorage` has. That one is several times as fast, and its schema is another: neither opens
 * a database of the other.
 */
export const driverStorage = (options: DriverStorageOptions): Promise<Storage> => {
  checkConfiguration('driverStorage', driverOptionsCheck, options);
  const { open, create = true, retriesMax = 300, ...rest } = options;
  const retries: CarryRetries = { retriesMax, wait: (made) => delay(Math.min(longestWaitMs, made)) };
  return openSqlStorage({
    ...rest,
    dialect: sqliteDialect,
    open: () => retrying(sqliteDialect, retries, async () => driverConnection(await open())),
    retries,
    // The one transaction that writes is alone: more connections for batches would wait for one another.
    batchConnections: 1,
    stepsPerBatchMax: 512,
    create,
  });
};
