import { tablesInLockOrder, type TableName } from '@tollgate/storage';
import { textArray } from './array-literal.ts';
import { columnName, type SqlRow } from '@tollgate/storage/sql';
import { createRowCodec, type AnyRecord, type RowCodec } from './row-codec.ts';
import { quoted } from './quoted.ts';
import type { Statement } from './statement.ts';

/** The statements over one table; each takes many rows. */
export interface TableStatements {
  readonly codec: RowCodec;
  /** Locks the rows of these ids until the transaction ends, in the order of their ids, and answers them as they then are. */
  lock(ids: readonly string[]): Statement;
  read(ids: readonly string[]): Statement;
  /** Returns the ids that have a row. */
  exist(ids: readonly string[]): Statement;
  /** Inserts rows given as COPY reads them. */
  insert(lines: readonly string[]): Statement;
  /** Writes the columns at these places, never the first. Fails unless all rows are there. */
  update(records: readonly AnyRecord[], places: readonly number[]): Statement;
  /** Fails unless all rows are there. */
  remove(ids: readonly string[]): Statement;
}

/** The full SQL name of a table. */
export const tableNameIn = (schema: string, table: TableName): string => `${quoted(schema)}.${columnName(table)}`;

/** Makes a statement fail, by a division by zero, unless it touches one row for each of the ids in its first parameter. */
const touchingAll = (sql: string): string => `WITH touched AS (${sql} RETURNING 1)
  SELECT 1 / (count(*) = cardinality($1::text[]))::int FROM touched`;

/** What an update writes into one column: a value for each row, or one for all, which is cheaper. */
interface Assigned {
  readonly at: number;
  readonly isOne: boolean;
  readonly value: string | null;
}

const assignedTo = (codec: RowCodec, records: readonly AnyRecord[], at: number): Assigned => {
  const values = codec.values(records, at);
  const [first = null] = values;
  const isOne = values.every((value) => value === first);
  return { at, isOne, value: isOne ? first : codec.array(values, at) };
};

/** The id is the first column. */
const updateSql = (name: string, { columns, types }: RowCodec, assigned: readonly Assigned[]): string => {
  const parameters = assigned.map(
    ({ at, isOne }, place) => `$${place + 2}::${types[at]?.element ?? ''}${isOne ? '' : '[]'}`,
  );
  const sets = assigned.map(({ at, isOne }, place) => {
    const column = columns[at] ?? '';
    return `${column} = (${isOne ? parameters[place] : `given.${column}`})${types[at]?.cast ?? ''}`;
  });
  const each = assigned.flatMap(({ at, isOne }, place) =>
    isOne ? [] : [{ name: columns[at], of: parameters[place] }],
  );
  if (each.length === 0)
    return touchingAll(`UPDATE ${name} AS kept SET ${sets.join(', ')} WHERE kept.id = ANY ($1::text[])`);
  // The ids are named twice, so that whatever the planner thinks of the table, its rows are found by the primary key.
  return touchingAll(`UPDATE ${name} AS kept SET ${sets.join(', ')}
    FROM unnest($1::text[], ${each.map(({ of }) => of).join(', ')}) AS given (id, ${each.map((one) => one.name).join(', ')})
    WHERE kept.id = ANY ($1::text[]) AND kept.id = given.id`);
};

/** The same text for the same columns, of which the same have one value for all rows. */
const updateName = (table: TableName, assigned: readonly Assigned[]): string =>
  `update_${columnName(table)}_${assigned.map(({ at, isOne }) => `${at}${isOne ? 's' : ''}`).join('_')}`;

const createTable = (schema: string, table: TableName): TableStatements => {
  const codec = createRowCodec(table);
  const name = tableNameIn(schema, table);
  const columns = codec.columns.join(', ');
  const byIds = (verb: string, text: string) => (ids: readonly string[]) => ({
    name: `${verb}_${columnName(table)}`,
    text,
    values: [textArray(ids)],
  });
  const insertText = `COPY ${name} (${columns}) FROM STDIN`;
  return {
    codec,
    lock: byIds('lock', `SELECT ${columns} FROM ${name} WHERE id = ANY ($1::text[]) ORDER BY id FOR UPDATE`),
    read: byIds('read', `SELECT ${columns} FROM ${name} WHERE id = ANY ($1::text[])`),
    exist: byIds('exist', `SELECT id FROM ${name} WHERE id = ANY ($1::text[])`),
    // COPY is cheaper than any INSERT: no arrays to take apart, and a page is filled and logged as a whole.
    insert: (lines) => ({ name: `insert_${columnName(table)}`, text: insertText, values: [], copied: lines.join('') }),
    update: (records, places) => {
      const assigned = places.map((at) => assignedTo(codec, records, at));
      return {
        name: updateName(table, assigned),
        text: updateSql(name, codec, assigned),
        values: [textArray(records.map(({ id }) => id)), ...assigned.map(({ value }) => value)],
      };
    },
    remove: byIds('remove', touchingAll(`DELETE FROM ${name} WHERE id = ANY ($1::text[])`)),
  };
};

export interface SchemaStatements {
  readonly schema: string;
  of(table: TableName): TableStatements;
}

export const createSchemaStatements = (schema: string): SchemaStatements => {
  const tables = new Map(tablesInLockOrder.map((table) => [table, createTable(schema, table)]));
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
export const recordsById = (codec: RowCodec, rows: readonly SqlRow[]): ReadonlyMap<string, AnyRecord> =>
  new Map(rows.map((row) => codec.decode(row)).map((record) => [record.id, record]));
