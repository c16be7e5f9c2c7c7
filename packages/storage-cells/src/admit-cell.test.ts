import type { Storage } from '@tollgate/storage';
import { createMemoryDisk, memoryStorage, type MemoryDisk } from '@tollgate/storage-memory';
import { expect, test } from 'vitest';
import { account, put } from '../test/put-account.ts';
import { cellRefusedCode } from './cell-refused.ts';
import { cells, type CellsStorage } from './cells.ts';

const on = (disk: MemoryDisk): Storage => memoryStorage({ disk });

const idsOf = (storage: Storage) =>
  storage.list('accounts', { of: '', limit: 100 }).then((rows) => rows.map(({ id }) => id).toSorted());

/** Asks what every gateway asks as it starts. */
const start = (storage: CellsStorage): Promise<unknown> => storage.read([{ table: 'setting', id: 'any' }]);

const ids = Array.from({ length: 12 }, (_, at) => `account-${at + 10}`);

const openPlain = async (): Promise<MemoryDisk> => {
  const disk = createMemoryDisk();
  for (const id of ids) await put(on(disk), id);
  return disk;
};

const settingsOf = (disk: MemoryDisk): number => disk.rows('setting').size;

test('refuses a database that was one alone beside a new cell, says what to write, and takes it with that', async () => {
  const [a, b] = [await openPlain(), createMemoryDisk()];
  const wrong = cells({ cells: { a: on(a), b: on(b) } });
  await expect(start(wrong)).rejects.toMatchObject({ name: 'CellRefused', code: cellRefusedCode, cell: 'a' });
  await expect(start(wrong)).rejects.toThrow('write earlier: [["a"]]');
  await expect(idsOf(wrong)).rejects.toMatchObject({ code: cellRefusedCode });
  expect([settingsOf(a), settingsOf(b)]).toEqual([0, 0]);
  const right = cells({ cells: { a: on(a), b: on(b) }, earlier: [['a']] });
  await start(right);
  for (const id of ids) expect((await right.read([account(id)])).get('account', id)?.id).toBe(id);
  expect(await idsOf(right)).toEqual(ids);
});

test('refuses a call on its way to a cell with an account that would not be found, also without a start', async () => {
  const [a, b] = [await openPlain(), createMemoryDisk()];
  const storage = cells({ cells: { a: on(a), b: on(b) }, accounts: { here: 'a', there: 'b' } });
  await expect(put(storage, 'here')).rejects.toMatchObject({ code: cellRefusedCode, cell: 'a' });
  await put(storage, 'there');
});

test('takes a storage that was never a cell where each account is looked for in it', async () => {
  const a = await openPlain();
  const accounts = Object.fromEntries(ids.map((id) => [id, 'a']));
  const storage = cells({ cells: { a: on(a), b: on(createMemoryDisk()) }, accounts });
  await start(storage);
  expect(await idsOf(storage)).toEqual(ids);
});

test('refuses two cells on one database', async () => {
  const disk = createMemoryDisk();
  const storage = cells({ cells: { a: on(disk), b: on(disk) } });
  await expect(start(storage)).rejects.toMatchObject({ code: cellRefusedCode, cell: 'b' });
  await expect(start(storage)).rejects.toThrow('its database is that of the cell a');
  await start(cells({ cells: { a: on(disk), b: on(createMemoryDisk()) } }));
});

test('refuses two cells whose databases were exchanged, and one that was given another name', async () => {
  const [a, b] = [createMemoryDisk(), createMemoryDisk()];
  await start(cells({ cells: { a: on(a), b: on(b) } }));
  await expect(start(cells({ cells: { a: on(b), b: on(a) } }))).rejects.toThrow('its database is that of the cell b');
  await expect(start(cells({ cells: { a: on(a), c: on(b) } }))).rejects.toThrow(
    'accounts were placed over a, b, and cells has no b',
  );
});

test('refuses cells of which one is missing, until it is said to be taken away', async () => {
  const [a, b] = [createMemoryDisk(), createMemoryDisk()];
  await start(cells({ cells: { a: on(a), b: on(b) } }));
  await expect(start(cells({ cells: { a: on(a) } }))).rejects.toThrow('write removed: ["b"]');
  await start(cells({ cells: { a: on(a) }, removed: ['b'] }));
  expect(() => cells({ cells: { a: on(a) }, removed: ['a'] })).toThrow('removed[0] is "a", which is one of the cells');
});

test('refuses a cell that was added without the names of those before, at each further start too', async () => {
  const [a, b, c] = [createMemoryDisk(), createMemoryDisk(), createMemoryDisk()];
  await start(cells({ cells: { a: on(a) } }));
  await expect(start(cells({ cells: { a: on(a), b: on(b) } }))).rejects.toThrow('Write earlier: [["a"]]');
  await start(cells({ cells: { a: on(a), b: on(b) }, earlier: [['a']] }));
  const all = { b: on(b), a: on(a), c: on(c) };
  await expect(start(cells({ cells: all, earlier: [['a', 'b']] }))).rejects.toThrow('Write earlier: [["a"]]');
  await start(cells({ cells: all, earlier: [['a'], ['b', 'a']] }));
});

test('starts while a cell is away, and refuses it when it is back with accounts that would not be found', async () => {
  const [a, b] = [createMemoryDisk(), await openPlain()];
  let isAway = true;
  const storage = cells({
    cells: {
      a: on(a),
      b: async () => {
        if (isAway) throw new Error('connect ECONNREFUSED');
        return on(b);
      },
    },
    monotonicMs: () => (isAway ? 0 : 2_000),
  });
  await start(storage);
  isAway = false;
  await expect(idsOf(storage)).rejects.toMatchObject({ code: cellRefusedCode, cell: 'b' });
});
