import type { IndexName } from '../indexes.ts';
import type { TableName } from '../tables.ts';
import type { SqlValue } from './sql-connection.ts';

/** A column that a later version added. */
export interface AddedColumn {
  readonly table: TableName;
  readonly field: string;
  /** What rows that are there already get; null where the column may be null. */
  readonly value: SqlValue;
}

/** What one version of the schema added to the one before. Its content never changes once published. */
export interface SchemaChange {
  readonly tables: readonly TableName[];
  readonly columns: readonly AddedColumn[];
  readonly indexes: readonly IndexName[];
}

/**
 * Versions 2, 3 and so on. Version 1 has whatever no change names, of `tableColumns` and of `indexes`. A test compares version 1 with
 * what was published, so that a new column, table or index needs a change here; every dialect renders its migration from it.
 */
export const schemaChanges: readonly SchemaChange[] = [
  { tables: ['moveLog'], columns: [], indexes: ['moveLogByAccount'] },
];
