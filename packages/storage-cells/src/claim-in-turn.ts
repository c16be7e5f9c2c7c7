import type { ClaimableTable, ClaimQuery, Tables } from '@tollgate/storage';
import type { Cell } from './cell.ts';
import type { KnownCells } from './known-cells.ts';

export type Claim = <T extends ClaimableTable>(
  query: ClaimQuery & { readonly table: T },
) => Promise<readonly Tables[T][]>;

/**
 * Claims from one cell after another until there are as many rows as were asked for; each claim begins with another cell, so that a
 * full one does not keep the others from their turn. A cell that fails holds up none of the others.
 */
export const createClaims = (cells: readonly Cell[], known: KnownCells): Claim => {
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
        for (const row of claimed) known.learn(query.table, row.id, cell);
        rows.push(...claimed);
      } catch (cause) {
        failures.push(cause);
      }
    }
    if (failures.length === asked.length) throw failures[0];
    return rows;
  };
};
