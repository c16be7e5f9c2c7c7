import { DatabaseSync } from 'node:sqlite';
import type { SqliteDriver } from '@tollgate/storage-sqlite/driver';

/** What a host writes for the driver of its runtime; here for that of Node. */
export const nodeDriver = (path: string): SqliteDriver => {
  const database = new DatabaseSync(path, { timeout: 0 });
  return {
    run: (text, values) => {
      const statement = database.prepare(text);
      statement.setReturnArrays(true);
      return statement.all(...values);
    },
    close: () => database.close(),
  };
};
