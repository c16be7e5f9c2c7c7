import type { Storage } from '@tollgate/storage';
import { memoryStorage } from '@tollgate/storage-memory';
import { expect, test } from 'vitest';
import { putRecords } from '../test/put-records.ts';
import { createDirectory } from './directory.ts';
import { placeWrite, type MovedPlace } from './moved-place.ts';
import { movesWrite } from './moves-record.ts';

const cellOf = (name: string) => ({ name, isResting: () => false, storage: memoryStorage() });

const openDirectory = () => {
  const left: string[] = [];
  const [a, b, c] = [cellOf('a'), cellOf('b'), cellOf('c')];
  return { a, b, c, directory: createDirectory([a, b, c], ({ name }) => left.push(name)), left: () => left.splice(0) };
};

/** Writes into a cell what the last of some moves of the account acme leaves there. */
const place = (storage: Storage, cell: string, serial: number, earlier: readonly string[]): Promise<void> => {
  const moved: MovedPlace = { accountId: 'acme', cell, serial, moveId: `m${serial}`, earlier };
  return putRecords(storage, [movesWrite({ epoch: serial + 1, moves: [] }), placeWrite(moved)]);
};

test('knows how often accounts came and left as it looks a cell through, and nothing of it before', async () => {
  const { a, b, directory } = openDirectory();
  await place(b.storage, 'b', 1, ['a']);
  expect([directory.epochOf(b), directory.version(), directory.hasMoved()]).toEqual([0, 0, false]);
  await directory.load(b);
  expect([directory.epochOf(b), directory.version(), directory.hasMoved()]).toEqual([2, 1, true]);
  expect(directory.find('acme')).toBe(b);
  expect(directory.find('globex')).toBeUndefined();
  // What was seen before in the cell that the account left is no longer sure.
  expect(directory.epochOf(a)).toBe(-1);
});

test('goes by the newest move of an account, in whatever order cells tell of them', async () => {
  const { a, b, c, directory, left } = openDirectory();
  await place(a.storage, 'b', 1, ['a']);
  await place(b.storage, 'c', 2, ['a', 'b']);
  await directory.load(b);
  expect([directory.find('acme'), left()]).toEqual([c, ['a', 'b']]);
  await directory.load(a);
  expect([directory.find('acme'), left()]).toEqual([c, []]);
  await place(c.storage, 'a', 3, ['b', 'c']);
  await directory.load(c);
  expect([directory.find('acme'), left()]).toEqual([a, ['b', 'c']]);
  expect([directory.epochOf(a), directory.epochOf(b), directory.epochOf(c)]).toEqual([2, -1, 4]);
});

test('looks the other cells through once, and goes on where one of them is away', async () => {
  const { a, b, c, directory } = openDirectory();
  await place(c.storage, 'c', 1, ['a']);
  b.storage.read = () => Promise.reject(new Error('connect ECONNREFUSED'));
  await directory.loadOthers(a);
  expect(directory.find('acme')).toBe(c);
  expect(directory.version()).toBe(1);
  await directory.loadOthers(a);
  expect(directory.version()).toBe(1);
});

test('refuses to look for an account in a cell that is not there', async () => {
  const { b, directory } = openDirectory();
  await place(b.storage, 'z', 1, ['b']);
  await directory.load(b);
  expect(() => directory.find('acme')).toThrow('account acme was moved to z, and there is no such cell');
});
