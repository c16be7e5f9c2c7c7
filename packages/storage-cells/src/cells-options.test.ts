import { storageBusyCode } from '@tollgate/storage';
import { memoryStorage } from '@tollgate/storage-memory';
import { expect, test } from 'vitest';
import { account, put } from '../test/put-account.ts';
import { cells } from './cells.ts';

test('leaves accounts where they are when a cell is added, and places new ones anew', async () => {
  const two = { a: memoryStorage(), b: memoryStorage() };
  const before = cells({ cells: two });
  const ids = Array.from({ length: 60 }, (_, at) => `account-${at}`);
  for (const id of ids.slice(0, 30)) await put(before, id);
  const c = memoryStorage();
  const after = cells({ cells: { ...two, c }, earlier: [['a', 'b']] });
  for (const id of ids) {
    const records = await after.read([account(id)]);
    expect(records.get('account', id) !== undefined).toBe(ids.indexOf(id) < 30);
  }
  for (const id of ids.slice(30)) await put(after, id);
  const added = await c.list('accounts', { of: '', limit: 100 });
  expect(added.length).toBeGreaterThan(3);
  for (const { id } of added) expect(ids.indexOf(id)).toBeGreaterThanOrEqual(30);
});

test('opens a cell when it is first asked, and again after that failed', async () => {
  let tries = 0;
  let nowMs = 0;
  const storage = cells({
    cells: {
      a: memoryStorage(),
      b: async () => {
        tries += 1;
        if (tries <= 2) throw new Error('connect ECONNREFUSED');
        return memoryStorage();
      },
    },
    accounts: { here: 'a', there: 'b' },
    monotonicMs: () => nowMs,
  });
  await put(storage, 'here');
  expect(tries).toBe(0);
  await expect(storage.read([account('there')])).rejects.toMatchObject({ code: storageBusyCode });
  nowMs += 1_000;
  await put(storage, 'there');
  await storage.close();
});

test('refuses cells that it cannot use, by name', () => {
  const storage = memoryStorage();
  expect(() => cells({ cells: {} })).toThrow('cells has 0 storages; accepted are 1 to 64');
  expect(() => cells({ cells: { 'a b': storage } })).toThrow('is a name of 1 to 64 letters');
  expect(() => cells({ cells: { a: storage }, accounts: { acme: 'z' } })).toThrow('accounts["acme"] is "z"');
  expect(() => cells({ cells: { a: storage }, earlier: [['z']] })).toThrow('earlier[0][0] is "z"');
});
