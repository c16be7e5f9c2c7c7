import { expect, test } from 'vitest';
import { onePrimary } from '../../test/sql-dialects.ts';
import { kitMigrations } from './kit-tables.ts';
import { plainSql, type SqlConnection } from './sql-connection.ts';
import type { SqlDialect } from './sql-dialect.ts';
import { openSqlStorage } from './sql-storage.ts';

const dialect: SqlDialect = { ...onePrimary, lockMigrations: [plainSql('LOCK')], unlockMigrations: [] };

const resultOf = (text: string): readonly (readonly string[])[] => {
  if (text.startsWith('SELECT max(version)')) return [[String(kitMigrations(dialect).length)]];
  return text === 'LOCK' || text === 'SELECT clock' ? [['1']] : [];
};

/** Connections to a database whose schema is up to date and that has no row. A commit, or a read, waits while it is held. */
const createDatabase = () => {
  const open = new Set<SqlConnection>();
  const holding = new Map<string, Promise<void>>();
  const connect = async (): Promise<SqlConnection> => {
    const connection: SqlConnection = {
      run: async (statements) => {
        for (const { text } of statements) for (const [part, until] of holding) if (text.includes(part)) await until;
        return statements.map(({ text }) => resultOf(text));
      },
      isOpen: () => open.has(connection),
      close: () => void open.delete(connection),
    };
    open.add(connection);
    return connection;
  };
  const hold = (part: string): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    holding.set(part, promise);
    return resolve;
  };
  return { open, connect, hold };
};

const openStorage = (open: () => Promise<SqlConnection>) =>
  openSqlStorage({
    dialect,
    open,
    retries: { retriesMax: 0, wait: async () => {} },
    batchConnections: 2,
    stepsPerBatchMax: 10,
    create: true,
  });

const key = { table: 'setting', id: 'a' } as const;

test('opens a connection for each batch and two more, and closes all of them', async () => {
  const database = createDatabase();
  const storage = await openStorage(database.connect);
  expect(database.open.size).toBe(4);
  await storage.close();
  expect(database.open.size).toBe(0);
});

test('closes its connections when the steps and reads under way have ended, and not before', async () => {
  for (const part of ['COMMIT', 'FROM setting']) {
    const database = createDatabase();
    const storage = await openStorage(database.connect);
    const release = database.hold(part);
    const call =
      part === 'COMMIT' ? storage.transact([key], () => ({ writes: [], answer: undefined })) : storage.read([key]);
    const closing = storage.close();
    for (let turns = 0; turns < 3; turns += 1) await new Promise(setImmediate);
    expect([part, database.open.size]).toEqual([part, 4]);
    release();
    await call;
    await closing;
    expect(database.open.size).toBe(0);
  }
});
