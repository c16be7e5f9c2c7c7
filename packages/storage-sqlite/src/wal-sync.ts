import * as fs from 'node:fs';

/** The two calls that make written bytes durable; those of node:fs by default. */
export interface SyncCalls {
  readonly fdatasync: (fd: number, done: (cause: Error | null) => void) => void;
  readonly fdatasyncSync: (fd: number) => void;
}

export interface WalSyncOptions {
  /** The database's `-wal` file; it must exist. */
  readonly walPath: string;
  readonly calls?: SyncCalls | undefined;
  /** A clock that never goes back. */
  readonly monotonicMs: () => number;
}

/** Knows which commits are on disk. */
export interface WalSync {
  /** Says that there is something in the log that was not synced: an own commit, or one of another process. */
  written(): void;
  /**
   * Resolves when everything that was written before the call is on disk; where it is already, there is no promise to wait for. With
   * `alone`, when no other step waits, a disk that is fast is waited for on this thread. Rejects for good after a sync that failed.
   */
  flushed(alone: boolean): Promise<void> | undefined;
  /** Why nothing can be promised any more. */
  failure(): Error | undefined;
  close(): Promise<void>;
}

/** A disk that took longer for the last sync is not waited for on the event loop's thread. */
const inlineSyncMsMax = 0.5;

/**
 * The durable half of a commit, outside SQLite, so that it need not hold up the event loop.
 *
 * The connection commits with synchronous=NORMAL: SQLite then writes the frames of a transaction to the log and does not
 * sync it. What FULL would add is one sync of the log after the commit frame and before COMMIT returns (sqlite3WalFrames with
 * WAL_SYNC_TRANSACTIONS; frames need no padding as the unix and Windows file systems claim powersafe overwrite). This object
 * does that sync before any step is answered. It gives the same promise because:
 * - A sync acts on the file, not on who wrote it. It covers the header and every frame written before, own or another
 *   process's, and a transaction counts on recovery only if all frames before it are whole. The order is kept: a later sync
 *   that succeeds proves the earlier commits too.
 * - What ordering needs SQLite does itself under NORMAL as under FULL: it syncs the header (and the directory of a new log)
 *   when a log begins anew, syncs the log before a checkpoint copies from it, and the database before the log is reused. A
 *   commit that a checkpoint overtakes before this sync is durable in the database file.
 * - The descriptor is safe: SQLite takes its locks on the database and the `-shm` file, never on the log, so closing ours
 *   drops no lock. The file stays the same one while the connection is open: a log is deleted only by the last connection to
 *   close, and truncated in place.
 * Where it differs from FULL: a commit is visible, here and to other processes, before it is synced. So answers wait: reads
 * that found something unsynced wait for the sync, and a process that finds commits of another one (`PRAGMA data_version`)
 * counts them as written and unsynced.
 * - After a failed sync the kernel may forget the pages that it could not write, and a second sync would succeed over the
 *   hole. FULL would take the commit back; here it is visible already. So the storage stops for good and the process that opens the
 *   database next copies the log into the database file first (see `openDatabase`), which syncs what is in memory anew.
 */
export const createWalSync = (options: WalSyncOptions): WalSync => {
  const { walPath, calls = fs, monotonicMs } = options;
  // Opened early: the kernel tells a descriptor of failures since it was opened. Windows flushes writable ones only.
  const fd = fs.openSync(walPath, 'r+');
  let writes = 0;
  let synced = 0;
  let lastSyncMs = 0;
  let running: Promise<void> | undefined;
  let failure: Error | undefined;
  const done = (upTo: number, startedMs: number): void => {
    synced = upTo;
    lastSyncMs = monotonicMs() - startedMs;
  };
  const failed = (cause: unknown): void => {
    failure = new Error('the database could not be synced, so nothing more can be promised', { cause });
  };
  const syncInline = (): void => {
    const [upTo, startedMs] = [writes, monotonicMs()];
    try {
      calls.fdatasyncSync(fd);
      done(upTo, startedMs);
    } catch (cause) {
      failed(cause);
    }
  };
  const syncAside = (): Promise<void> =>
    new Promise((resolve) => {
      const [upTo, startedMs] = [writes, monotonicMs()];
      calls.fdatasync(fd, (cause) => {
        running = undefined;
        if (cause === null) done(upTo, startedMs);
        else failed(cause);
        resolve();
      });
    });
  const isDone = (target: number): boolean => synced >= target || failure !== undefined;
  const syncUpTo = async (target: number): Promise<void> => {
    // One sync after another: one that began earlier does not cover what was written since.
    while (!isDone(target)) await (running ??= syncAside());
    if (failure !== undefined) throw failure;
  };
  return {
    written: () => {
      writes += 1;
    },
    flushed: (alone) => {
      if (!isDone(writes) && running === undefined && alone && lastSyncMs <= inlineSyncMsMax) syncInline();
      if (failure !== undefined) return Promise.reject(failure);
      return synced >= writes ? undefined : syncUpTo(writes);
    },
    failure: () => failure,
    close: async () => {
      await running;
      fs.closeSync(fd);
    },
  };
};

/** For data that dies with the process, or a host that chose speed over the last moments before a power cut. */
export const noWalSync: WalSync = {
  written: () => undefined,
  flushed: () => undefined,
  failure: () => undefined,
  close: async () => undefined,
};
