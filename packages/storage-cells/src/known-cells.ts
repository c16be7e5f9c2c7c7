import type { Key, TableName } from '@tollgate/storage';
import type { Cell } from './cell.ts';
import { familyOf } from './key-families.ts';

/** Ids that a process remembers of each family at the most; the one that was learned first is forgotten first. */
const idsMax = 50_000;

/** Which cells records were seen in. It stays true until an account leaves the cell. */
export interface KnownCells {
  find(key: Pick<Key, 'table' | 'id'>): Cell | undefined;
  learn(table: TableName, id: string, cell: Cell): void;
  /** Forgets all that was seen in a cell. */
  readonly forget: (cell: Cell) => void;
}

export const createKnownCells = (): KnownCells => {
  const families = new Map<TableName, Map<string, Cell>>();
  return {
    find: ({ table, id }) => families.get(familyOf(table))?.get(id),
    learn: (table, id, cell) => {
      const family = familyOf(table);
      const known = families.get(family) ?? new Map<string, Cell>();
      families.set(family, known);
      if (known.size >= idsMax && !known.has(id)) {
        const [oldest] = known.keys();
        if (oldest !== undefined) known.delete(oldest);
      }
      known.set(id, cell);
    },
    forget: (cell) => {
      for (const family of families.values()) for (const [id, one] of family) if (one === cell) family.delete(id);
    },
  };
};
