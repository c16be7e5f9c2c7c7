import { memoryStorage } from '@tollgate/storage-memory';
import { expect, test } from 'vitest';
import { withRecords } from '../test/put-records.ts';
import { locateKeys } from './locate-keys.ts';
import type { Cell } from './cell.ts';
import { movesKey, movesWrite } from './moves-record.ts';

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

/** A cell that counts each read as if an account had come or gone before it. */
const restlessCell = async (): Promise<Cell> => {
  const cell = await cellOf('restless', []);
  let epoch = 0;
  const read: typeof cell.storage.read = async (keys) => {
    epoch += 1;
    await cell.storage.transact([movesKey], () => ({ writes: [movesWrite({ epoch, moves: [] })], answer: null }));
    return cell.storage.read(keys);
  };
  return { ...cell, storage: { ...cell.storage, read } };
};

test('finds a record that moved to a cell after that was asked, and out of the other before that was', async () => {
  const late = Promise.withResolvers<void>();
  const from = await cellOf('from', ['1'], () => late.promise);
  const to = await cellOf('to', []);
  const found = locateKeys([from, to], [key('1')]);
  await new Promise(setImmediate);
  const moved = movesWrite({ epoch: 1, moves: [] });
  await to.storage.transact([key('1'), movesKey], () => ({ writes: [tariff('1'), moved], answer: null }));
  await from.storage.transact([key('1'), movesKey], () => ({
    writes: [{ kind: 'delete', ...key('1'), moved: true }, moved],
    answer: null,
  }));
  late.resolve();
  expect(namesOf(await found)).toEqual({ 1: 'to' });
});

test('says of no record that it is nowhere while accounts come and go without an end', async () => {
  const cells = [await cellOf('a', []), await restlessCell()];
  await expect(locateKeys(cells, [key('1')])).rejects.toMatchObject({ code: 'storage_busy' });
});
