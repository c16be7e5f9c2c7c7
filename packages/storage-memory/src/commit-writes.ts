import type { NetWrite } from '@tollgate/storage';
import { frozenRecord } from './frozen-record.ts';
import type { MemoryDisk } from './memory-disk.ts';

const checked = (disk: MemoryDisk, write: NetWrite): NetWrite => {
  const id = write.kind === 'delete' ? write.id : write.record.id;
  const stored = disk.rows(write.table).has(id);
  if (write.kind === 'insert' && stored) throw new Error(`row exists already: ${write.table} ${id}`);
  if (write.kind !== 'insert' && !stored) throw new Error(`row does not exist: ${write.table} ${id}`);
  return write.kind === 'delete' ? write : { ...write, record: frozenRecord(write.table, write.record) };
};

/** Commits all writes, or throws and commits none. */
export const commitWrites = (disk: MemoryDisk, writes: readonly NetWrite[]): void => {
  const sound = writes.map((write) => checked(disk, write));
  for (const write of sound) {
    if (write.kind === 'delete') disk.rows(write.table).delete(write.id);
    else disk.rows(write.table).set(write.record.id, write.record);
  }
};
