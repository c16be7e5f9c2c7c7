export { schemaSql } from './migrations.ts';
export { sqliteStorage, type SqliteStorageOptions } from './sqlite-storage.ts';
export type { SyncCalls } from './wal-sync.ts';
