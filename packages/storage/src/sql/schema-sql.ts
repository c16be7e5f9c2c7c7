import { indexes, indexSpec, type AnyIndexSpec, type IndexName } from '../indexes.ts';
import { claimableTables } from '../table-groups.ts';
import type { TableName } from '../tables.ts';
import { tablesInLockOrder } from '../table-access.ts';
import { usageRollUps } from '../usage-sums.ts';
import { columnName } from './column-name.ts';
import { createRecordCodec, type RecordColumn } from './record-codec.ts';
import { schemaChanges, type AddedColumn, type SchemaChange } from './schema-changes.ts';
import { plainSql, type Sql } from './sql-connection.ts';
import type { SqlDialect } from './sql-dialect.ts';
import { dueIndexOf, tableName } from './table-sql.ts';

/** One version of the schema for a database. Each statement may have been run before. */
export interface Migration {
  readonly version: number;
  readonly statements: readonly Sql[];
}

const indexNames = Object.keys(indexes).filter((name): name is IndexName => Object.hasOwn(indexes, name));

/** Columns by which rows are found: they are kept as ids, which can be indexed. */
const isFound = (table: TableName, { field }: RecordColumn): boolean =>
  field === 'id' ||
  (table in usageRollUps && field === 'accountId') ||
  indexNames.some((name) => indexSpec(name).table === table && indexSpec(name).of === field);

const typeOf = (dialect: SqlDialect, table: TableName, column: RecordColumn): string => {
  if (isFound(table, column)) return dialect.types.id;
  const isNumber = column.kind.startsWith('integer') || column.kind.startsWith('amount');
  return isNumber ? dialect.types.integer : dialect.types.text;
};

const columnSql = (dialect: SqlDialect, table: TableName, column: RecordColumn): string =>
  `${dialect.quoted(column.name)} ${typeOf(dialect, table, column)}${column.kind.endsWith('?') ? '' : ' NOT NULL'}`;

const createTable = (dialect: SqlDialect, table: TableName, added: readonly AddedColumn[]): Sql => {
  const isAdded = (field: string): boolean => added.some((one) => one.table === table && one.field === field);
  const columns = createRecordCodec(table).columns.filter(({ field }) => !isAdded(field));
  const lines = columns.map((column) => columnSql(dialect, table, column));
  return plainSql(
    `CREATE TABLE ${tableName(dialect, table)} (${lines.join(', ')}, PRIMARY KEY (${dialect.quoted('id')}))${dialect.tableEnd}`,
  );
};

const createIndex = (dialect: SqlDialect, table: string, name: string, fields: readonly string[]): Sql =>
  plainSql(
    `CREATE INDEX ${dialect.quoted(name)} ON ${tableName(dialect, table)} (${fields
      .map((field) => dialect.quoted(columnName(field)))
      .join(', ')})`,
  );

/** Rows of one value are in the order of their ids without it: an index of some databases has no room for two ids. */
const fieldsOf = ({ of, order }: AnyIndexSpec): readonly string[] => (of === null ? [order] : [of, order]);

const createListIndex = (dialect: SqlDialect, name: IndexName): Sql =>
  createIndex(dialect, indexSpec(name).table, `list_${columnName(name)}`, fieldsOf(indexSpec(name)));

const isClaimable = (table: TableName): boolean => claimableTables.some((name) => name === table);

/** What is found by no index of `indexes`: due rows, and roll-ups by their time. */
const otherIndexes = (dialect: SqlDialect, table: TableName): readonly Sql[] => [
  ...(isClaimable(table) ? [createIndex(dialect, table, dueIndexOf(table), ['dueAtMs'])] : []),
  ...(table in usageRollUps
    ? [
        createIndex(dialect, table, `start_${columnName(table)}`, ['startMs']),
        createIndex(dialect, table, `start_account_${columnName(table)}`, ['accountId', 'startMs']),
      ]
    : []),
];

const addColumn = (dialect: SqlDialect, { table, field, value }: AddedColumn): readonly Sql[] => {
  const column = createRecordCodec(table).columns.find((one) => one.field === field);
  if (column === undefined) throw new Error(`${table} has no field ${field}`);
  const name = dialect.quoted(column.name);
  const sql = tableName(dialect, table);
  return [
    plainSql(`ALTER TABLE ${sql} ADD COLUMN ${name} ${typeOf(dialect, table, column)}`),
    ...(value === null
      ? []
      : [{ text: `UPDATE ${sql} SET ${name} = ${dialect.parameter(0)} WHERE ${name} IS NULL`, values: [value] }]),
  ];
};

