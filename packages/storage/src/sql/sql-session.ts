import type { SqlConnection } from './sql-connection.ts';

/** One connection for one use at a time; it is opened when it is needed and again when it was lost. */
export interface SqlSession {
  use<T>(body: (connection: SqlConnection) => Promise<T>): Promise<T>;
  close(): void;
}

/** Uses that may wait for a connection; one more is refused. */
const usesWaitingMax = 4_096;

export const createSqlSession = (open: () => Promise<SqlConnection>): SqlSession => {
  let opened: SqlConnection | undefined;
  let isClosed = false;
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  const connect = async (): Promise<SqlConnection> => {
    if (isClosed) throw new Error('the storage is closed');
    if (opened?.isOpen() === true) return opened;
    opened?.close();
    const connection = await open();
    // Closed while it was opened: nothing else would close it.
    if (isClosed) {
      connection.close();
      throw new Error('the storage is closed');
    }
    opened = connection;
    return connection;
  };
  return {
    use: async (body) => {
      if (waiting >= usesWaitingMax) throw new Error(`${usesWaitingMax} uses of a connection are waiting`);
      const before = last;
      const { promise, resolve } = Promise.withResolvers<void>();
      last = promise;
      waiting += 1;
      try {
        await before;
        return await body(await connect());
      } finally {
        waiting -= 1;
        resolve();
      }
    },
    close: () => {
      isClosed = true;
      opened?.close();
    },
  };
};
