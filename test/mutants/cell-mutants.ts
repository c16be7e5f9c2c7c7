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
];
