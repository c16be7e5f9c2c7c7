import type { SqlValue } from '@tollgate/storage/sql';
import type { SqliteDriver } from './driver-connection.ts';
import { bindFew } from './few-parameters.ts';

/** The part of the storage of a Durable Object, `this.ctx.storage`, that the driver uses. */
export interface DurableObjectDatabase {
  readonly sql: {
    exec(text: string, ...values: (string | number | Uint8Array | null)[]): { raw(): Iterable<unknown[]> };
  };
  transaction(run: (transaction: { rollback(): void }) => Promise<void>): Promise<void>;
}

/** Ends a transaction, and lets the next connection in. */
type EndTransaction = (commits: boolean) => Promise<void>;

/** One after another: resolves when those before have left, to the function that leaves. */
const createTurns = (): (() => Promise<() => void>) => {
  let last = Promise.resolve();
  return async () => {
    const before = last;
    const { promise, resolve } = Promise.withResolvers<void>();
    last = promise;
    await before;
    return resolve;
  };
};

/** The object offers a transaction that lasts as long as a callback; it is held open until the driver ends it. */
const beginTransaction = async (database: DurableObjectDatabase): Promise<EndTransaction> => {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<boolean>();
  const whole = database.transaction(async (transaction) => {
    begun.resolve();
    if (!(await ended.promise)) transaction.rollback();
  });
  await Promise.race([begun.promise, whole]);
  return (commits) => {
    ended.resolve(commits);
    return whole;
  };
};

/** What connections do to the one database, each in its turn. */
const createAccess = (database: DurableObjectDatabase) => {
  const takeTurn = createTurns();
  const query = (text: string, values: readonly SqlValue[]): readonly unknown[] => {
    const few = bindFew(text, values);
    return [...database.sql.exec(few.text, ...few.values).raw()];
  };
  const queryAlone = async (text: string, values: readonly SqlValue[]): Promise<readonly unknown[]> => {
    const leave = await takeTurn();
    try {
      return query(text, values);
    } finally {
      leave();
    }
  };
  const begin = async (): Promise<EndTransaction> => {
    const leave = await takeTurn();
    try {
      const end = await beginTransaction(database);
      return (commits) => end(commits).finally(leave);
    } catch (cause) {
      leave();
      throw cause;
    }
  };
  return { query, queryAlone, begin };
};

/**
 * For `driverStorage` in a Worker: connections to the SQLite database of a Durable Object, which must be backed by SQLite. The database
 * has one connection, so a connection of the driver has it alone for a transaction or for one statement. A commit is durable when the
 * object lets an answer out, which it does not do before.
 */
export const durableObjectDriver = (database: DurableObjectDatabase): (() => SqliteDriver) => {
  const { query, queryAlone, begin } = createAccess(database);
  return () => {
    let transaction: EndTransaction | null = null;
    let isClosed = false;
    const end = async (commits: boolean): Promise<readonly unknown[]> => {
      const ending = transaction;
      transaction = null;
      await ending?.(commits);
      return [];
    };
    const beginOwn = async (): Promise<readonly unknown[]> => {
      const begun = await begin();
      transaction = begun;
      // Closed while it waited for its turn: no one would end the transaction, and the others would wait for ever.
      if (isClosed) {
        await end(false);
        throw new Error('the connection was closed before its transaction began');
      }
      return [];
    };
    return {
      run: async (text, values) => {
        // The object sets its database up itself.
        if (text.startsWith('PRAGMA')) return [];
        if (text === 'COMMIT' || text === 'ROLLBACK') return end(text === 'COMMIT');
        if (text.startsWith('BEGIN')) return beginOwn();
        return transaction === null ? queryAlone(text, values) : query(text, values);
      },
      close: () => {
        isClosed = true;
        // Nothing is committed: how it fails to end changes nothing.
        end(false).catch(() => undefined);
      },
    };
  };
};
