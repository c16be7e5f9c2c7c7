import type { Cell } from './cell.ts';
import type { Directory } from './directory.ts';
import type { KnownCells } from './known-cells.ts';
import { locateKeys } from './locate-keys.ts';
import { placeAccount } from './place-account.ts';

/** Where accounts are placed. */
export interface Placement {
  readonly cells: readonly Cell[];
  /** Exceptions: the names of cells by account. */
  readonly accounts: Readonly<Record<string, string>>;
  /** The names of the cells as they were before others were added, the oldest first. */
  readonly earlier: readonly (readonly string[])[];
}

/** The cell of an account; nothing is asked, except about one that was placed elsewhere before a cell was added. */
export const createAccountPlaces = (
  { cells, accounts, earlier }: Placement,
  known: KnownCells,
  directory: Pick<Directory, 'find'>,
) => {
  const byName = new Map(cells.map((cell) => [cell.name, cell]));
  const cellOf = (name: string): Cell => {
    const cell = byName.get(name);
    if (cell === undefined) throw new Error(`there is no cell ${name}`);
    return cell;
  };
  const exceptions = new Map(Object.entries(accounts));
  const lists = [...earlier, cells.map(({ name }) => name)];
  const place = (accountId: string, cell: Cell): Cell => {
    known.learn('account', accountId, cell);
    return cell;
  };
  /** One that is in none of them belongs where it is placed today. */
  const search = async (accountId: string, candidates: readonly Cell[], today: Cell): Promise<Cell> => {
    const key = { table: 'account', id: accountId } as const;
    const found = (await locateKeys(candidates, [key])).get(key);
    return found === undefined ? today : place(accountId, found.cell);
  };
  return (accountId: string): Cell | Promise<Cell> => {
    const cell = directory.find(accountId) ?? known.find({ table: 'account', id: accountId });
    if (cell !== undefined) return cell;
    const exception = exceptions.get(accountId);
    if (exception !== undefined) return place(accountId, cellOf(exception));
    const names = [...new Set(lists.map((list) => placeAccount(list, accountId)))];
    const today = cellOf(placeAccount([...byName.keys()], accountId));
    return names.length === 1 ? place(accountId, today) : search(accountId, names.map(cellOf), today);
  };
};
