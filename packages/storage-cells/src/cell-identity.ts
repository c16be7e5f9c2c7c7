import type { Key, Records, Write } from '@tollgate/storage';
import { CellRefused } from './cell-refused.ts';

/** What a cell keeps of itself: as which one it was opened, and beside which others. */
export interface CellIdentity {
  readonly name: string;
  /** Each list of names by which accounts were ever placed, sorted. */
  readonly lists: readonly (readonly string[])[];
}

/** What the options say of a cell. */
export interface ExpectedIdentity extends CellIdentity {
  /** Names of cells that were taken away. */
  readonly removed: readonly string[];
}

export const identityKey = { table: 'setting', id: 'cells:identity' } as const satisfies Key;

/** Only `identityWrite` writes the row. */
const isIdentity = (value: unknown): value is CellIdentity =>
  typeof value === 'object' && value !== null && 'name' in value && 'lists' in value;

/** The identity of a cell, from records among which `identityKey` is; undefined where it was never opened as a cell. */
export const identityOf = (records: Records): CellIdentity | undefined => {
  const text = records.get(identityKey.table, identityKey.id)?.value;
  if (text === undefined) return undefined;
  const value: unknown = JSON.parse(text);
  if (!isIdentity(value)) throw new Error(`the row ${identityKey.id} holds no identity`);
  return value;
};

const textOf = (list: readonly string[]): string => JSON.stringify(list);

/** The lists with those of the options, each once. */
const merged = (stored: CellIdentity | undefined, { lists }: CellIdentity): CellIdentity['lists'] => {
  const all = new Map([...(stored?.lists ?? []), ...lists].map((list) => [textOf(list), list]));
  return [...all.values()];
};

/** What is to be written; nothing where the cell knows all. */
export const identityWrites = (stored: CellIdentity | undefined, expected: ExpectedIdentity): readonly Write[] => {
  const lists = merged(stored, expected);
  if (lists.length === stored?.lists.length) return [];
  const value = JSON.stringify({ name: expected.name, lists } satisfies CellIdentity);
  return [{ kind: 'put', table: identityKey.table, record: { id: identityKey.id, value } }];
};

/** Throws where a cell was opened under another name, or beside cells that the options do not name. */
export const refuseChanged = (stored: CellIdentity, { name, lists, removed }: ExpectedIdentity): void => {
  if (stored.name !== name)
    throw new CellRefused(
      name,
      `its database is that of the cell ${stored.name}. Each cell has a database of its own, and keeps its name`,
    );
  const present = new Set(lists.map(textOf));
  const names = new Set(lists.flat());
  for (const list of stored.lists) {
    const left = list.filter((one) => !removed.includes(one));
    if (left.length === 0 || present.has(textOf(left))) continue;
    const gone = left.filter((one) => !names.has(one));
    if (gone.length > 0)
      throw new CellRefused(
        name,
        `accounts were placed over ${list.join(', ')}, and cells has no ${gone.join(', ')}. A cell keeps its name. Where it was taken away for good, write removed: ${textOf(gone)}`,
      );
    throw new CellRefused(name, `accounts were placed over ${list.join(', ')}. Write earlier: [${textOf(left)}]`);
  }
};
