import { createMemoryDisk, memoryStorage } from '@tollgate/storage-memory';
import type { Storage } from '@tollgate/storage';
import { expect, test } from 'vitest';
import { killEachCell, type MortalCell } from './cells-under-load.ts';

const lost = (code: string) => Promise.reject(Object.assign(new Error(code), { code }));

/** A cell that dies when it has committed so many steps: the answer of the last one is lost. */
const mortal = (storage: Storage) => {
  let stepsLeft = Infinity;
  const whileAlive = <T>(ask: () => Promise<T>): Promise<T> => (stepsLeft > 0 ? ask() : lost('ECONNREFUSED'));
  const cell: Storage = {
    ...storage,
    transact: async (keys, decide) => {
      const answer = await whileAlive(() => storage.transact(keys, decide));
      if (stepsLeft <= 0) return lost('ECONNRESET');
      stepsLeft -= 1;
      return stepsLeft > 0 ? answer : lost('ECONNRESET');
    },
    read: (keys) => whileAlive(() => storage.read(keys)),
    list: (index, query) => whileAlive(() => storage.list(index, query)),
    claim: (query) => whileAlive(() => storage.claim(query)),
    sumUsage: (query) => whileAlive(() => storage.sumUsage(query)),
  };
  return {
    storage: cell,
    dieSoon: (): void => {
      stepsLeft = 9;
    },
    revive: (): void => {
      stepsLeft = Infinity;
    },
    isAlive: () => stepsLeft > 0,
  };
};

/** A cell in memory. */
const memoryCell = (name: string, now: () => number): MortalCell => {
  const disk = createMemoryDisk();
  const hasAccount = (accountId: string): boolean => disk.rows('account').has(accountId);
  return { name, hasAccount, ...mortal(memoryStorage({ disk, now })) };
};

test('serves the accounts of the other cells while one is away, whichever it is, and loses nothing of its own', async () => {
  const audit = await killEachCell((now) => ['a', 'b', 'c', 'd'].map((name) => memoryCell(name, now)));
  expect(audit).toMatchObject({ violations: [], busy: [] });
});
