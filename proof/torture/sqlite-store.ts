import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TortureStore } from './store-choice.ts';

/** A new file in a folder of its own below `parent`; on a disk, for memory syncs for nothing. */
export const createSqliteStore = (parent: string): TortureStore => {
  const folder = mkdtempSync(path.join(parent, 'torture-'));
  const file = path.join(folder, 'torture.db');
  return {
    choice: { kind: 'sqlite', path: file },
    killServer: null,
    checkFiles: async () => {
      const database = new DatabaseSync(file);
      const rows = database.prepare('PRAGMA integrity_check').all();
      database.close();
      return rows.map((row) => String(row['integrity_check'])).filter((line) => line !== 'ok');
    },
    close: async () => rmSync(folder, { recursive: true, force: true }),
  };
};
