import type { ScanQuery } from '../indexes.ts';
import type { NetWrite } from '../step-batch.ts';
import { tablesInLockOrder } from '../table-access.ts';
import type { ClaimableTable } from '../table-groups.ts';
import type { ClaimQuery } from '../storage.ts';
import type { TableName, Tables } from '../tables.ts';
import { columnName } from './column-name.ts';
import {
  createRecordCodec,
  placesOf,
  type ColumnSet,
  type RecordCodec,
  type RecordCodecOptions,
} from './record-codec.ts';
import type { Sql, SqlRow, SqlValue } from './sql-connection.ts';
import type { SqlDialect, StatementDialect } from './sql-dialect.ts';

type AnyRecord = Tables[TableName];

/** The statements over one table, from its columns. */
export interface TableSql {
  readonly codec: RecordCodec;
  /** Its columns, as a statement names them. */
  readonly columns: string;
  read(ids: readonly string[]): Sql;
  /** As `read`, and locks the rows in the order of their ids. */
  lock(ids: readonly string[]): Sql;
  /** The ids that have a row. */
  exist(ids: readonly string[]): Sql;
  insert(rows: readonly (readonly SqlValue[])[]): Sql;
  /** Writes these columns of a row; its values are those of `updated`. */
  update(columns: ColumnSet): string;
  /** What `update` writes, the id last. */
  updated(record: AnyRecord, columns: ColumnSet): readonly SqlValue[];
  remove(ids: readonly string[]): Sql;
}

/** Parameters of a statement, named as its text is made. */
export const createParameters = (dialect: StatementDialect) => {
  const values: SqlValue[] = [];
  const add = (value: SqlValue): string => {
    values.push(value);
    return dialect.parameter(values.length - 1);
  };
  return { values, add, list: (many: readonly SqlValue[]): string => many.map(add).join(', ') };
};

export const tableName = (dialect: StatementDialect, table: string): string => dialect.table(columnName(table));

const createTableSql = (dialect: StatementDialect, table: TableName, options?: RecordCodecOptions): TableSql => {
  const codec = createRecordCodec(table, options);
  const name = tableName(dialect, table);
  const names = codec.columns.map((column) => dialect.quoted(column.name));
  const id = dialect.quoted('id');
  const byIds = (verb: string, end: string) => (ids: readonly string[]) => {
    const parameters = createParameters(dialect);
    return { text: `${verb} FROM ${name} WHERE ${id} IN (${parameters.list(ids)})${end}`, values: parameters.values };
  };
  const all = names.join(', ');
  return {
    codec,
    columns: all,
    read: byIds(`SELECT ${all}`, ''),
    lock: byIds(`SELECT ${all}`, ` ORDER BY ${id}${dialect.forUpdate}`),
    exist: byIds(`SELECT ${id}`, ''),
    remove: byIds('DELETE', ''),
    insert: (rows) => {
      const parameters = createParameters(dialect);
      const tuples = rows.map((row) => `(${parameters.list(row)})`).join(', ');
      return { text: `INSERT INTO ${name} (${all}) VALUES ${tuples}`, values: parameters.values };
    },
    update: (set) => {
      const places = placesOf(set);
      const sets = places.map((at, place) => `${names[at] ?? ''} = ${dialect.parameter(place)}`).join(', ');
      return `UPDATE ${name} SET ${sets} WHERE ${id} = ${dialect.parameter(places.length)}`;
    },
    updated: (record, set) => [...placesOf(set).map((at) => codec.encodeAt(record, at)), record.id],
  };
};

export type TablesSql = (table: TableName) => TableSql;

/** The statements of all tables, made once. */
export const createTables = (dialect: StatementDialect, options?: RecordCodecOptions): TablesSql => {
  const tables = new Map(tablesInLockOrder.map((table) => [table, createTableSql(dialect, table, options)]));
  return (name) => {
    const table = tables.get(name);
    if (table === undefined) throw new Error(`no such table: ${name}`);
    return table;
  };
};

