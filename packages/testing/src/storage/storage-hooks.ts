import type { Key, Storage } from '@tollgate/storage';

/** Makes the database refuse to write a record, until the returned function is called. */
export type RefuseWrites = (key: Key) => Promise<() => Promise<void>>;

export interface HeldRecords {
  /** Holds the stored record, or the whole database, in a transaction of another client until the returned function is called. */
  readonly take: (key: Key) => Promise<() => Promise<void>>;
  /** Opens the same data through a storage that waits for locks a tenth of a second or so, for cases that wait in vain. */
  readonly openImpatient: () => Promise<Storage>;
}

/** A process that calls `runStorageWriter` on a storage of its own. */
export interface StorageWriter {
  /** The numbers that were acknowledged, one a line. Ends with the process. */
  readonly lines: AsyncIterable<string>;
  /** Kills the process without a warning. */
  readonly kill: () => void;
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
  /** Refuses the write itself. */
  readonly refuse?: RefuseWrites;
  /** Takes the write and refuses the commit of its transaction. */
  readonly refuseCommit?: RefuseWrites;
  /** Lets another client of the database hold what a step needs. */
  readonly hold?: HeldRecords;
  /** Starts a process that opens the same data and writes to it until it is killed; `startStorageWriter` makes one. */
  readonly startWriter?: () => StorageWriter;
  /** Opens the same data by the clock that a storage has by default, which is not that of the process. */
  readonly openOwnClock?: () => Promise<Storage>;
  /** Opens a storage on a database that acknowledges commits before they are durable; must reject. */
  readonly openUnsafe?: () => Promise<Storage>;
  /** How many bytes of blobs are kept in all, with those that no key leads to. */
  readonly blobBytes?: () => number | Promise<number>;
}

export type StorageHook = keyof StorageHooks;
