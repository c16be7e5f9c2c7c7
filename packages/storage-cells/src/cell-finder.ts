import type { Key } from '@tollgate/storage';
import { createAccountPlaces, type Placement } from './account-places.ts';
import { crossed, type Cell, type PlacedKey } from './cell.ts';
import { besideBlob, familyOf, isOfAccount } from './key-families.ts';
import { createDirectory, type Directory } from './directory.ts';
import { createKnownCells, type KnownCells } from './known-cells.ts';
import { locateKeys, type Sighting } from './locate-keys.ts';
import { movesKey, movesOf } from './moves-record.ts';
import { placeAccount } from './place-account.ts';

/** Tells which cell records are in. Returns without waiting where nothing has to be asked. */
export interface CellFinder {
  readonly known: KnownCells;
  readonly directory: Directory;
  ofAccount(accountId: string): Cell | Promise<Cell>;
  /** The cell of a step. Rejects or throws where it has records of two. */
  ofStep(keys: readonly Key[]): Cell | Promise<Cell>;
  /** The cell of one record, or null where no cell has it. */
  ofRecord(key: Key): Cell | Promise<Cell | null>;
  /** The keys of a read by their cells. */
  ofRead(keys: readonly Key[]): Promise<ReadonlyMap<Cell, readonly Key[]>>;
  /** The cell that a record without any other place has by its id. */
  byId(id: string): Cell;
}

/** What tells places. */
interface Places extends Pick<CellFinder, 'known' | 'directory' | 'ofAccount' | 'byId'> {
  readonly cells: readonly Cell[];
}

/** The one cell of several keys; undefined where there is no key. */
const common = (placed: readonly PlacedKey[]): Cell | undefined => {
  const [first] = placed;
  for (const one of placed) if (first !== undefined && one.cell !== first.cell) throw crossed(first, one);
  return first?.cell;
};

const groupByCell = (placed: readonly PlacedKey[]): Map<Cell, Key[]> => {
  const groups = new Map<Cell, Key[]>();
  for (const { key, cell } of placed) {
    const group = groups.get(cell);
    if (group === undefined) groups.set(cell, [key]);
    else group.push(key);
  }
  return groups;
};

