import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { databaseMissingCode } from '@tollgate/storage';
import { retryWhileLockedBlocking, type BusyLimits } from './busy-retry.ts';
import { makeFolderSync } from './durable-folder.ts';
import { loadSqlite } from './load-sqlite.ts';
import { journalBytesMax } from './log-limits.ts';
import { migrate } from './migrate.ts';
import { makePrivateFile } from './private-files.ts';

const missing = (what: string, cause?: unknown): Error =>
  Object.assign(new Error(what, cause === undefined ? {} : { cause }), { code: databaseMissingCode });

/** What every schema of a gateway has had. */
const gatewayTable = 'wallet';

const holdsGateway = (database: DatabaseSync): boolean =>
  database.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`).get(gatewayTable) !== undefined;

const sqliteNotADatabase = 26;

/** Refuses a file that holds no gateway, before anything in it is changed. */
const requireGateway = (database: DatabaseSync, file: string): void => {
  try {
    if (holdsGateway(database)) return;
  } catch (cause) {
    if (!(cause instanceof Error && 'errcode' in cause && cause.errcode === sqliteNotADatabase)) throw cause;
    throw missing(`the file ${file} is no SQLite database`, cause);
  }
  throw missing(`the file ${file} holds no gateway`);
};

const pageCacheKib = 16 * 1024;

/** Throws where SQLite keeps another journal than the one asked for, as on a file system without shared memory. */
export const checkJournalMode = (mode: unknown): void => {
  if (mode !== 'wal' && mode !== 'memory')
    throw new Error(`SQLite cannot keep a write-ahead log here: ${String(mode)}`);
};

const setUp = (database: DatabaseSync): void => {
  checkJournalMode(database.prepare('PRAGMA journal_mode = WAL').get()?.['journal_mode']);
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

/** Where a database lies, and whether it is made where there is none. */
export interface DatabasePlace {
  readonly path: string;
  readonly create: boolean;
}

/** Makes an empty file where there is none, or refuses. */
const prepareFile = (file: string, create: boolean): void => {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile()) throw missing(`${file} is no file`);
  if (create) {
    makeFolderSync(dirname(file));
    makePrivateFile(file);
  } else if (found === undefined) throw missing(`there is no file ${file}`);
};

/**
 * Opens the database, creates it and its folder for this user alone, and brings its schema up to date. Blocks while other processes do the same, up to
 * the limit; afterwards a lock that another process holds throws at once. Where it may not create, it throws `database_missing`
 * for what holds no gateway, and leaves it as it was.
 */
export const openDatabase = ({ path, create }: DatabasePlace, limits: BusyLimits): DatabaseSync => {
  const Database = loadSqlite();
  const memory = path === ':memory:';
  const file = memory ? path : resolve(path);
  if (!memory) prepareFile(file, create);
  const database = new Database(file, { timeout: 0 });
  try {
    retryWhileLockedBlocking(() => {
      if (!create) requireGateway(database, file);
      setUp(database);
    }, limits);
    return database;
  } catch (cause) {
    database.close();
    throw cause;
  }
};
