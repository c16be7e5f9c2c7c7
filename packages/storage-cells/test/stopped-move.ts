import { copyAccount, type MoveCells } from '../src/copy-account.ts';
import { beginMove, closeAccount, decideMove, expectMove } from '../src/move-steps.ts';
import type { CellMove } from '../src/moves-record.ts';
import type { World } from './move-world.ts';

const states = ['copying', 'leaving', 'gone'] as const;

/** Moves the account acme from a to b as far as a state, and leaves it there, as a process does that dies. */
export const stopMove = async (
  world: World,
  state: (typeof states)[number],
): Promise<{ readonly cells: MoveCells; readonly move: CellMove }> => {
  const cells: MoveCells = { from: world.cell('a'), to: world.cell('b') };
  const begun = await beginMove(cells.from, cells.to, 'acme', 'stopped');
  if (begun.kind !== 'begun') throw new Error(`the move is ${begun.kind}`);
  const { move } = begun;
  await expectMove(cells.to, move);
  await copyAccount(cells, move);
  if (state !== 'copying') await closeAccount(cells.from, move);
  if (state === 'gone') await decideMove(cells.from, move);
  return { cells, move };
};