const placeOf = ({ known, ofAccount }: Places, key: Key): Cell | Promise<Cell> | undefined => {
  if (isOfAccount(key.table)) return ofAccount(key.id);
  const cell = known.find(key);
  if (cell !== undefined || key.table !== 'pendingBlob') return cell;
  for (const beside of besideBlob(key.id)) {
    const found = known.find(beside);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** Those of the keys that some cell has, after all cells were asked. */
const locate = async (
  { cells, known, directory }: Places,
  keys: readonly Key[],
  isEnough?: (found: ReadonlyMap<Key, Sighting>) => boolean,
): Promise<readonly PlacedKey[]> => {
  if (keys.length === 0) return [];
  const found = await locateKeys(cells, keys, isEnough);
  const outdated = [...found.values()].filter(({ cell, epoch }) => directory.epochOf(cell) !== epoch);
  await Promise.all([...new Set(outdated.map(({ cell }) => cell))].map(directory.load));
  for (const [{ table, id }, { cell, epoch }] of found)
    if (directory.epochOf(cell) === epoch) known.learn(table, id, cell);
  return [...found].map(([key, { cell }]) => ({ key, cell }));
};

/** Those of the keys that have a record in the cell where they are expected. */
const locateHere = async ({ known, directory }: Places, cell: Cell, keys: readonly Key[]): Promise<readonly Key[]> => {
  if (keys.length === 0) return [];
  const records = await cell.storage.read([...keys, movesKey]);
  const here = keys.filter(({ table, id }) => records.get(table, id) !== undefined);
  const isCurrent = movesOf(records).epoch === directory.epochOf(cell);
  for (const { table, id } of here) if (isCurrent) known.learn(table, id, cell);
  return here;
};

/** What is known of the keys, and which of them nothing is known of. */
const sortKeys = async (places: Places, keys: readonly Key[]) => {
  const placed: PlacedKey[] = [];
  const unknown: Key[] = [];
  for (const key of keys) {
    const cell = await placeOf(places, key);
    if (cell === undefined) unknown.push(key);
    else placed.push({ key, cell });
  }
  return { placed, unknown };
};

/** Where records belong that are nowhere, and beside nothing that is somewhere. */
const homeOf = ({ byId }: Places, keys: readonly Key[]): Cell => {
  // What would belong to a project that is nowhere belongs where the project would be.
  const project = keys.find(({ table }) => table === 'project');
  const deciding = project === undefined ? keys : [project];
  const cell = common(deciding.map((key) => ({ key, cell: byId(key.id) })));
  // A step that names no record is one of no account.
  return cell ?? byId('');
};

/** The cell of a step of which something has to be asked. */
const searchStep = async (places: Places, keys: readonly Key[]): Promise<Cell> => {
  const { placed, unknown } = await sortKeys(places, keys);
  const cell = common(placed);
  // The host chooses ids of projects: one that another account has in another cell is not opened twice.
  const asked = unknown.filter(({ table, fresh }) => fresh !== true && (cell === undefined || table === 'project'));
  const here = cell === undefined ? [] : await locateHere(places, cell, asked);
  const elsewhere = await locate(
    places,
    asked.filter((key) => !here.includes(key)),
    // The records of a step lie beside each other: while a cell is away, one of them tells the place of those that are new.
    (found) => found.size > 0,
  );
  return common([...placed, ...elsewhere]) ?? homeOf(places, unknown);
};

const cellOfStep = (places: Places, keys: readonly Key[]): Cell | Promise<Cell> => {
  const [only, other] = places.cells;
  if (only !== undefined && other === undefined) return only;
  let found: PlacedKey | undefined;
  for (const key of keys) {
    const cell = placeOf(places, key);
    const mayBeElsewhere = cell === undefined && key.table === 'project' && key.fresh !== true;
    if (cell instanceof Promise || mayBeElsewhere) return searchStep(places, keys);
    if (cell === undefined) continue;
    found ??= { key, cell };
    if (cell !== found.cell) throw crossed(found, { key, cell });
  }
  return found?.cell ?? searchStep(places, keys);
};

/** What is read beside a project belongs to it. */
const hasProject = (found: ReadonlyMap<Key, Sighting>): boolean =>
  [...found.keys()].some(({ table }) => familyOf(table) === 'project');

const cellsOfRead = async (places: Places, keys: readonly Key[]): Promise<ReadonlyMap<Cell, readonly Key[]>> => {
  const { placed, unknown } = await sortKeys(places, keys);
  const [first] = placed;
  // What is asked beside the records of one cell is of that cell.
  if (first !== undefined && placed.every(({ cell }) => cell === first.cell)) return new Map([[first.cell, keys]]);
  const groups = groupByCell([...placed, ...(await locate(places, unknown, hasProject))]);
  const named = new Set([...groups.values()].flat());
  const nowhere = keys.filter((key) => !named.has(key));
  if (nowhere.length === 0) return groups;
  const cell = [...groups.keys()][0] ?? places.byId(keys[0]?.id ?? '');
  return groups.set(cell, [...(groups.get(cell) ?? []), ...nowhere]);
};

export const createCellFinder = (placement: Placement): CellFinder => {
  const { cells } = placement;
  const known = createKnownCells();
  const directory = createDirectory(cells, known.forget);
  const names = cells.map(({ name }) => name);
  const byId = (id: string): Cell => {
    const cell = cells.find(({ name }) => name === placeAccount(names, id));
    if (cell === undefined) throw new Error('there is no cell');
    return cell;
  };
  const ofAccount = createAccountPlaces(placement, known, directory);
  const places: Places = { cells, known, directory, byId, ofAccount };
  return {
    ...places,
    ofStep: (keys) => cellOfStep(places, keys),
    ofRecord: (key) => placeOf(places, key) ?? locate(places, [key]).then(([placed]) => placed?.cell ?? null),
    ofRead: (keys) => cellsOfRead(places, keys),
  };
};
