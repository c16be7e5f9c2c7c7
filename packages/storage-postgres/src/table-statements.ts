import { tableColumns, type TableName } from '@tollgate/storage';
import { textArray } from './array-literal.ts';
import { columnName } from './column-name.ts';
import { createRowCodec, type AnyRecord, type Row, type RowCodec } from './row-codec.ts';
import type { Statement } from './statement.ts';

/** The statements over one table; each takes many rows. */
export interface TableStatements {
  readonly codec: RowCodec;
  /** Locks the rows of these ids until the transaction ends, in the order of their ids, and answers them as they then are. */
  lock(ids: readonly string[]): Statement;
  read(ids: readonly string[]): Statement;
  /** Answers the ids that have a row. */
  exist(ids: readonly string[]): Statement;
  insert(rows: readonly Row[]): Statement;
  /** Fails unless all rows are there. */
  update(rows: readonly Row[]): Statement;
  /** Fails unless all rows are there. */
  remove(ids: readonly string[]): Statement;
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The full SQL name of a table. */
export const tableNameIn = (schema: string, table: TableName): string => `${quoted(schema)}.${columnName(table)}`;

/** Makes a statement fail, by a division by zero, unless it touches one row for each of the ids in its first parameter. */
const touchingAll = (sql: string): string => `WITH touched AS (${sql} RETURNING 1)
  SELECT 1 / (count(*) = cardinality($1::text[]))::int FROM touched`;

const createTable = (schema: string, table: TableName): TableStatements => {
  const codec = createRowCodec(table);
  const name = tableNameIn(schema, table);
  const columns = codec.columns.join(', ');
  const parameters = codec.types.map(({ element }, at) => `$${at + 1}::${element}[]`).join(', ');
  const values = codec.columns.map((column, at) => `given.${column}${codec.types[at]?.cast ?? ''}`);
  const given = `unnest(${parameters}) AS given (${columns})`;
  const assignments = codec.columns.map((column, at) => `${column} = ${values[at] ?? ''}`).slice(1);
  const statement = (verb: string, text: string) => (parameter: readonly string[]) => ({
    name: `${verb}_${columnName(table)}`,
    text,
    values: parameter,
  });
  const byIds = (verb: string, text: string) => {
    const of = statement(verb, text);
    return (ids: readonly string[]): Statement => of([textArray(ids)]);
  };
  const byRows = (verb: string, text: string) => {
    const of = statement(verb, text);
    return (rows: readonly Row[]): Statement => of(codec.arrays(rows));
  };
  return {
    codec,
    lock: byIds('lock', `SELECT ${columns} FROM ${name} WHERE id = ANY ($1::text[]) ORDER BY id FOR UPDATE`),
    read: byIds('read', `SELECT ${columns} FROM ${name} WHERE id = ANY ($1::text[])`),
    exist: byIds('exist', `SELECT id FROM ${name} WHERE id = ANY ($1::text[])`),
    insert: byRows('insert', `INSERT INTO ${name} (${columns}) SELECT ${values.join(', ')} FROM ${given}`),
    // The ids are named twice, so that whatever the planner thinks of the table, its rows are found by the primary key.
    update: byRows(
      'update',
      touchingAll(`UPDATE ${name} AS kept SET ${assignments.join(', ')} FROM ${given}
        WHERE kept.id = ANY ($1::text[]) AND kept.id = given.id`),
    ),
    remove: byIds('remove', touchingAll(`DELETE FROM ${name} WHERE id = ANY ($1::text[])`)),
  };
};

export interface SchemaStatements {
  readonly schema: string;
  of(table: TableName): TableStatements;
}

/** All tables, in the order in which every transaction locks and writes them. */
export const tableNames: readonly TableName[] = Object.keys(tableColumns).filter((name): name is TableName =>
  Object.hasOwn(tableColumns, name),
);

export const createSchemaStatements = (schema: string): SchemaStatements => {
  const tables = new Map(tableNames.map((table) => [table, createTable(schema, table)]));
  return {
    schema,
    of: (table) => {
      const statements = tables.get(table);
      if (statements === undefined) throw new Error(`no such table: ${table}`);
      return statements;
    },
  };
};

/** The records of rows, by id. */
export const recordsById = (codec: RowCodec, rows: readonly Row[]): ReadonlyMap<string, AnyRecord> =>
  new Map(rows.map((row) => codec.decode(row)).map((record) => [record.id, record]));
