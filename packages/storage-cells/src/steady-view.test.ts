import { expect, test } from 'vitest';
import { openWorld } from '../test/move-world.ts';
import { stopMove } from '../test/stopped-move.ts';
import { arriveMove } from './move-steps.ts';
import { createSteadyView } from './steady-view.ts';

const openView = async () => {
  const world = await openWorld();
  const { cells, move } = await stopMove(world, 'gone');
  const view = createSteadyView([cells.from, cells.to, world.cell('c')]);
  return { view, to: cells.to, arrive: () => arriveMove(cells.to, move) };
};

test('asks once where nothing comes or goes, and hides what has left', async () => {
  const { view } = await openView();
  let asked = 0;
  const answers = view.ask(async (cell, hidden) => {
    if (cell.name === 'c') asked += 1;
    return [cell.name, ...hidden].join(' ');
  });
  // What has left the one cell counts in the other, though that does not know it yet.
  expect(await answers).toEqual(['a acme', 'b', 'c']);
  expect(asked).toBe(1);
});

test('asks again where something came to one cell or left it meanwhile, and gives up as busy in the end', async () => {
  const { view, to, arrive } = await openView();
  let asked = 0;
  const ask = (changes: number) =>
    view.ask(async (cell) => {
      if (cell.name !== 'c') return;
      asked += 1;
      if (asked === 1) await arrive();
      else if (asked <= changes)
        await to.storage.transact([{ table: 'setting', id: 'cells:moves' }], () => ({
          writes: [
            { kind: 'put', table: 'setting', record: { id: 'cells:moves', value: `{"epoch":${asked},"moves":[]}` } },
          ],
          answer: undefined,
        }));
    });
  await ask(1);
  expect(asked).toBe(2);
  await expect(ask(100)).rejects.toMatchObject({ code: 'storage_busy' });
  expect(asked).toBe(7);
});
