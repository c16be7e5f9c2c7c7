import type { Key, TableName, Tables } from '@tollgate/storage';
import { accountsOf, keyName, keysOf, seenRows } from './account-of-records.ts';
import type { Cell } from './cell.ts';
import { areShared } from './key-families.ts';
import { accountMoving, isHidden, movesKey, movesOf, movesTextOf, steadyTriesMax } from './moves-record.ts';

/** Accounts whose rows in a cell are left out: they have left it, or are on their way to it. */
type Hidden = ReadonlySet<string>;

interface Seen {
  /** Of the row of moves: equal while nothing came or went. */
  readonly text: string;
  readonly hidden: Hidden;
}

const look = async (cells: readonly Cell[]): Promise<readonly Seen[]> => {
  const rows = await Promise.all(cells.map(({ storage }) => storage.read([movesKey])));
  const moves = rows.map((records) => movesOf(records).moves.filter(isHidden));
  const gone = new Set(moves.flat().flatMap(({ id, state }) => (state === 'gone' ? [id] : [])));
  return rows.map((records, at) => {
    // What has left the one cell counts in the other, though that does not know it yet.
    const hidden = (moves[at] ?? []).filter(({ id, state }) => state !== 'arriving' || !gone.has(id));
    return {
      text: movesTextOf(records),
      hidden: new Set(hidden.map(({ accountId }) => accountId)),
    };
  });
};

/** Asks all cells, so that each account is seen in one of them. */
export interface SteadyView {
  ask<R>(ask: (cell: Cell, hidden: Hidden) => Promise<R>): Promise<readonly R[]>;
}

/** One more row is read of each cell; twice only where accounts came or went since the last question. */
export const createSteadyView = (cells: readonly Cell[]): SteadyView => {
  let last: readonly Seen[] | null = null;
  const isSame = (one: readonly Seen[], other: readonly Seen[]): boolean =>
    one.every(({ text }, at) => text === other[at]?.text);
  return {
    ask: async (ask) => {
      for (let tries = 0; tries < steadyTriesMax; tries += 1) {
        const before = last ?? (await look(cells));
        const answers = await Promise.all(cells.map((cell, at) => ask(cell, before[at]?.hidden ?? new Set())));
        last = await look(cells);
        if (isSame(before, last)) return answers;
      }
      throw accountMoving('of these rows');
    },
  };
};

/** A page of a cell without the rows of hidden accounts, filled up from the pages behind it. */
export const visiblePage = async <T extends TableName>(
  cell: Cell,
  hidden: Hidden,
  { table, limit }: { readonly table: T; readonly limit: number },
  pageAfter: (last: Tables[T] | undefined) => Promise<readonly Tables[T][]>,
): Promise<readonly Tables[T][]> => {
  const rows: Tables[T][] = [];
  let last: Tables[T] | undefined;
  for (;;) {
    const page: readonly Tables[T][] = await pageAfter(last);
    rows.push(...(hidden.size === 0 ? page : await visibleRows(cell, hidden, table, page)));
    last = page.at(-1);
    if (page.length < limit || rows.length >= limit) return rows.slice(0, limit);
  }
};

const visibleRows = async <T extends TableName>(
  cell: Cell,
  hidden: Hidden,
  table: T,
  rows: readonly Tables[T][],
): Promise<readonly Tables[T][]> => {
  const accounts = await accountsOf(cell.storage, keysOf(table, rows), seenRows(rows));
  const isVisible = (key: Key): boolean => {
    if (areShared([key])) return true;
    const accountId = accounts.get(keyName(key));
    return accountId !== undefined && !hidden.has(accountId);
  };
  return rows.filter(({ id }) => isVisible({ table, id }));
};
