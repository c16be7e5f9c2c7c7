import { indexes, indexSpec, type AnyIndexSpec, type IndexName } from '../indexes.ts';
import { risingAmounts, tablesInLockOrder } from '../table-access.ts';
import { amountMicrosMax } from '../table-columns.ts';
import { claimableTables } from '../table-groups.ts';
import type { TableName } from '../tables.ts';
import { usageRollUps } from '../usage-sums.ts';
import { columnName } from './column-name.ts';
import { createRecordCodec, mayBeNull, plainKindOf, type RecordColumn } from './record-codec.ts';
import { schemaChanges, type AddedColumn, type SchemaChange } from './schema-changes.ts';
import type { SchemaDialect } from './sql-dialect.ts';

/** One version of the schema for a database. Where the database keeps what a broken migration did, each may have been run before. */
export interface Migration {
  readonly version: number;
  readonly statements: readonly string[];
}

const indexNames = Object.keys(indexes).filter((name): name is IndexName => Object.hasOwn(indexes, name));

/** Columns by which rows are found: they are kept as ids, which can be indexed. */
const isFound = (table: TableName, { field }: RecordColumn): boolean =>
  field === 'id' ||
  (table in usageRollUps && field === 'accountId') ||
  indexNames.some((name) => indexSpec(name).table === table && indexSpec(name).of === field);

const typeOf = ({ types }: SchemaDialect, table: TableName, column: RecordColumn): string => {
  if (isFound(table, column)) return types.id;
  const kind = plainKindOf(column.kind);
  return kind === 'amount' ? types.integer : types[kind];
};

/** Of amounts that must rise, the first is at least 0 and the last bounded; the rest follows from their order. */
const rangeOf = (rising: readonly string[], field: string, name: string): string => {
  const at = rising.indexOf(field);
  if (at < 0) return `${name} BETWEEN -${amountMicrosMax} AND ${amountMicrosMax}`;
  return at === 0 ? `${name} >= 0` : `${name} <= ${amountMicrosMax}`;
};

const amountCheck = (dialect: SchemaDialect, table: TableName, { field, kind, name }: RecordColumn): string =>
  dialect.checksAmounts && plainKindOf(kind) === 'amount'
    ? ` CHECK (${rangeOf(risingAmounts[table] ?? [], field, dialect.quoted(name))})`
    : '';

const orderChecks = (dialect: SchemaDialect, table: TableName): readonly string[] => {
  const names = (risingAmounts[table] ?? []).map((field) => dialect.quoted(columnName(field)));
  if (!dialect.checksAmounts) return [];
  return names.slice(1).map((name, at) => `CHECK (${names[at] ?? ''} <= ${name})`);
};

const columnSql = (dialect: SchemaDialect, table: TableName, column: RecordColumn): string =>
  `${dialect.quoted(column.name)} ${typeOf(dialect, table, column)}${mayBeNull(column.kind) ? '' : ' NOT NULL'}${amountCheck(dialect, table, column)}`;

/** CREATE TABLE of lines that are written whole. */
const tableSql = (dialect: SchemaDialect, name: string, lines: readonly string[]): string =>
  `CREATE TABLE ${dialect.quoted(name)} (${lines.join(', ')})${dialect.tableEnd(name)}`;

const createTable = (dialect: SchemaDialect, table: TableName, added: readonly AddedColumn[]): string => {
  const isAdded = (field: string): boolean => added.some((one) => one.table === table && one.field === field);
  const columns = createRecordCodec(table).columns.filter(({ field }) => !isAdded(field));
  return tableSql(dialect, columnName(table), [
    ...columns.map((column) => columnSql(dialect, table, column)),
    ...orderChecks(dialect, table),
    `PRIMARY KEY (${dialect.quoted('id')})`,
  ]);
};

interface IndexShape {
  readonly table: string;
  readonly name: string;
  readonly fields: readonly string[];
  /** Of its rows, where the database has partial indexes; '' for all rows. */
  readonly condition?: string;
}

export const createIndex = (
  dialect: SchemaDialect,
  { table, name, fields, condition = '' }: IndexShape,
): readonly string[] => {
  if (!dialect.indexes.isMade(name)) return [];
  const columns = fields.map((field) => dialect.quoted(columnName(field)));
  const where = dialect.indexes.isPartial && condition !== '' ? ` WHERE ${condition}` : '';
  return [
    `CREATE INDEX ${dialect.quoted(name)} ON ${dialect.quoted(columnName(table))} (${columns.join(', ')})${where}`,
  ];
};

