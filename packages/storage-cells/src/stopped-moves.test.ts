import { storageOf } from '@tollgate/storage';
import { expect, test } from 'vitest';
import { add, balanceIn, openWorld, type World } from '../test/move-world.ts';
import { stopMove } from '../test/stopped-move.ts';
import type { CellsStorage } from './cells.ts';

const busy = { code: 'storage_busy' };

const wallets = [
  { table: 'wallet', id: 'globex' },
  { table: 'wallet', id: 'acme' },
] as const;

/** Takes one from an account and gives it to another. */
const transfer = (storage: CellsStorage): Promise<void> =>
  storage.transact(wallets, (records) => ({
    writes: wallets.flatMap(({ table, id }, at) => {
      const record = records.get(table, id);
      const balanceMicros = (record?.balanceMicros ?? 0n) + (at === 0 ? -1n : 1n);
      return record === undefined ? [] : [{ kind: 'put', table, record: { ...record, balanceMicros } }];
    }),
    answer: undefined,
  }));

test('refuses the steps of an account that is closed for its move, also beside those of another, and no others', async () => {
  const world = await openWorld();
  await stopMove(world, 'leaving');
  const storage = world.open();
  await expect(add(storage, 'acme')).rejects.toMatchObject(busy);
  await expect(transfer(storage)).rejects.toMatchObject(busy);
  expect([balanceIn(world, 'a', 'acme'), balanceIn(world, 'a', 'globex')]).toEqual([100n, 100n]);
  expect(await add(storage, 'globex')).toBe(101n);
  const resource = (id: string) =>
    storage.transact([{ table: 'resource', id: `${id}-operation` }], (records) => ({
      writes: [],
      answer: records.get('resource', `${id}-operation`)?.accountId,
    }));
  expect(await resource('globex')).toBe('globex');
  await expect(resource('acme')).rejects.toMatchObject(busy);
});

test('takes a move back whose time is over when a process meets it, and not before', async () => {
  const world = await openWorld();
  await stopMove(world, 'leaving');
  const storage = world.open();
  world.pass(1_000);
  await expect(add(storage, 'acme')).rejects.toMatchObject(busy);
  await storage.close();
  expect(await world.open().moves()).toHaveLength(1);
  world.pass(1);
  const later = world.open();
  await expect(add(later, 'acme')).rejects.toMatchObject(busy);
  await later.close();
  expect(await add(world.open(), 'acme')).toBe(101n);
  expect(world.rowsIn('b', 'acme')).toEqual([]);
});

test('ends a move that was decided when a process meets it in the cell to which the account came', async () => {
  const world = await openWorld();
  const own = world.rowsIn('a', 'acme');
  await stopMove(world, 'gone');
  const storage = world.open();
  // The other cell does not know yet that the account is there.
  await expect(add(storage, 'acme')).rejects.toMatchObject(busy);
  await storage.close();
  expect(await world.open().moves()).toEqual([]);
  expect(world.rowsIn('b', 'acme')).toEqual(own);
  expect(world.rowsIn('a', 'acme')).toEqual([]);
  expect(await add(world.open(), 'acme')).toBe(101n);
});

test('looks for moves that no process carries on at the first claim, and again after ten seconds', async () => {
  const world = await openWorld();
  const storage = world.open();
  const claim = async (): Promise<number> => {
    await storage.claim({ table: 'operation', owner: 'me', leaseMs: 1, limit: 1 });
    // What is done in the background is over when the process asks for a move of its own.
    for (let turns = 0; turns < 200; turns += 1) await new Promise(setImmediate);
    return (await world.open().moves()).length;
  };
  expect(await claim()).toBe(0);
  await stopMove(world, 'leaving');
  world.pass(9_999);
  expect(await claim()).toBe(1);
  world.pass(1);
  expect(await claim()).toBe(0);
  expect(world.rowsIn('b', 'acme')).toEqual([]);
});

test('moves an account whose former move was left by a process that died', async () => {
  const world = await openWorld();
  const own = world.rowsIn('a', 'acme');
  await stopMove(world, 'copying');
  const storage = world.open();
  await expect(storage.moveAccount('acme', 'c')).rejects.toMatchObject({
    ...busy,
    message: 'account acme is moved by another process',
  });
  world.pass(10_001);
  expect(await storage.moveAccount('acme', 'c')).toBe(true);
  expect([world.rowsIn('a', 'acme'), world.rowsIn('b', 'acme'), world.rowsIn('c', 'acme')]).toEqual([[], [], own]);
});

