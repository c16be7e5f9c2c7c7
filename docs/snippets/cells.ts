import { cells, type CellsStorage } from '@tollgate/storage-cells';
import { postgresStorage } from '@tollgate/storage-postgres';
import type { Storage } from '@tollgate/storage';
import { createGateway, type Gateway } from 'tollgate';

// #region gateway
/** A database is opened when it is first asked, so that one that is away keeps no process from starting. */
const database = (connectionString: string) => (): Promise<Storage> => postgresStorage({ connectionString });

/** One of any number of equal processes. */
export const openGatewayOverCells = (urls: Readonly<Record<string, string>>): Promise<Gateway> =>
  createGateway({
    storage: cells({
      cells: Object.fromEntries(Object.entries(urls).map(([name, url]) => [name, database(url)])),
    }),
  });
// #endregion gateway

// #region first
/** A gateway that ran on `a` alone, beside a second database. */
export const fromOne = (a: Storage, b: Storage): Storage => cells({ cells: { a, b }, earlier: [['a']] });
// #endregion first

// #region grown
/** The same after `c` was added: every earlier list stays. Accounts that `a` and `b` have stay there; a share of the new ones goes to `c`. */
export const grown = (a: Storage, b: Storage, c: Storage): Storage =>
  cells({
    cells: { a, b, c },
    earlier: [['a'], ['a', 'b']],
    // An account that is to have a database of its own, named before it is created.
    accounts: { '0192f0c1-5c5e-7c3a-8d21-9a4b6f0e1d37': 'c' },
  });
// #endregion grown

// #region moved
/** Gives a customer that has grown a cell of its own, while it is served. */
export const moveCustomer = async (storage: CellsStorage, accountId: string): Promise<void> => {
  const isMoved = await storage.moveAccount(accountId, 'large');
  console.log(isMoved ? 'moved to large' : 'was in large already', await storage.cellOfAccount(accountId));
};
// #endregion moved
