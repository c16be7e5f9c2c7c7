import { expect, test } from 'vitest';
import type { SqlConnection } from './sql-connection.ts';
import { createSqlSession } from './sql-session.ts';

/** A connection that says whether it is open. */
const createConnection = (): SqlConnection => {
  let isOpen = true;
  return {
    run: async () => [],
    isOpen: () => isOpen,
    close: () => {
      isOpen = false;
    },
  };
};

test('uses one connection for one use at a time, and another one after that was lost', async () => {
  const opened: SqlConnection[] = [];
  const session = createSqlSession(async () => {
    const connection = createConnection();
    opened.push(connection);
    return connection;
  });
  const order: string[] = [];
  const first = Promise.withResolvers<void>();
  const one = session.use(async () => {
    order.push('one begins');
    await first.promise;
    order.push('one ends');
  });
  const failing = session.use(() => Promise.reject(new Error('refused')));
  const two = session.use(async (connection) => {
    order.push('two');
    connection.close();
  });
  first.resolve();
  await expect(failing).rejects.toThrow('refused');
  await Promise.all([one, two]);
  expect(order).toEqual(['one begins', 'one ends', 'two']);
  expect(opened).toHaveLength(1);
  await session.use(async (connection) => expect(connection).toBe(opened[1]));
  session.close();
  expect(opened[1]?.isOpen()).toBe(false);
  await expect(session.use(async () => {})).rejects.toThrow('the storage is closed');
});

test('closes a connection that was being opened as it was closed, and uses it for nothing', async () => {
  const connection = createConnection();
  const opening = Promise.withResolvers<SqlConnection>();
  const session = createSqlSession(() => opening.promise);
  let used = 0;
  const use = session.use(async () => void (used += 1));
  await new Promise(setImmediate);
  session.close();
  opening.resolve(connection);
  await expect(use).rejects.toThrow('the storage is closed');
  expect([used, connection.isOpen()]).toEqual([0, false]);
});

test('refuses more uses than may wait', async () => {
  const begin = Promise.withResolvers<void>();
  const session = createSqlSession(async () => createConnection());
  const uses = Array.from({ length: 4_096 }, () => session.use(() => begin.promise));
  await expect(session.use(() => begin.promise)).rejects.toThrow('4096 uses of a connection are waiting');
  begin.resolve();
  await Promise.all(uses);
});
