import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { describeStorage, startStorageWriter } from '@tollgate/testing/storage';
import { afterAll, describe, test } from 'vitest';
import { openDriver } from '../../../docs/snippets/sqlite-driver.ts';
import { refuseOnSqlite, takeOnSqlite } from '../../../test/sqlite-hooks.ts';
import { driverStorage } from './driver-storage.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-driver-'));
afterAll(() => rmSync(folder, { recursive: true }));

const writer = fileURLToPath(new URL('../../../test/storage-writer.ts', import.meta.url));

const storedBytes = (path: string): number => {
  const database = new DatabaseSync(path);
  const row = database.prepare('SELECT coalesce(sum(length(bytes)), 0) AS bytes FROM blob_part').get();
  database.close();
  return Number(row?.['bytes']);
};

let files = 0;

describeStorage({ describe, test }, 'driverStorage', async () => {
  files += 1;
  let nowMs = 1;
  const path = join(folder, `${files}.db`);
  const options = { open: () => openDriver(path), now: () => nowMs };
  return {
    storage: await driverStorage(options),
    reopen: () => driverStorage(options),
    setNow: (ms) => {
      nowMs = ms;
    },
    refuse: refuseOnSqlite(path, 'write'),
    refuseCommit: refuseOnSqlite(path, 'commit'),
    hold: { take: takeOnSqlite(path), openImpatient: () => driverStorage({ ...options, retriesMax: 10 }) },
    startWriter: () => startStorageWriter(['--conditions=@tollgate/source', writer, 'driver', path]),
    blobBytes: async () => storedBytes(path),
    openOwnClock: () => driverStorage({ open: () => openDriver(path) }),
  };
});
