import type { NetWrite } from '@tollgate/storage';
import { frozenRecord } from './frozen-record.ts';
import type { MemoryDisk } from './memory-disk.ts';

/** What a row was before was read from this disk in the same turn, so that it is still there. */
const checked = (disk: MemoryDisk, write: NetWrite): NetWrite => {
  switch (write.kind) {
    case 'insert':
      if (disk.rows(write.table).has(write.record.id))
        throw new Error(`row exists already: ${write.table} ${write.record.id}`);
      return { kind: 'insert', table: write.table, record: frozenRecord(write.table, write.record) };
    case 'update':
      return { ...write, record: frozenRecord(write.table, write.record, write.before) };
    case 'delete':
      return write;
  }
};

/** Commits all writes, or throws and commits none. */
export const commitWrites = (disk: MemoryDisk, writes: readonly NetWrite[]): void => {
  const sound = writes.map((write) => checked(disk, write));
  for (const write of sound) {
    if (write.kind === 'delete') disk.delete(write.table, write.id);
    else disk.put(write.table, write.record);
  }
};
