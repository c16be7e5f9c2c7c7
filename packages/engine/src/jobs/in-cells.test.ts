import type { Key, Storage } from '@tollgate/storage';
import { memoryStorage } from '@tollgate/storage-memory';
import { expect, test } from 'vitest';
import { eachApart, inCells } from './in-cells.ts';

const quiet = () => {
  const errors: string[] = [];
  const logger = { info: () => {}, warn: () => {}, error: (message: string) => errors.push(message) };
  return { logger, errors };
};

const byFirstLetter = async (keys: readonly Key[]) =>
  Object.values(Object.groupBy(keys, ({ id }) => id[0] ?? '')).map((group) => group ?? []);

/** A storage of which an id tells the cell by its first letter. */
const withCells = (): Storage => {
  const storage = memoryStorage();
  return { ...storage, cells: { of: () => storage, all: [storage, storage], split: byFirstLetter } };
};

const runs = ['a1', 'b1', 'a2'].map((id) => ({ id, owner: 'me' }));

test('runs steps over everything, of so many at the most, where there are no cells', async () => {
  const steps: string[][] = [];
  await inCells({ ...quiet(), storage: memoryStorage() }, runs, 2, async (part) => {
    steps.push(part.map(({ id }) => id));
  });
  expect(steps).toEqual([['a1', 'b1'], ['a2']]);
});

test('runs one step for each cell, and a failure of one holds up no other and is logged', async () => {
  const { logger, errors } = quiet();
  const done: string[][] = [];
  await inCells({ logger, storage: withCells() }, runs, 2, async (part) => {
    if (part[0]?.id === 'a1') throw new Error('away');
    done.push(part.map(({ id }) => id));
  });
  expect(done).toEqual([['b1']]);
  expect(errors).toEqual(['a cell could not be worked on']);
});

test('logs the cell that failed by its name, with the code', async () => {
  const lines: (object | undefined)[] = [];
  const logger = {
    info: () => {},
    warn: () => {},
    error: (_: string, fields?: object) => lines.push(fields),
  };
  const cause = Object.assign(new Error('the cell a does not respond'), { code: 'storage_busy', cell: 'a' });
  await inCells({ logger, storage: withCells() }, runs, 2, async (part) => {
    if (part[0]?.id === 'a1') throw cause;
  });
  expect(lines).toEqual([{ code: 'storage_busy', cell: 'a', cause }]);
});

test('goes on where everything that runs is in a cell that is away', async () => {
  const { logger, errors } = quiet();
  await inCells({ logger, storage: withCells() }, runs.slice(0, 1), 2, () => Promise.reject(new Error('away')));
  expect(errors).toEqual(['a cell could not be worked on']);
  const alone = inCells({ logger, storage: memoryStorage() }, runs, 2, () => Promise.reject(new Error('away')));
  await expect(alone).rejects.toThrow('away');
});

test('throws the first failure where every part fails', async () => {
  const { logger, errors } = quiet();
  const failing = eachApart({ logger }, ['one', 'other'], (part) => Promise.reject(new Error(part)));
  await expect(failing).rejects.toThrow('one');
  expect(errors).toEqual([]);
});
