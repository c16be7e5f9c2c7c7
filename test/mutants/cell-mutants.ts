import type { Mutant } from './mutant.ts';

const folder = 'packages/storage-cells/src';

const cellMutant = (
  name: string,
  [file, search, replace]: readonly [string, string, string],
  [test, title]: readonly [string, string],
): Mutant => ({
  name,
  file: `${folder}/${file}`,
  search,
  replace,
  test: { project: 'unit', file: `${folder}/${test}`, title },
});

/** Faults in a storage of several cells. */
export const cellMutants: readonly Mutant[] = [
  cellMutant(
    'accounts that the options would not find are hidden',
    ['admit-cell.ts', 'if (stored === undefined) await', 'if (stored !== undefined) await'],
    ['admit-cell.test.ts', 'refuses a database that was one alone beside a new cell'],
  ),
  cellMutant(
    'two cells are one database',
    ['cell-identity.ts', 'if (stored.name !== name)', 'if (stored.name === null)'],
    ['admit-cell.test.ts', 'refuses two cells on one database'],
  ),
  cellMutant(
    'a cell that is missing is not noticed',
    ['cell-identity.ts', 'present.has(textOf(left))', 'lists.length > 0'],
    ['admit-cell.test.ts', 'refuses cells of which one is missing'],
  ),
  cellMutant(
    'a move is listed by both of its cells',
    ['mover.ts', 'isOfSource(move) || !ofSources.has(move.id)', 'move.id !== null'],
    ['move-account.test.ts', 'lists a move once'],
  ),
  cellMutant(
    'a cell that is away keeps the others from being claimed from',
    ['claim-in-turn.ts', 'if (failures.length === asked.length) throw', 'if (failures.length > 0) throw'],
    ['many-accounts.test.ts', 'a cell that is away holds up none of the others'],
  ),
  cellMutant(
    'a full cell keeps the others from their turn',
    ['claim-in-turn.ts', '[...cells.slice(begin), ...cells.slice(0, begin)]', 'cells'],
    ['many-accounts.test.ts', 'gives every cell its turn'],
  ),
  cellMutant(
    'a client brings a cell to rest with an id that no storage takes',
    ['guard-cell.ts', '.then(() => false, failed)', '.then(() => failed(null), failed)'],
    ['many-accounts.test.ts', 'goes on asking a cell that refuses what a caller sent'],
  ),
  cellMutant(
    'a new record waits for a cell that is away, though one beside it is found',
    ['cell-finder.ts', '(found) => found.size > 0,', '() => false,'],
    ['many-accounts.test.ts', 'makes a new record beside one that is there while another cell is away'],
  ),
  cellMutant(
    'a project is opened a second time in another cell',
    ['cell-finder.ts', "cell === undefined && key.table === 'project' && key.fresh !== true;", 'false;'],
    ['many-accounts.test.ts', 'opens no project a second time'],
  ),
  cellMutant(
    'usage of several cells comes as a group of each',
    ['merge-sums.ts', 'merged[merged.length - 1] = add(last, sum);', 'merged.push(sum);'],
    ['merged-queries.test.ts', 'sums usage over all cells'],
  ),
  cellMutant(
    'accounts change their cell when another is added',
    ['account-places.ts', '[...earlier, cells.map(({ name }) => name)]', '[cells.map(({ name }) => name)]'],
    ['cells-options.test.ts', 'leaves accounts where they are when a cell is added'],
  ),
  cellMutant(
    'a step of an account that leaves its cell is decided there',
    ['fenced-step.ts', 'if (fence !== undefined)', 'if (false && fence !== undefined)'],
    ['move-faults.test.ts', 'takes a move back whose account was closed for longer than a second'],
  ),
  cellMutant(
    'what a step changes of an account that is copied is not written down',
    ['fenced-step.ts', 'writes.length === 0', 'true'],
    ['move-account.test.ts', 'shows another process the account once at every moment of a move'],
  ),
  cellMutant(
    'a claim of an account that is copied is not written down',
    [
      'claim-in-turn.ts',
      "(move.state === 'copying' && (await logClaim(cell, move, own, world.newId)))",
      "move.state === 'copying'",
    ],
    ['move-faults.test.ts', 'gives a due row of an account that moves to one worker alone, whenever it is claimed'],
  ),
  cellMutant(
    'an account is moved though its steps were refused for too long',
    ['move-steps.ts', 'if (nowMs > leaving.untilMs)', 'if (false)'],
    ['move-faults.test.ts', 'takes a move back whose account was closed for longer than a second'],
  ),
  cellMutant(
    'a process that was taken for dead goes on copying',
    ['move-steps.ts', "moveIn(records, move, ['arriving']);", ''],
    ['move-faults.test.ts', 'lets a process that was taken for dead change nothing'],
  ),
  cellMutant(
    'a move that was given up leaves records that nothing finds',
    ['mover.ts', 'of rowsToClear(cell.storage, move.accountId)', 'of [] as { table: never; rows: never }[]'],
    ['move-account.test.ts', 'brings a move to an end whose process died'],
  ),
  cellMutant(
    'what was seen in a cell is kept though an account left it',
    ['directory.ts', 'onLeft(one);', ''],
    ['move-account.test.ts', 'forgets what it saw of an account in the cell that it left'],
  ),
];
