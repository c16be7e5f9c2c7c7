import type { ChildProcess } from 'node:child_process';
import type { Key, Storage } from '@tollgate/storage';

/** A write that the database is to refuse. */
export interface RefusedWrite extends Key {
  /** At the write itself, or only when the transaction that made it commits. */
  readonly at: 'write' | 'commit';
}

/**
 * What a test can do to the database of an opening beside the storage. Each is optional; the suite names at its end the promises
 * that went unproved without it.
 */
export interface StorageHooks {
  /**
   * Makes the database carry out the next commit of `storage`, and loses the connection before the answer. Returns whether that has
   * happened since.
   */
  readonly cut?: () => Promise<() => boolean>;
  /** Makes the database refuse every write of that record, until the returned function is called. */
  readonly refuse?: (write: RefusedWrite) => Promise<() => Promise<void>>;
  /**
   * Holds the stored record, or the whole database, for a transaction of its own until the returned function is called. The storages
   * of this opening must give up waiting within a few seconds.
   */
  readonly hold?: (key: Key) => Promise<() => Promise<void>>;
  /** Starts a process that opens the same data and calls `runStorageWriter` on it; its standard output is a pipe. */
  readonly startWriter?: () => ChildProcess;
  /** Opens the same data by the clock that a storage has by default, which is not that of the process. */
  readonly openOwnClock?: () => Promise<Storage>;
  /** Opens a storage on a database that acknowledges commits before they are durable; must reject. */
  readonly openUnsafe?: () => Promise<Storage>;
  /** How many bytes of blobs are kept in all, with those that no key leads to. */
  readonly blobBytes?: () => number | Promise<number>;
}

export type StorageHook = keyof StorageHooks;
