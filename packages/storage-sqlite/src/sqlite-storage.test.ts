import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeStorage } from '@tollgate/testing/storage';
import { afterAll, describe, test } from 'vitest';
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

let files = 0;

describeStorage({ describe, test }, 'sqliteStorage on a file', async () => {
  files += 1;
  const { now, setNow } = clock();
  const options = { path: join(folder, `${files}.db`), now };
  return { storage: sqliteStorage(options), reopen: async () => sqliteStorage(options), setNow };
});

describeStorage({ describe, test }, 'sqliteStorage in memory', async () => {
  const { now, setNow } = clock();
  return { storage: sqliteStorage({ path: ':memory:', now }), setNow };
});