/** A table of the kit that holds no records; the first word of each line is the column's name. */
const ownTable = (dialect: SqlDialect, name: string, columns: readonly string[]): Sql => {
  const lines = columns.map((column) => column.replace(/^\w+/, (field) => dialect.quoted(field)));
  return plainSql(`CREATE TABLE ${dialect.quoted(name)} (${lines.join(', ')})${dialect.tableEnd}`);
};

const blobTables = (dialect: SqlDialect): readonly Sql[] => {
  const { id, integer, bytes, serial } = dialect.types;
  return [
    ownTable(dialect, 'stored_blob', [
      `id ${id} NOT NULL PRIMARY KEY`,
      `upload ${id} NOT NULL`,
      `size_bytes ${integer} NOT NULL`,
    ]),
    ownTable(dialect, 'blob_part', [
      `number ${serial}`,
      `blob_id ${id} NOT NULL`,
      `upload ${id} NOT NULL`,
      `seq ${integer} NOT NULL`,
      `bytes ${bytes} NOT NULL`,
    ]),
    createIndex(dialect, 'blobPart', 'blob_part_of', ['blobId']),
    createIndex(dialect, 'blobPart', 'blob_part_upload', ['upload', 'seq']),
  ];
};

const chunkTable = (dialect: SqlDialect): readonly Sql[] => {
  const { id, text, integer, bytes, serial } = dialect.types;
  return [
    ownTable(dialect, 'chunk', [
      `number ${serial}`,
      `document_id ${id} NOT NULL`,
      `place ${integer} NOT NULL`,
      `store_id ${id} NOT NULL`,
      `page ${integer}`,
      `start_index ${integer} NOT NULL`,
      `end_index ${integer} NOT NULL`,
      `text ${text} NOT NULL`,
      `dimensions ${integer} NOT NULL`,
      `vector ${bytes} NOT NULL`,
    ]),
    createIndex(dialect, 'chunk', 'chunk_of', ['documentId', 'place']),
    createIndex(dialect, 'chunk', 'chunk_store', ['storeId', 'number']),
  ];
};

/** What `guardSql` locks. */
const lockTable = (dialect: SqlDialect): readonly Sql[] => [
  ownTable(dialect, 'lock_row', [`id ${dialect.types.id} NOT NULL PRIMARY KEY`]),
  ...lockNames.map((name) => plainSql(`INSERT INTO ${dialect.quoted('lock_row')} VALUES ('${name}')`)),
];

const lockNames = ['records', 'chunks'] as const;

/** Takes a lock that others have until their transactions end; `alone`, or together with others that do not want it alone. */
export const guardSql = (dialect: SqlDialect, name: (typeof lockNames)[number], alone: boolean): Sql =>
  plainSql(
    `SELECT ${dialect.quoted('id')} FROM ${dialect.quoted('lock_row')} WHERE ${dialect.quoted('id')} = '${name}'${alone ? dialect.forUpdate : dialect.forShare}`,
  );

/** The schema of a database by its versions, from `tableColumns`, `indexes` and what changed since. */
export const schemaMigrations = (
  dialect: SqlDialect,
  changes: readonly SchemaChange[] = schemaChanges,
): readonly Migration[] => {
  const tables = new Set(changes.flatMap((change) => change.tables));
  const added = changes.flatMap(({ columns }) => columns);
  const listed = new Set(changes.flatMap((change) => change.indexes));
  const first = tablesInLockOrder.filter((table) => !tables.has(table));
  const render = (some: readonly TableName[], names: readonly IndexName[]): readonly Sql[] => [
    ...some.map((table) => createTable(dialect, table, added)),
    ...names.map((name) => createListIndex(dialect, name)),
    ...some.flatMap((table) => otherIndexes(dialect, table)),
  ];
  return [
    {
      version: 1,
      statements: [
        ...lockTable(dialect),
        ...blobTables(dialect),
        ...chunkTable(dialect),
        ...render(
          first,
          indexNames.filter((name) => !listed.has(name)),
        ),
      ],
    },
    ...changes.map((change, at) => ({
      version: at + 2,
      statements: [
        ...change.columns.flatMap((column) => addColumn(dialect, column)),
        ...render(change.tables, change.indexes),
      ],
    })),
  ];
};