const claimAll = async (world: World): Promise<readonly string[]> =>
  (await world.open().claim({ table: 'operation', owner: 'me', leaseMs: 60_000, limit: 10 })).map(({ id }) => id);

test('claims rows of an account while it is copied, and has them copied again', async () => {
  const world = await openWorld(5);
  const { cells } = await stopMove(world, 'copying');
  expect((await claimAll(world)).toSorted()).toEqual(['acme-operation', 'globex-operation']);
  const log = await cells.from.storage.list('moveLogByAccount', { of: 'acme', limit: 10 });
  expect(log.map(({ keys }) => keys)).toEqual([[{ table: 'operation', id: 'acme-operation' }]]);
});

test('leaves out the rows of an account that is closed for its move or has left, and claims those of others', async () => {
  for (const state of ['leaving', 'gone'] as const) {
    const world = await openWorld(5);
    await stopMove(world, state);
    expect(await claimAll(world)).toEqual(['globex-operation']);
  }
});

test('finds what was put beside the records of an account before it moved, in the cell that it left', async () => {
  const world = await openWorld();
  const chunk = {
    documentId: 'acme-operation',
    place: 0,
    page: null,
    startIndex: 0,
    endIndex: 1,
    text: 'text',
    vector: Float32Array.of(1),
  };
  const before = storageOf(world.open(), 'acme');
  await before.vectors.put([{ ...chunk, storeId: 'acme-operation' }]);
  await before.blobs.put('inputs/acme', Buffer.from('input'));
  await world.open().moveAccount('acme', 'b');
  const query = { storeIds: ['acme-operation'], vector: Float32Array.of(1), limit: 5 };
  // Of an account and of no account in particular, each by a process that knows of no move yet.
  for (const view of [storageOf(world.open(), 'acme'), world.open()]) {
    expect((await view.vectors.search(query)).map(({ documentId }) => documentId)).toEqual(['acme-operation']);
    expect(Buffer.from((await view.blobs.get('inputs/acme')) ?? []).toString()).toBe('input');
  }
  await world.open().blobs.delete('inputs/acme');
  await world.open().vectors.remove('acme-operation');
  expect([world.disks.get('a')?.blobs.size, world.disks.get('a')?.chunks.size]).toEqual([0, 0]);
});

test('finds an account by the newest of its moves, in whatever order a process hears of them', async () => {
  const world = await openWorld();
  const mover = world.open();
  await mover.moveAccount('globex', 'b');
  const other = world.open();
  await mover.moveAccount('acme', 'b');
  await mover.moveAccount('acme', 'c');
  // Of the second move first, then of both by the cell that the account left at last, and of the first one at the end.
  for (const name of ['c', 'b', 'a'] as const) {
    await storageOf(other, name === 'b' ? 'globex' : 'acme').read([{ table: 'wallet', id: 'acme' }]);
    expect(await add(other, 'acme')).toBe(await balanceNow(world));
  }
  expect(await other.cellOfAccount('acme')).toBe('c');
});

const balanceNow = async (world: World): Promise<bigint | undefined> => balanceIn(world, 'c', 'acme');

test('carries out the steps of work over a whole cell, and none while an account is between two cells', async () => {
  const world = await openWorld();
  const [first] = world.open().cells.all;
  const step = () =>
    first?.transact([{ table: 'wallet', id: 'globex' }], (records) => ({
      writes: [],
      answer: records.get('wallet', 'globex')?.balanceMicros,
    }));
  expect(await step()).toBe(100n);
  await stopMove(world, 'copying');
  await expect(step()).rejects.toMatchObject(busy);
});

test('serves a moved account while the cell is away that it has left, and refuses as busy one that is there', async () => {
  const world = await openWorld();
  await world.open().moveAccount('acme', 'b');
  const storage = world.open(async (call) => {
    if (call.endsWith(' a')) throw new Error('connect ECONNREFUSED');
  });
  expect(await add(storage, 'acme')).toBe(101n);
  await expect(add(storage, 'globex')).rejects.toThrow('the cell a does not respond');
});

test('moves an account though the response to the decision was lost', async () => {
  const world = await openWorld();
  let isLost = false;
  const storage = world.open(async (call, done) => {
    if (isLost || done !== true || call !== 'transact a') return;
    isLost = (await world.open().moves()).some(({ state }) => state === 'gone');
    if (isLost) throw new Error('the response was lost');
  });
  expect(await storage.moveAccount('acme', 'b')).toBe(true);
  expect(isLost).toBe(true);
  expect(await add(storage, 'acme')).toBe(101n);
  expect(await storage.moves()).toEqual([]);
});
