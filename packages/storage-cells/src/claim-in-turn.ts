import type { ClaimableTable, ClaimQuery, Key, Tables } from '@tollgate/storage';
import { accountsOf, keyName, keysOf, seenRows } from './account-of-records.ts';
import { learnAt, type CellWorld } from './cell-world.ts';
import type { Cell } from './cell.ts';
import { logPrefix, logWrite } from './fenced-step.ts';
import { movesKey, movesOf, type CellMove } from './moves-record.ts';

export type Claim = <T extends ClaimableTable>(
  query: ClaimQuery & { readonly table: T },
) => Promise<readonly Tables[T][]>;

/**
 * Writes down that rows of an account that is copied were leased, and tells whether they are still the ones that count. What a claim
 * changed is no step, so nothing else makes the mover copy them again.
 */
const logClaim = ({ storage }: Cell, { id, accountId }: CellMove, keys: readonly Key[], newId: () => string) => {
  const logId = `${logPrefix(id)}${newId()}`;
  return storage.transact([movesKey, { table: 'moveLog', id: logId, fresh: true }], (records, nowMs) => {
    const move = movesOf(records).moves.find((one) => one.id === id);
    if (move?.state !== 'copying') return { writes: [], answer: false };
    return { writes: [logWrite(logId, accountId, keys, nowMs)], answer: true };
  });
};

/**
 * Those of the rows that may be worked on here. A row of an account that is between two cells is left out: it comes due again
 * where the account is then, as after the death of a worker.
 */
const workable = async <T extends ClaimableTable>(
  world: CellWorld,
  cell: Cell,
  table: T,
  rows: readonly Tables[T][],
): Promise<readonly Tables[T][]> => {
  if (rows.length === 0) return rows;
  const { epoch, moves } = movesOf(await cell.storage.read([movesKey]));
  const left = new Set<string>();
  if (moves.length > 0) {
    const accounts = await accountsOf(cell.storage, keysOf(table, rows), seenRows(rows));
    // What told the account may be deleted already, since it has left.
    for (const key of keysOf(table, rows)) if (!accounts.has(keyName(key))) left.add(key.id);
    for (const move of moves) {
      const own = keysOf(table, rows).filter((key) => accounts.get(keyName(key)) === move.accountId);
      const isOurs = own.length === 0 || (move.state === 'copying' && (await logClaim(cell, move, own, world.newId)));
      if (!isOurs) for (const key of own) left.add(key.id);
    }
  }
  const free = rows.filter(({ id }) => !left.has(id));
  for (const { id } of free) learnAt(world, { table, id }, cell, epoch);
  return free;
};

/**
 * Claims from one cell after another until there are as many rows as were asked for; each claim begins with another cell, so that a
 * full one does not keep the others from their turn. A cell that fails holds up none of the others.
 */
export const createClaims = (world: CellWorld): Claim => {
  const { cells } = world;
  let turn = 0;
  return async <T extends ClaimableTable>(query: ClaimQuery & { readonly table: T }) => {
    const begin = turn % cells.length;
    turn += 1;
    const inTurn = [...cells.slice(begin), ...cells.slice(0, begin)];
    const awake = inTurn.filter((cell) => !cell.isResting());
    const asked = awake.length === 0 ? inTurn : awake;
    const rows: Tables[T][] = [];
    const failures: unknown[] = [];
    for (const cell of asked) {
      const limit = query.limit - rows.length;
      if (limit === 0) break;
      try {
        const claimed = await cell.storage.claim({ ...query, limit });
        rows.push(...(await workable(world, cell, query.table, claimed)));
      } catch (cause) {
        failures.push(cause);
      }
    }
    if (failures.length === asked.length) throw failures[0];
    return rows;
  };
};
