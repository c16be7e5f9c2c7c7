import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Storage } from '../../packages/storage/src/index.ts';
import { postgresStorage } from '../../packages/storage-postgres/src/index.ts';
import { memoryStorage } from '../../packages/storage-memory/src/index.ts';
import { sqliteStorage } from '../../packages/storage-sqlite/src/index.ts';
import { testDatabase, type TestDatabase } from '../postgres-server.ts';

const openSqlite = (): Storage => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return sqliteStorage({ path: join(folder, 'gateway.db') });
};

let schemas = 0;
let creating: Promise<TestDatabase> | undefined;

/** A schema of its own, in one database for all tests of a file. */
const openPostgres = async (): Promise<Storage> => {
  schemas += 1;
  const schema = `gateway${schemas}`;
  const { url } = await (creating ??= testDatabase());
  return postgresStorage({ connectionString: url, schema });
};

/** For the end of a file that opens storages. */
export const dropDatabase = async (): Promise<void> => (await creating)?.drop();

/** The storages that a gateway is tried on; opened inside a test, gone after it. */
export const storages: readonly (readonly [name: string, open: () => Storage | Promise<Storage>])[] = [
  ['memory', () => memoryStorage()],
  ['SQLite', openSqlite],
  ['PostgreSQL', openPostgres],
];
