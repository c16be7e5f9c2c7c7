import type { Write } from './storage.ts';
import { appendOnlyTables } from './table-groups.ts';
import type { TableName, Tables } from './tables.ts';

/** The write that adds the record to its table, for code that serves all tables alike. */
export const writeOf = (table: TableName, record: Tables[TableName]): Write => {
  const kind = appendOnlyTables.some((name) => name === table) ? 'append' : 'put';
  // The caller pairs a table with a record of it; the kind follows from the table.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { kind, table, record } as Write;
};
