import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteStorage, type SyncCalls } from '@tollgate/storage-sqlite';
import { afterAll } from 'vitest';
import type { CreateData } from './open-in-process.ts';

/** No case of a gateway cuts the power, so commits need not wait for the disk. What is durable is proved with the adapter. */
const noSync: SyncCalls = {
  fdatasync: (_, done) => {
    setImmediate(done, null);
  },
  fdatasyncSync: () => undefined,
};

/** Files in a folder that is removed after the tests of the file that asks for it. */
export const createSqliteData = (): CreateData => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-gateway-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  /** A closed database with every table and no row: each gateway gets a copy, which takes less time than making it. */
  const empty = join(folder, 'empty.db');
  let making: Promise<void> | undefined;
  const makeEmpty = (): Promise<void> => sqliteStorage({ path: empty }).close();
  let files = 0;
  return (now) => {
    files += 1;
    const path = join(folder, `${files}.db`);
    let copying: Promise<void> | undefined;
    const copy = async (): Promise<void> => {
      await (making ??= makeEmpty());
      copyFileSync(empty, path);
    };
    return async () => {
      await (copying ??= copy());
      return sqliteStorage({ path, now, sync: noSync });
    };
  };
};
