import { expect, test } from 'vitest';
import { areShared, besideBlob, ownerKeyOf } from './key-families.ts';

test('knows the record beside which the rows of an index lie, and of which indexes they lie in every cell', () => {
  expect(ownerKeyOf('resources', 'site/batch')).toEqual({ table: 'project', id: 'site' });
  expect(ownerKeyOf('resources', 'a/b/batch')).toEqual({ table: 'project', id: 'a/b' });
  expect(ownerKeyOf('resources', 'batch')).toEqual({ table: 'project', id: '' });
  expect(ownerKeyOf('entriesByAccount', 'acme')).toEqual({ table: 'account', id: 'acme' });
  expect(ownerKeyOf('deliveriesByWebhook', 'w')).toEqual({ table: 'webhook', id: 'w' });
  expect(ownerKeyOf('operationsByState', 'uncertain')).toBeNull();
});

test('takes records for those of no account only where each of them is', () => {
  const [setting, tariff] = [{ table: 'setting', id: 'seal' } as const, { table: 'tariff', id: 't' } as const];
  expect(areShared([setting, tariff])).toBe(true);
  expect(areShared([setting, { table: 'account', id: 'acme' }])).toBe(false);
  expect(areShared([])).toBe(false);
});

test('looks for a blob beside whatever its key names', () => {
  expect(
    besideBlob('answers/o1')
      .filter(({ id }) => id === 'o1')
      .map(({ table }) => table),
  ).toEqual(['operation', 'file', 'trigger', 'project']);
});
