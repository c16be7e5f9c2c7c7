import { listRowsMax, type Key } from '@tollgate/storage';
import { expect, test } from 'vitest';
import { withHook, type Hook } from '../test/mortal-cell.ts';
import { openWorld, type World } from '../test/move-world.ts';
import { putRecords } from '../test/put-records.ts';
import { stopMove } from '../test/stopped-move.ts';
import { copyAccount, copyLogged } from './copy-account.ts';
import { logPrefix, logWrite } from './fenced-step.ts';
import { giveUpMove } from './move-steps.ts';

test('is not taken for dead while it copies, however long that takes', async () => {
  const world = await openWorld();
  const { cells, move } = await stopMove(world, 'copying');
  let pages = 0;
  const hook: Hook = async (_, done) => {
    if (done === true) return;
    pages += 1;
    world.pass(400);
    expect(await giveUpMove(cells.from, move, false)).toBe('under way');
  };
  const to = { ...cells.to, storage: withHook(cells.to.storage, 'b', hook) };
  await copyAccount({ from: cells.from, to }, move);
  expect(pages).toBeGreaterThan(30);
});

/** Writes into the log of the move what a step would have. */
const log = async (world: World, at: number, keys: readonly Key[]): Promise<void> =>
  putRecords(world.cell('a').storage, [logWrite(`${logPrefix('stopped')}${at}`, 'acme', keys, at)]);

test('copies what steps have logged over several pages, says how many they were, and empties the log', async () => {
  const world = await openWorld();
  const { cells, move } = await stopMove(world, 'copying');
  const steps = listRowsMax + 50;
  for (let at = 0; at < steps; at += 1) await log(world, at, [{ table: 'file', id: 'acme-file' }]);
  const { storage } = cells.from;
  const file = (await storage.read([{ table: 'file', id: 'acme-file' }])).get('file', 'acme-file');
  if (file === undefined) throw new Error('there is no file');
  await putRecords(storage, [{ kind: 'put', table: 'file', record: { ...file, uses: 7 } }]);
  expect(await copyLogged(cells, move)).toBe(steps);
  const copied = await cells.to.storage.read([{ table: 'file', id: 'acme-file' }]);
  expect(copied.get('file', 'acme-file')?.uses).toBe(7);
  expect(await copyLogged(cells, move)).toBe(0);
});

test('copies nothing of another account of which a step of both has logged a change', async () => {
  const world = await openWorld();
  const { cells, move } = await stopMove(world, 'copying');
  const wallets = [
    { table: 'wallet', id: 'acme' },
    { table: 'wallet', id: 'globex' },
  ] as const;
  await world.open().transact(wallets, (records) => ({
    writes: wallets.flatMap(({ table, id }) => {
      const record = records.get(table, id);
      return record === undefined ? [] : [{ kind: 'put', table, record: { ...record, balanceMicros: 500n } }];
    }),
    answer: undefined,
  }));
  expect(await copyLogged(cells, move)).toBe(1);
  const copied = await cells.to.storage.read(wallets);
  expect(copied.get('wallet', 'acme')?.balanceMicros).toBe(500n);
  expect(copied.get('wallet', 'globex')).toBeUndefined();
});
