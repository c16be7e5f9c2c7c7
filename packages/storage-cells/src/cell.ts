import { cellsCrossedCode, type Key, type Storage } from '@tollgate/storage';

/** One of the storages, by the name under which accounts are placed in it. */
export interface Cell {
  readonly name: string;
  readonly storage: Storage;
  /** Whether it is left alone, since it did not respond a moment ago. */
  isResting(): boolean;
}

/** A key with the cell of its record. */
export interface PlacedKey {
  readonly key: Key;
  readonly cell: Cell;
}

const nameOf = ({ key, cell }: PlacedKey): string => `${key.table} ${key.id} in ${cell.name}`;

export const crossed = (one: PlacedKey, other: PlacedKey): Error =>
  Object.assign(new Error(`a step has records of two cells: ${nameOf(one)}, ${nameOf(other)}`), {
    code: cellsCrossedCode,
  });
