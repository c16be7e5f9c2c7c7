import { cp } from 'node:fs/promises';
import { backup, DatabaseSync } from 'node:sqlite';

/** A copy of the database while gateways use it, and of the large responses after it. `into` is a path that does not exist yet. */
export const backUpSqlite = async (path: string, into: string): Promise<void> => {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    await backup(database, into);
  } finally {
    database.close();
  }
  await cp(`${path}-blobs`, `${into}-blobs`, { recursive: true, force: true }).catch((cause: NodeJS.ErrnoException) => {
    // No response was large enough yet.
    if (cause.code !== 'ENOENT') throw cause;
  });
};
