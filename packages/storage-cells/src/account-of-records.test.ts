import { memoryStorage } from '@tollgate/storage-memory';
import { expect, test } from 'vitest';
import { recordsOfAccount } from '../test/account-sample.ts';
import { accountsOf, keyName, linkPrefix } from './account-of-records.ts';
import { keysOfWrites, withRecords } from '../test/put-records.ts';

test('finds the account of a record of every table, by its own fields, by its id or by another record', async () => {
  const writes = [...recordsOfAccount('acme', null), ...recordsOfAccount('globex', null)];
  const storage = await withRecords(writes);
  const accounts = await accountsOf(storage, keysOfWrites(writes));
  // The key of a blob that is none of an operation, file, schedule or project tells nothing.
  for (const { table, id } of keysOfWrites(writes).filter((key) => !key.id.startsWith('inputs/')))
    expect([table, id, accounts.get(keyName({ table, id }))]).toEqual([
      table,
      id,
      id.includes('globex') ? 'globex' : 'acme',
    ]);
});

test('tells no account of a record of which nothing does', async () => {
  const keys = [
    { table: 'setting', id: 'seal' },
    { table: 'operation', id: 'nowhere' },
    { table: 'batchItem', id: 'nowhere:0000' },
    { table: 'pendingBlob', id: 'inputs/nowhere' },
  ] as const;
  expect((await accountsOf(memoryStorage(), keys)).size).toBe(0);
  const link = { table: 'setting', id: `${linkPrefix}payments:acme` } as const;
  expect((await accountsOf(memoryStorage(), [link])).get(keyName(link))).toBe('acme');
});
