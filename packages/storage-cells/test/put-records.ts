import type { Key, Storage, Write } from '@tollgate/storage';
import { createMemoryDisk, memoryStorage, type MemoryDisk } from '@tollgate/storage-memory';

export const keysOfWrites = (writes: readonly Write[]): readonly Key[] =>
  writes.map((write) => ({ table: write.table, id: write.kind === 'delete' ? write.id : write.record.id }));

/** Carries writes out by one step. */
export const putRecords = (storage: Storage, writes: readonly Write[]): Promise<void> =>
  storage.transact(keysOfWrites(writes), () => ({ writes, answer: undefined }));

/** A storage with these records. */
export const withRecords = async (
  writes: readonly Write[],
  disk: MemoryDisk = createMemoryDisk(),
): Promise<Storage> => {
  const storage = memoryStorage({ disk });
  await putRecords(storage, writes);
  return storage;
};
