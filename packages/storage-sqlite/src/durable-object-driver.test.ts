import { expect, test } from 'vitest';
import { durableObjectDriver, type DurableObjectDatabase } from './durable-object-driver.ts';

/** An object whose transactions begin as the test says, and end as they ran. */
const createObject = (begin: () => Promise<void> = () => Promise.resolve()) => {
  const ended: string[] = [];
  const database: DurableObjectDatabase = {
    sql: { exec: () => ({ raw: () => [['row']] }) },
    transaction: async (run) => {
      await begin();
      let end = 'committed';
      await run({ rollback: () => void (end = 'rolled back') });
      ended.push(end);
    },
  };
  return { open: durableObjectDriver(database), ended };
};

test('lets the next connection in after a transaction that did not begin', async () => {
  const { open } = createObject(() => Promise.reject(new Error('storage reset')));
  await expect(open().run('BEGIN IMMEDIATE', [])).rejects.toThrow('storage reset');
  expect(await open().run('SELECT 1', [])).toEqual([['row']]);
});

test('lets the next connection in where one is closed while its transaction waits for its turn', async () => {
  const { open, ended } = createObject();
  const [first, closed, next] = [open(), open(), open()];
  await first.run('BEGIN IMMEDIATE', []);
  const waiting = closed.run('BEGIN IMMEDIATE', []);
  closed.close();
  await first.run('COMMIT', []);
  await expect(waiting).rejects.toThrow('closed before its transaction began');
  expect(await next.run('SELECT 1', [])).toEqual([['row']]);
  expect(ended).toEqual(['committed', 'rolled back']);
});

test('rolls an open transaction back when its connection is closed', async () => {
  const { open, ended } = createObject();
  const connection = open();
  await connection.run('BEGIN IMMEDIATE', []);
  connection.close();
  expect(await open().run('SELECT 1', [])).toEqual([['row']]);
  expect(ended).toEqual(['rolled back']);
});
