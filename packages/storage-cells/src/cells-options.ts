import {
  also,
  byKind,
  callable,
  checkConfiguration,
  having,
  list,
  optionsCheck,
  required,
  table,
  text,
  type ConfigurationFault,
} from '@tollgate/contract/configuration';
import type { Storage } from '@tollgate/storage';
import { openWhenAsked, type OpenCell } from './open-when-asked.ts';
import type { Placement } from './account-places.ts';
import { admitCell, type Admission } from './admit-cell.ts';
import type { Cell } from './cell.ts';
import { createStartCheck } from './check-start.ts';
import { guardCell } from './guard-cell.ts';
import { placeAccount } from './place-account.ts';

export interface CellsOptions {
  /**
   * The storages by name. Accounts are placed by the names, so a name is for ever; the first one decides about settings and price
   * lists. A function is called when its cell is first asked, and again after it failed.
   */
  readonly cells: Readonly<Record<string, Storage | OpenCell>>;
  /** Exceptions: the cell of an account that is not to be where its id places it. To be named before the account is created. */
  readonly accounts?: Readonly<Record<string, string>>;
  /** The names of the cells before others were added, the oldest list first: accounts stay where they were placed. */
  readonly earlier?: readonly (readonly string[])[];
  /** The names of cells that were taken away for good, after their accounts had been moved. */
  readonly removed?: readonly string[];
  /** The monotonic clock by which a cell that did not respond is left alone for a second; that of the process by default. */
  readonly monotonicMs?: () => number;
  /** Makes the ids by which moves of accounts are known; random ones by default. */
  readonly newId?: () => string;
}

/** Names are kept in the options of a host and shown in messages. */
const isName = (name: string): boolean => /^[a-z0-9][a-z0-9_-]{0,63}$/i.test(name);

/** Cells of one gateway at the most: what goes over all of them asks each. */
const cellsMax = 64;

const nameFaults = (name: string, place: string): readonly ConfigurationFault[] =>
  isName(name) ? [] : [{ place, message: `${place} is a name of 1 to 64 letters, digits, - and _` }];

const unknownCells = ({
  cells,
  accounts = {},
  earlier = [],
  removed = [],
}: CellsOptions): readonly ConfigurationFault[] => {
  const names = Object.keys(cells);
  const accepted = `accepted are the names of the cells: ${names.join(', ')}`;
  const count =
    names.length >= 1 && names.length <= cellsMax
      ? []
      : [{ place: 'cells', message: `cells has ${names.length} storages; accepted are 1 to ${cellsMax}` }];
  const named = [
    ...Object.entries(accounts).map(([id, name]) => ({ place: `accounts[${JSON.stringify(id)}]`, name })),
    ...earlier.flatMap((list_, at) => list_.map((name, index) => ({ place: `earlier[${at}][${index}]`, name }))),
  ];
  const both = removed.flatMap((name, at) =>
    Object.hasOwn(cells, name)
      ? [{ place: `removed[${at}]`, message: `removed[${at}] is ${JSON.stringify(name)}, which is one of the cells` }]
      : [],
  );
  const unknown = named.filter(({ name }) => !Object.hasOwn(cells, name));
  return [
    ...count,
    ...both,
    ...unknown.map(({ place, name }) => ({ place, message: `${place} is ${JSON.stringify(name)}; ${accepted}` })),
  ];
};

const storage = having<Storage>('transact', 'read', 'list', 'claim', 'sumUsage', 'close');

const cellsOptionsCheck = also(
  optionsCheck<CellsOptions>({
    cells: required(
      table(
        byKind<Storage | OpenCell>({ function: callable(), object: storage }, 'is a storage or a function'),
        nameFaults,
      ),
    ),
    accounts: table(text()),
    earlier: list(list(text(), { entriesMin: 1 })),
    removed: list(text()),
    monotonicMs: callable(),
    newId: callable(),
  }),
  unknownCells,
);

/** What a cell is to be, and which accounts are looked for in it. */
const admissionOf = (name: string, { cells, accounts = {}, earlier = [], removed = [] }: CellsOptions): Admission => {
  const lists = [...earlier, Object.keys(cells)];
  const exceptions = new Map(Object.entries(accounts));
  return {
    expected: { name, lists: lists.map((one) => one.toSorted()), removed },
    isLookedFor: (accountId) => {
      const exception = exceptions.get(accountId);
      return exception === undefined ? lists.some((one) => placeAccount(one, accountId) === name) : exception === name;
    },
  };
};

/** The cells of the options, and what tells at the start whether they are those of before. */
export interface CellsRead {
  readonly cells: readonly [Cell, ...Cell[]];
  readonly placement: Placement;
  /** Rejects with `CellRefused` where a cell that responds does not fit the options. */
  readonly checkStart: () => Promise<void>;
}

/** Throws on options that do not fit together. */
export const readCells = (options: CellsOptions): CellsRead => {
  checkConfiguration('cells', cellsOptionsCheck, options);
  const { monotonicMs = () => performance.now() } = options;
  const opened = Object.entries(options.cells).map(([name, source]) => {
    const guarded = guardCell(name, typeof source === 'function' ? openWhenAsked(source) : source, monotonicMs);
    const admitted = admitCell(guarded.storage, admissionOf(name, options));
    return { cell: { name, storage: admitted.storage, isResting: () => guarded.isResting() }, admitted };
  });
  const all = opened.map(({ cell }) => cell);
  const [first, ...others] = all;
  if (first === undefined) throw new Error('there is no cell');
  const { accounts = {}, earlier = [] } = options;
  return {
    cells: [first, ...others],
    placement: { cells: all, accounts, earlier },
    checkStart: createStartCheck(opened.map(({ admitted }) => admitted)),
  };
};