/** The records of rows, by id. */
export const recordsById = ({ codec }: TableSql, rows: readonly SqlRow[]): ReadonlyMap<string, AnyRecord> =>
  new Map(rows.map((row) => codec.decode(row)).map((record) => [record.id, record]));

/** Rows by rising id. */
export const scanSql = (
  dialect: StatementDialect,
  { columns }: TableSql,
  table: TableName,
  { after, where, limit }: ScanQuery,
): Sql => {
  const parameters = createParameters(dialect);
  const id = dialect.quoted('id');
  const conditions = [
    ...(after === undefined ? [] : [`${id} > ${parameters.add(after)}`]),
    ...(where === undefined ? [] : [`${dialect.quoted(columnName(where.field))} = ${parameters.add(where.value)}`]),
  ];
  const condition = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  const text = `SELECT ${columns} FROM ${tableName(dialect, table)}${condition} ORDER BY ${id} LIMIT ${parameters.add(limit)}`;
  return { text, values: parameters.values };
};

/** Locks the rows that have been due longest and that no other transaction holds. */
export const dueSql = (
  dialect: SqlDialect,
  { columns }: TableSql,
  { table, limit }: ClaimQuery,
  nowMs: number | null,
): Sql => {
  const parameters = createParameters(dialect);
  const due = dialect.quoted('due_at_ms');
  const now = nowMs === null ? dialect.clock : parameters.add(nowMs);
  const text = `SELECT ${columns} FROM ${tableName(dialect, table)}${dialect.byIndex(dialect.indexes.due(table))} WHERE ${due} <= ${now}
    ORDER BY ${due} LIMIT ${parameters.add(limit)}${dialect.forUpdateSkipLocked}`;
  return { text, values: parameters.values };
};

/** Leases locked rows. */
export const leaseSql = (
  dialect: SqlDialect,
  table: ClaimableTable,
  ids: readonly string[],
  lease: { readonly owner: string; readonly dueAtMs: number },
): Sql => {
  const parameters = createParameters(dialect);
  const text = `UPDATE ${tableName(dialect, table)} SET ${dialect.quoted('owner')} = ${parameters.add(lease.owner)},
    ${dialect.quoted('due_at_ms')} = ${parameters.add(lease.dueAtMs)}
    WHERE ${dialect.quoted('id')} IN (${parameters.list(ids)})`;
  return { text, values: parameters.values };
};

const byId = (a: readonly SqlValue[], b: readonly SqlValue[]): number => (String(a[0]) < String(b[0]) ? -1 : 1);

/**
 * One insert and one removal, and an update for each changed row. The rows of `absentIds` that are not created are inserted as
 * placeholders and removed again: they stay absent until the commit. Everybody inserts in one order of ids, so that two who insert
 * the same ones never wait for each other in a circle.
 */
export const writeSql = (
  table: TableSql,
  writes: readonly NetWrite[],
  absentIds: readonly string[],
): readonly Sql[] => {
  const { codec } = table;
  const inserted = writes.flatMap((write) => (write.kind === 'insert' ? [write.record] : []));
  const created = new Set(inserted.map(({ id }) => id));
  const held = absentIds.filter((id) => !created.has(id));
  const rows = [...inserted.map((record) => codec.encode(record)), ...held.map((id) => codec.placeholder(id))];
  const removed = [...writes.flatMap((write) => (write.kind === 'delete' ? [write.id] : [])), ...held];
  const updates = writes.flatMap((write) => {
    const set = write.kind === 'update' ? codec.changed(write.before, write.record) : 0;
    if (write.kind !== 'update' || set === 0) return [];
    return [{ text: table.update(set), values: table.updated(write.record, set) }];
  });
  return [
    ...(rows.length === 0 ? [] : [table.insert(rows.toSorted(byId))]),
    ...updates,
    ...(removed.length === 0 ? [] : [table.remove(removed)]),
  ];
};
