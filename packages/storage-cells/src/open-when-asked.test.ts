import { memoryStorage } from '@tollgate/storage-memory';
import { expect, test } from 'vitest';
import { account, put } from '../test/put-account.ts';
import { openWhenAsked } from './open-when-asked.ts';

test('opens once, however many calls come, closes what was opened, and opens nothing afterwards', async () => {
  let opened = 0;
  let closed = 0;
  const storage = openWhenAsked(async () => {
    opened += 1;
    return { ...memoryStorage(), close: async () => void (closed += 1) };
  });
  expect(opened).toBe(0);
  await Promise.all([put(storage, 'acme'), storage.read([account('acme')])]);
  await put(storage, 'globex');
  expect((await storage.list('accounts', { of: '', limit: 5 })).length).toBe(2);
  expect(opened).toBe(1);
  await storage.close();
  expect([opened, closed]).toEqual([1, 1]);
  const unused = openWhenAsked(() => memoryStorage());
  await unused.close();
  await expect(unused.read([account('acme')])).rejects.toThrow('the storage is closed');
});

test('opens again after an opening that failed', async () => {
  let tries = 0;
  const storage = openWhenAsked(async () => {
    tries += 1;
    if (tries === 1) throw new Error('connect ECONNREFUSED');
    return memoryStorage();
  });
  await expect(storage.read([account('acme')])).rejects.toThrow('ECONNREFUSED');
  await put(storage, 'acme');
  expect((await storage.read([account('acme')])).get('account', 'acme')?.id).toBe('acme');
  expect(tries).toBe(2);
});
