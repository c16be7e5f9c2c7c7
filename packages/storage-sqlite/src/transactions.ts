import type { DatabaseSync } from 'node:sqlite';
import type { Key, TableName, Tables } from '@tollgate/storage';
import { prepareArrays, rowOf } from './array-rows.ts';
import type { RecordCache } from './record-cache.ts';
import type { DatabaseRows } from './table-rows.ts';
import type { WalSync } from './wal-sync.ts';

type AnyRecord = Tables[TableName];

export interface Transactions {
  /** Runs `body` under the write lock and commits; a throw rolls back. Throws at once where another process has the lock. */
  write<T>(body: () => T): T;
  /** Runs `body` on one snapshot. */
  read<T>(body: () => T): T;
  /** The stored record of a key, within a transaction. */
  find(key: Key): AnyRecord | undefined;
}

export interface TransactionParts {
  readonly database: DatabaseSync;
  readonly rows: DatabaseRows;
  readonly cache: RecordCache;
  readonly sync: WalSync;
}

/**
 * Transactions on the one connection. The records in the cache are those of the database as long as `data_version`, read
 * within a transaction, stays the same: it changes when another connection commits.
 */
export const createTransactions = ({ database, rows, cache, sync }: TransactionParts): Transactions => {
  const begin = { write: database.prepare('BEGIN IMMEDIATE'), read: database.prepare('BEGIN') };
  const commit = database.prepare('COMMIT');
  const dataVersion = prepareArrays(database, 'PRAGMA data_version');
  let knownVersion: unknown;
  const noticeOthers = (): void => {
    const [version] = rowOf(dataVersion.get());
    if (version === knownVersion) return;
    knownVersion = version;
    cache.clear();
    sync.written();
  };
  const run = <T>(kind: 'write' | 'read', body: () => T): T => {
    begin[kind].run();
    try {
      noticeOthers();
      const answer = body();
      commit.run();
      return answer;
    } catch (cause) {
      // SQLite itself has rolled back after some errors.
      if (database.isTransaction) database.exec('ROLLBACK');
      cache.clear();
      throw cause;
    }
  };
  return {
    write: (body) => run('write', body),
    read: (body) => run('read', body),
    find: ({ table, id }) => {
      const cached = cache.get(table, id);
      if (cached !== undefined || cache.isAbsent(table, id)) return cached;
      const record = rows.find(table, id);
      if (record === undefined) cache.putAbsent(table, id);
      else cache.put(table, record);
      return record;
    },
  };
};
