import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Storage } from '../../packages/storage/src/index.ts';
import { memoryStorage } from '../../packages/storage-memory/src/index.ts';
import { sqliteStorage } from '../../packages/storage-sqlite/src/index.ts';

const openSqlite = (): Storage => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return sqliteStorage({ path: join(folder, 'gateway.db') });
};

/** The storages that a gateway is tried on; opened inside a test, gone after it. */
export const storages: readonly (readonly [name: string, open: () => Storage])[] = [
  ['memory', () => memoryStorage()],
  ['SQLite', openSqlite],
];
