import type { Storage } from '@tollgate/storage';
import { BrokenPromise, settledWithin } from '../broken-promise.ts';
import type { StorageHook, StorageHooks, StorageWriter } from './storage-hooks.ts';
import { storagePromises, type StoragePromise } from './storage-promises.ts';

/** A storage that was opened for one case on data of its own. */
export interface OpenedStorage extends StorageHooks {
  readonly storage: Storage;
  /**
   * Opens the same data through another storage, as another process would; `storage` may still be open. Absent only where
   * nothing but `storage` itself can reach the data, as with SQLite's `:memory:`; the cases then knock at the one door twice.
   */
  readonly reopen?: () => Promise<Storage>;
  /** Sets the store's clock. */
  readonly setNow: (ms: number) => void | Promise<void>;
}

/** What a case works on. */
export interface StorageWorld {
  readonly storage: Storage;
  /** The same data through another storage where there can be one. Closed by the suite. */
  readonly other: () => Promise<Storage>;
  readonly setNow: (ms: number) => void | Promise<void>;
  /** What the opening can do to its database. Throws where a case did not say that it needs the hook. */
  readonly hook: <H extends StorageHook>(name: H) => NonNullable<StorageHooks[H]>;
  /** Starts a process that writes, which is killed at the latest when the case has ended. */
  readonly startWriter: () => StorageWriter;
  /** Closes the storage when the case has ended. */
  readonly closeLater: (storage: Storage) => Storage;
}

/** One thing that every storage must do. */
export interface StorageCase {
  readonly promise: StoragePromise;
  readonly name: string;
  /** Without this hook of the opening the case proves nothing, and is skipped. */
  readonly needs?: StorageHook;
  readonly run: (world: StorageWorld) => Promise<void>;
}

/** How long a case may take, and the closing of its storages: what takes longer hangs. */
const caseMsMax = 120_000;
const closeMsMax = 30_000;

/** What a case has opened and started. */
interface Begun {
  readonly storages: Storage[];
  readonly writers: StorageWriter[];
}

const worldOf = (opened: OpenedStorage, { storages, writers }: Begun): StorageWorld => {
  const { storage, reopen, setNow } = opened;
  const closeLater = (one: Storage): Storage => {
    storages.push(one);
    return one;
  };
  const hook = <H extends StorageHook>(name: H): NonNullable<StorageHooks[H]> => {
    const found = opened[name];
    if (found === undefined) throw new Error(`the opening has no ${name}`);
    return found;
  };
  return {
    storage,
    other: async () => (reopen === undefined ? storage : closeLater(await reopen())),
    setNow,
    closeLater,
    hook,
    startWriter: () => {
      const writer = hook('startWriter')();
      writers.push(writer);
      return writer;
    },
  };
};

/** Runs a case on what was opened, and closes whatever is open then. A failure names the promise that is broken. */
export const runStorageCase = async (
  storageCase: StorageCase,
  opened: OpenedStorage,
  limitMs = caseMsMax,
): Promise<void> => {
  const { promise } = storageCase;
  const begun: Begun = { storages: [opened.storage], writers: [] };
  const closeAll = (): Promise<unknown> => {
    for (const writer of begun.writers) writer.kill();
    return settledWithin(Math.min(limitMs, closeMsMax), Promise.all(begun.storages.map((one) => one.close())));
  };
  try {
    await settledWithin(limitMs, storageCase.run(worldOf(opened, begun)));
  } catch (cause) {
    // What broke the case may keep its storages from closing, too: the first error is the one that tells.
    await closeAll().catch(() => undefined);
    throw new BrokenPromise(promise, storagePromises[promise], cause);
  }
  try {
    await closeAll();
  } catch (cause) {
    throw new BrokenPromise('S17', storagePromises.S17, cause);
  }
};
