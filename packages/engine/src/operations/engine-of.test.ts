import { memoryStorage } from '@tollgate/storage-memory';
import { expect, test } from 'vitest';
import { createEngineWorld } from '../../test/engine-world.ts';
import { engineOf } from './engine-of.ts';

test('keeps to the cell of an account, and to the storage as a whole where it has no cells', async () => {
  const { engine, another, storage } = await createEngineWorld();
  expect(engineOf(engine, 'a')).toBe(engine);
  const cells = new Map(['a', 'b'].map((accountId) => [accountId, memoryStorage()] as const));
  const of = (accountId: string) => cells.get(accountId) ?? storage;
  const whole = another({ storage: { ...storage, cells: { of, all: [...cells.values()], split: async () => [] } } });
  expect(engineOf(whole, 'b')).toEqual({ ...whole, storage: cells.get('b') });
  expect(engineOf(whole, 'b').storage).toBe(cells.get('b'));
});
