import type { TableName, Tables } from './tables.ts';

/**
 * Rows that were read from a table, with the type of its records. The caller promises that the rows are that table's:
 * an adapter knows it from the statement that it ran, and the compiler cannot.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export const recordsOfTable = <T extends TableName>(rows: readonly object[]): readonly Tables[T][] =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  rows as readonly Tables[T][];

/** One row as `recordsOfTable`. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export const recordOfTable = <T extends TableName>(row: object): Tables[T] =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  row as Tables[T];
