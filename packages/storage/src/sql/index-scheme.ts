import { indexSpec, type AnyIndexSpec, type IndexName } from '../indexes.ts';
import { columnName } from './column-name.ts';

/** How the indexes of a database are named, and what they have beside the columns that a list needs. */
export interface IndexScheme {
  list(name: IndexName): string;
  /** Over due rows of a table. */
  due(table: string): string;
  /** Over roll-ups by their time, and by account and time. */
  start(table: string): string;
  startOfAccount(table: string): string;
  /**
   * Whether an index has only the rows of its list, and ends with the id. Rows of one value are in the order of their ids without it:
   * an index of some databases has no room for two ids, and no condition.
   */
  readonly isPartial: boolean;
  /** Whether the index of this name is made; a database may find these rows in another way. */
  isMade(name: string): boolean;
}

/** Indexes without conditions. */
export const plainIndexes: IndexScheme = {
  list: (name) => `list_${columnName(name)}`,
  due: (table) => `due_${columnName(table)}`,
  start: (table) => `start_${columnName(table)}`,
  startOfAccount: (table) => `start_account_${columnName(table)}`,
  isPartial: false,
  isMade: () => true,
};

const unlikeOthers: { readonly [N in IndexName]?: string } = {
  pendingOperationsByAccount: 'operation_pending_by_account',
  resources: 'resource_newest',
  keptFiles: 'file_kept',
  keptResources: 'resource_kept',
  keptTriggers: 'trigger_kept',
};

const nameOf = ({ table, of }: AnyIndexSpec): string =>
  `${columnName(table)}_${of === null ? 'newest' : `by_${columnName(of).replace(/_id$/, '')}`}`;

/** Indexes that have only the rows of their lists. */
export const partialIndexes: IndexScheme = {
  list: (name) => unlikeOthers[name] ?? nameOf(indexSpec(name)),
  due: (table) => `${columnName(table)}_due`,
  start: (table) => `${columnName(table)}_start`,
  startOfAccount: (table) => `${columnName(table)}_by_account`,
  isPartial: true,
  isMade: () => true,
};
