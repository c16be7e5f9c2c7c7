import { memoryStorage } from '@tollgate/storage-memory';
import { expect, test } from 'vitest';
import { withRecords } from '../test/put-records.ts';
import { locateKeys } from './locate-keys.ts';
import type { Cell } from './cell.ts';

const tariff = (id: string) => ({ kind: 'put', table: 'tariff', record: { id, body: {}, createdAtMs: 1 } }) as const;
const key = (id: string) => ({ table: 'tariff', id }) as const;

/** A cell whose answer waits until it is let go; or that is away. */
const cellOf = async (name: string, ids: readonly string[], answer = () => Promise.resolve()): Promise<Cell> => {
  const storage = ids.length === 0 ? memoryStorage() : await withRecords(ids.map(tariff));
  return {
    name,
    isResting: () => false,
    storage: {
      ...storage,
      read: async (keys) => {
        await answer();
        return storage.read(keys);
      },
    },
  };
};

const namesOf = (found: Awaited<ReturnType<typeof locateKeys>>) =>
  Object.fromEntries([...found].map(([{ id }, { cell }]) => [id, cell.name]));

const away = (): Promise<void> => Promise.reject(new Error('connect ECONNREFUSED'));

test('waits for the cells until every record is found, and for none longer', async () => {
  const late = Promise.withResolvers<void>();
  const cells = [await cellOf('a', []), await cellOf('b', ['1']), await cellOf('c', ['2'], () => late.promise)];
  const one = await locateKeys(cells, [key('1')]);
  expect(namesOf(one)).toEqual({ 1: 'b' });
  const both = locateKeys(cells, [key('1'), key('2')]);
  late.resolve();
  expect(namesOf(await both)).toEqual({ 1: 'b', 2: 'c' });
});

test('finds what is there while a cell is away, and says of nothing that it is nowhere', async () => {
  const cells = [await cellOf('a', [], away), await cellOf('b', ['1'])];
  expect(namesOf(await locateKeys(cells, [key('1')]))).toEqual({ 1: 'b' });
  await expect(locateKeys(cells, [key('1'), key('2')])).rejects.toThrow('ECONNREFUSED');
  await expect(locateKeys(cells, [key('1'), key('2')], (found) => found.size > 1)).rejects.toThrow('ECONNREFUSED');
  expect(namesOf(await locateKeys(cells, [key('1'), key('2')], (found) => found.size > 0))).toEqual({ 1: 'b' });
});

test('leaves out what is nowhere where every cell was asked', async () => {
  const cells = [await cellOf('a', []), await cellOf('b', ['1'])];
  expect(namesOf(await locateKeys(cells, [key('1'), key('2')]))).toEqual({ 1: 'b' });
});
