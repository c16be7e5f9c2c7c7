import { expect, test } from 'vitest';
import { openWorld } from '../test/move-world.ts';
import { putRecords } from '../test/put-records.ts';
import { stopMove } from '../test/stopped-move.ts';
import { account, put } from '../test/put-account.ts';
import { beginMove, copyRecords } from './move-steps.ts';
import { cellMovesMax, movesKey, movesOf } from './moves-record.ts';

test('begins no more moves in a cell than each of its steps can read', async () => {
  const world = await openWorld();
  const [from, to] = [world.cell('a'), world.cell('b')];
  const begin = async (at: number) => {
    await put(from.storage, `account-${at}`);
    return (await beginMove(from, to, `account-${at}`, `move-${at}`)).kind;
  };
  for (let at = 0; at < cellMovesMax; at += 1) expect(await begin(at)).toBe('begun');
  expect(await begin(cellMovesMax)).toBe('full');
  expect(movesOf(await from.storage.read([movesKey])).moves).toHaveLength(cellMovesMax);
  await expect(world.open().moveAccount('acme', 'b')).rejects.toMatchObject({
    code: 'storage_busy',
    message: 'account acme waits: a has 16 moves',
  });
});

test('deletes a copy whose record is gone, whether or not it names its account, and none of another account', async () => {
  const world = await openWorld();
  const { cells, move } = await stopMove(world, 'copying');
  const foreign = { table: 'file', id: 'globex-file' } as const;
  const globex = (await cells.from.storage.read([foreign])).get('file', foreign.id);
  if (globex === undefined) throw new Error('there is no file');
  await putRecords(cells.to.storage, [{ kind: 'put', table: 'file', record: globex }]);
  const keys = [
    { table: 'file', id: 'acme-file' },
    { table: 'answer', id: 'acme-operation' },
    { table: 'file', id: 'nowhere' },
    foreign,
  ] as const;
  const before = world.rowsIn('b', 'acme');
  await copyRecords(
    cells.to,
    move,
    keys.map((key) => ({ key, record: undefined })),
  );
  expect(before.filter((row) => !world.rowsIn('b', 'acme').includes(row))).toEqual([
    'answer acme-operation',
    'file acme-file',
  ]);
  expect(world.rowsIn('b', 'globex')).toEqual(['file globex-file']);
});

test('leaves an account where it is that is there already, or is nowhere', async () => {
  const world = await openWorld();
  const storage = world.open();
  await storage.moveAccount('acme', 'b');
  expect((await beginMove(world.cell('a'), world.cell('c'), 'acme', 'late')).kind).toBe('elsewhere');
  expect((await beginMove(world.cell('a'), world.cell('c'), 'nobody', 'late')).kind).toBe('absent');
  expect((await world.cell('c').storage.read([account('acme')])).get('account', 'acme')).toBeUndefined();
  expect(await storage.moves()).toEqual([]);
});
