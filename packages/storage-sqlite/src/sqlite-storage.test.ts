import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeStorage, startStorageWriter } from '@tollgate/testing/storage';
import { afterAll, describe, test } from 'vitest';
import { refuseOnSqlite, takeOnSqlite } from '../../../test/sqlite-hooks.ts';
import { sqliteStorage } from './sqlite-storage.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-sqlite-'));
afterAll(() => rmSync(folder, { recursive: true }));

const clock = () => {
  let nowMs = 1;
  const setNow = (ms: number): void => {
    nowMs = ms;
  };
  return { now: () => nowMs, setNow };
};

const writer = fileURLToPath(new URL('../../../test/storage-writer.ts', import.meta.url));

const bytesUnder = (path: string): number =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);

let files = 0;

describeStorage({ describe, test }, 'sqliteStorage on a file', async () => {
  files += 1;
  const { now, setNow } = clock();
  const options = { path: join(folder, `${files}.db`), now };
  return {
    storage: sqliteStorage(options),
    reopen: async () => sqliteStorage(options),
    setNow,
    refuse: refuseOnSqlite(options.path, 'write'),
    refuseCommit: refuseOnSqlite(options.path, 'commit'),
    hold: {
      take: takeOnSqlite(options.path),
      openImpatient: async () => sqliteStorage({ ...options, busyTimeoutMs: 100 }),
    },
    startWriter: () => startStorageWriter(['--conditions=@tollgate/source', writer, 'sqlite', options.path]),
    blobBytes: () => bytesUnder(`${options.path}-blobs`),
  };
});

describeStorage({ describe, test }, 'sqliteStorage in memory', async () => {
  const { now, setNow } = clock();
  return { storage: sqliteStorage({ path: ':memory:', now }), setNow };
});
