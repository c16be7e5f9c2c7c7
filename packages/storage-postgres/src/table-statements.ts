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
  /** Writes the columns at these places, never the first. Fails unless all rows are there. */
  update(rows: readonly Row[], places: readonly number[]): Statement;
  /** Fails unless all rows are there. */
  remove(ids: readonly string[]): Statement;
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The full SQL name of a table. */
export const tableNameIn = (schema: string, table: TableName): string => `${quoted(schema)}.${columnName(table)}`;

/** Makes a statement fail, by a division by zero, unless it touches one row for each of the ids in its first parameter. */
const touchingAll = (sql: string): string => `WITH touched AS (${sql} RETURNING 1)
  SELECT 1 / (count(*) = cardinality($1::text[]))::int FROM touched`;

/** Rows given as arrays, one a column, for the columns at these places. */
const givenRows = ({ columns, types }: RowCodec, places: readonly number[]): string => {
  const parameters = places.map((at, place) => `$${place + 1}::${types[at]?.element ?? ''}[]`);
  return `unnest(${parameters.join(', ')}) AS given (${places.map((at) => columns[at]).join(', ')})`;
};

/** The given value of the column at a place, in the column's own type. */
const givenValue = ({ columns, types }: RowCodec, at: number): string =>
  `given.${columns[at] ?? ''}${types[at]?.cast ?? ''}`;

/** The id is the first column. */
const updateSql = (name: string, codec: RowCodec, places: readonly number[]): string => {
  const assignments = places.map((at) => `${codec.columns[at] ?? ''} = ${givenValue(codec, at)}`);
  // The ids are named twice, so that whatever the planner thinks of the table, its rows are found by the primary key.
  return touchingAll(`UPDATE ${name} AS kept SET ${assignments.join(', ')} FROM ${givenRows(codec, [0, ...places])}
    WHERE kept.id = ANY ($1::text[]) AND kept.id = given.id`);
};

const createTable = (schema: string, table: TableName): TableStatements => {
  const codec = createRowCodec(table);
  const name = tableNameIn(schema, table);
  const columns = codec.columns.join(', ');
  const everywhere = codec.columns.map((_, at) => at);
  const byIds = (verb: string, text: string) => (ids: readonly string[]) => ({
    name: `${verb}_${columnName(table)}`,
    text,
    values: [textArray(ids)],
  });
  const insertText = `INSERT INTO ${name} (${columns})
    SELECT ${everywhere.map((at) => givenValue(codec, at)).join(', ')} FROM ${givenRows(codec, everywhere)}`;
  return {
    codec,
    lock: byIds('lock', `SELECT ${columns} FROM ${name} WHERE id = ANY ($1::text[]) ORDER BY id FOR UPDATE`),
    read: byIds('read', `SELECT ${columns} FROM ${name} WHERE id = ANY ($1::text[])`),
    exist: byIds('exist', `SELECT id FROM ${name} WHERE id = ANY ($1::text[])`),
    insert: (rows) => ({
      name: `insert_${columnName(table)}`,
      text: insertText,
      values: codec.arrays(rows, everywhere),
    }),
    update: (rows, places) => ({
      name: `update_${columnName(table)}_${places.join('_')}`,
      text: updateSql(name, codec, places),
      values: codec.arrays(rows, [0, ...places]),
    }),
    remove: byIds('remove', touchingAll(`DELETE FROM ${name} WHERE id = ANY ($1::text[])`)),
  };
};

export interface SchemaStatements {
  readonly schema: string;
  of(table: TableName): TableStatements;
}

const isTable = (name: string): name is TableName => Object.hasOwn(tableColumns, name);

/**
 * All tables, in the order in which every transaction locks and writes them. Wallets are what processes contend for, so they
 * come last: while one waits for a wallet, its other rows are found and locked already.
 */
export const tableNames: readonly TableName[] = [
  ...Object.keys(tableColumns).filter((name): name is TableName => isTable(name) && name !== 'wallet'),
  'wallet',
];

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
