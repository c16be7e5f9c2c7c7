import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { retryWhileLockedBlocking, type BusyLimits } from './busy-retry.ts';
import { makeFolderSync } from './durable-folder.ts';
import { journalBytesMax } from './log-limits.ts';
import { migrate } from './migrate.ts';

const pageCacheKib = 16 * 1024;

const setUp = (database: DatabaseSync): void => {
  const mode = database.prepare('PRAGMA journal_mode = WAL').get()?.['journal_mode'];
  if (mode !== 'wal' && mode !== 'memory')
    throw new Error(`SQLite cannot keep a write-ahead log here: ${String(mode)}`);
  // The commit's own sync and the checkpoints are elsewhere: see `createWalSync` and `createCheckpointer`.
  database.exec(`
    PRAGMA synchronous = NORMAL;
    PRAGMA wal_autocheckpoint = 0;
    PRAGMA journal_size_limit = ${journalBytesMax};
    PRAGMA cache_size = -${pageCacheKib};
    PRAGMA temp_store = MEMORY;
  `);
  migrate(database);
  // Copies what an earlier process left in the log into the database file and syncs that: whatever that process failed to
  // sync, and is still in memory, is on disk before anything is built on it. Others at work make it a no-op.
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
};

/**
 * Opens the database, creates its folder, and brings its schema up to date. Blocks while other processes do the same, up to
 * the limit; afterwards a lock that another process holds throws at once.
 */
export const openDatabase = (path: string, limits: BusyLimits): DatabaseSync => {
  if (path === '') throw new Error('a database needs a path');
  const memory = path === ':memory:';
  const file = memory ? path : resolve(path);
  if (!memory) makeFolderSync(dirname(file));
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    retryWhileLockedBlocking(() => setUp(database), limits);
    return database;
  } catch (cause) {
    database.close();
    throw cause;
  }
};
