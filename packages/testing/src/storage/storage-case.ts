import type { Storage } from '@tollgate/storage';

/** A storage that was opened for one case on data of its own. */
export interface OpenedStorage {
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
}

/** One thing that every storage must do. */
export interface StorageCase {
  readonly name: string;
  readonly run: (world: StorageWorld) => Promise<void>;
}

/** Runs a case on what was opened, and closes whatever is open then. */
export const runStorageCase = async (storageCase: StorageCase, opened: OpenedStorage): Promise<void> => {
  const { storage, reopen, setNow } = opened;
  const open = [storage];
  const other = async (): Promise<Storage> => {
    if (reopen === undefined) return storage;
    const reopened = await reopen();
    open.push(reopened);
    return reopened;
  };
  try {
    await storageCase.run({ storage, other, setNow });
  } finally {
    await Promise.all(open.map((one) => one.close()));
  }
};
