import type { IndexName, IndexQuery, ScanQuery, TableName } from '@tollgate/storage';
import { createListSql, createTables, scanSql, type Sql } from '@tollgate/storage/sql';
import { postgresDialect } from './postgres-dialect.ts';
import { textOf } from './row-codec.ts';
import type { Statement } from './statement.ts';

/** A statement of the kit under a name. */
export const named = (name: string, { text, values }: Sql): Statement => ({
  name,
  text,
  values: values.map((value) => (value instanceof Uint8Array ? Buffer.from(value) : textOf(value))),
});

/** The kit's statements over the tables of one schema. */
export interface KitStatements {
  /** Lists an index, newest first; the SQL index over the same columns serves it in order. */
  list(name: IndexName, query: IndexQuery): Statement;
  /** Rows of a table by rising id. */
  scan(table: TableName, query: ScanQuery): Statement;
}

export const createKitStatements = (schema: string): KitStatements => {
  const dialect = postgresDialect(schema);
  const tables = createTables(dialect);
  const lists = createListSql(dialect, tables);
  return {
    list: (name, query) => named(`list_${name}${query.after === undefined ? '' : '_after'}`, lists(name, query)),
    scan: (table, query) =>
      named(
        `scan_${table}_${query.after === undefined ? '' : 'after'}_${query.where?.field ?? ''}`,
        scanSql(dialect, tables(table), table, query),
      ),
  };
};
