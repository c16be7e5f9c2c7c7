import type { Sql, SqlCell, SqlConnection, SqlRow, SqlValue } from '@tollgate/storage/sql';

/** One connection of a driver of SQLite, on a file of its own or in a service. */
export interface SqliteDriver {
  /**
   * Runs one statement and returns its rows, each as an array of its values. A whole number is a number where that is exact, else a
   * bigint or text. It must not wait for a lock by blocking the thread: the connection that has the lock may need this thread.
   */
  run(text: string, values: readonly SqlValue[]): readonly unknown[] | Promise<readonly unknown[]>;
  close(): void;
}

const cellOf = (value: unknown): SqlCell => {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (value === null || typeof value === 'string' || typeof value === 'number' || value instanceof Uint8Array)
    return value;
  throw new Error(`SQLite returned a ${typeof value}`);
};

const rowOf = (row: unknown): SqlRow => {
  if (!Array.isArray(row)) throw new Error('the driver returned a row that is no array');
  return row.map(cellOf);
};

/** What each connection sets: a commit is on disk when it is acknowledged, and a lock that another one has is an error at once. */
const settings = ['PRAGMA journal_mode = WAL', 'PRAGMA synchronous = FULL', 'PRAGMA busy_timeout = 0'];

/** A connection of the kit. Of a driver that runs statements at once all are run in one turn. */
export const driverConnection = async (driver: SqliteDriver): Promise<SqlConnection> => {
  let isOpen = true;
  const runOne = async ({ text, values }: Sql): Promise<readonly SqlRow[]> =>
    (await driver.run(text, values)).map(rowOf);
  const close = (): void => {
    if (isOpen) driver.close();
    isOpen = false;
  };
  try {
    for (const text of settings) await driver.run(text, []);
  } catch (cause) {
    close();
    throw cause;
  }
  return {
    run: async (statements) => {
      const results: (readonly SqlRow[])[] = [];
      for (const statement of statements) results.push(await runOne(statement));
      return results;
    },
    isOpen: () => isOpen,
    close,
  };
};