/** What a list asks of its rows beside the value of a column. */
export const conditionsOf = (dialect: SchemaDialect, { whereNull, whereNotNull }: AnyIndexSpec): readonly string[] => {
  const column = (field: string): string => dialect.quoted(columnName(field));
  return [
    ...(whereNull === undefined ? [] : [`${column(whereNull)} IS NULL`]),
    ...(whereNotNull === undefined ? [] : [`${column(whereNotNull)} IS NOT NULL`]),
  ];
};

const createListIndex = (dialect: SchemaDialect, name: IndexName): readonly string[] => {
  const spec = indexSpec(name);
  const fields = [...(spec.of === null ? [] : [spec.of]), spec.order, ...(dialect.indexes.isPartial ? ['id'] : [])];
  const condition = conditionsOf(dialect, spec).join(' AND ');
  return createIndex(dialect, { table: spec.table, name: dialect.indexes.list(name), fields, condition });
};

const isClaimable = (table: TableName): boolean => claimableTables.some((name) => name === table);

const dueIndex = (dialect: SchemaDialect, table: TableName): readonly string[] => {
  const condition = `${dialect.quoted(columnName('dueAtMs'))} IS NOT NULL`;
  return isClaimable(table)
    ? createIndex(dialect, { table, name: dialect.indexes.due(table), fields: ['dueAtMs'], condition })
    : [];
};

const startIndexes = (dialect: SchemaDialect, table: TableName): readonly string[] => [
  ...createIndex(dialect, { table, name: dialect.indexes.start(table), fields: ['startMs'] }),
  ...createIndex(dialect, { table, name: dialect.indexes.startOfAccount(table), fields: ['accountId', 'startMs'] }),
];

/** What is found by no index of `indexes`: due rows, and roll-ups by their time. */
const otherIndexes = (dialect: SchemaDialect, table: TableName, added: readonly AddedColumn[]): readonly string[] => [
  ...(added.some((one) => one.table === table && one.field === 'dueAtMs') ? [] : dueIndex(dialect, table)),
  ...(table in usageRollUps ? startIndexes(dialect, table) : []),
];

const addColumn = (dialect: SchemaDialect, { table, field, value }: AddedColumn): readonly string[] => {
  const column = createRecordCodec(table).columns.find((one) => one.field === field);
  if (column === undefined) throw new Error(`${table} has no field ${field}`);
  const given = value === null ? '' : ` NOT NULL DEFAULT ${value}`;
  const type = `${typeOf(dialect, table, column)}${given}${amountCheck(dialect, table, column)}`;
  return [
    `ALTER TABLE ${dialect.quoted(columnName(table))} ADD COLUMN ${dialect.quoted(column.name)} ${type}`,
    ...(field === 'dueAtMs' ? dueIndex(dialect, table) : []),
  ];
};

/** A table that holds no records; the first word of each line is the column's name. */
export const ownTable = (dialect: SchemaDialect, name: string, columns: readonly string[]): string =>
  tableSql(
    dialect,
    name,
    columns.map((column) => column.replace(/^\w+/, (field) => dialect.quoted(field))),
  );

/**
 * The schema of a database by its versions, from `tableColumns`, `indexes` and what changed since. `others` has statements that end a
 * version: tables that hold no records, and what is computed from the rows that are there.
 */
export const schemaMigrations = (
  dialect: SchemaDialect,
  others: ReadonlyMap<number, readonly string[]>,
  changes: readonly SchemaChange[] = schemaChanges,
): readonly Migration[] => {
  const later = new Set(changes.flatMap(({ tables = [] }) => tables));
  const listed = new Set(changes.flatMap((change) => change.indexes ?? []));
  const added = changes.flatMap(({ columns = [] }) => columns);
  const first: SchemaChange = {
    tables: tablesInLockOrder.filter((table) => !later.has(table)),
    indexes: indexNames.filter((name) => !listed.has(name)),
  };
  return [first, ...changes].map(({ tables = [], columns = [], indexes: names = [] }, at) => ({
    version: at + 1,
    statements: [
      ...columns.flatMap((column) => addColumn(dialect, column)),
      ...tables.map((table) => createTable(dialect, table, added)),
      ...names.flatMap((name) => createListIndex(dialect, name)),
      ...tables.flatMap((table) => otherIndexes(dialect, table, added)),
      ...(others.get(at + 1) ?? []),
    ],
  }));
};

/** The SQL of every version, in the order in which it is run on an empty database. */
export const schemaText = (migrations: readonly Migration[]): string =>
  migrations
    .map(({ version, statements }) => `-- Version ${version}\n${statements.map((sql) => `${sql};\n`).join('')}`)
    .join('\n');
