import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteStorage } from '@tollgate/storage-sqlite';
import { afterAll } from 'vitest';
import type { CreateData } from './open-in-process.ts';

/** Files in a folder that is removed after the tests of the file that asks for it. */
export const createSqliteData = (): CreateData => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-gateway-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let files = 0;
  return (now) => {
    files += 1;
    const path = join(folder, `${files}.db`);
    return () => sqliteStorage({ path, now });
  };
};
