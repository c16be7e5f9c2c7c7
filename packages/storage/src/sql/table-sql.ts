import { indexSpec, type AnyIndexSpec, type IndexName, type IndexQuery, type ScanQuery } from '../indexes.ts';
import type { NetWrite } from '../step-batch.ts';
import type { ClaimableTable } from '../table-groups.ts';
import type { ClaimQuery } from '../storage.ts';
import type { TableName, Tables } from '../tables.ts';
import { columnName } from './column-name.ts';
import { createRecordCodec, type RecordCodec } from './record-codec.ts';
import type { Sql, SqlRow, SqlValue } from './sql-connection.ts';
import type { SqlDialect } from './sql-dialect.ts';

type AnyRecord = Tables[TableName];

/** The statements over one table, from its columns. */
export interface TableSql {
  readonly codec: RecordCodec;
  read(ids: readonly string[]): Sql;
  /** As `read`, and locks the rows in the order of their ids. */
  lock(ids: readonly string[]): Sql;
  /** The ids that have a row. */
  exist(ids: readonly string[]): Sql;
  insert(rows: readonly (readonly SqlValue[])[]): Sql;
  /** Writes the columns that changed; null where none did. */
  update(before: AnyRecord, after: AnyRecord): Sql | null;
  remove(ids: readonly string[]): Sql;
}

/** Parameters of a statement, named as its text is made. */
export const createParameters = (dialect: SqlDialect) => {
  const values: SqlValue[] = [];
  const add = (value: SqlValue): string => {
    values.push(value);
    return dialect.parameter(values.length - 1);
  };
  return { values, add, list: (many: readonly SqlValue[]): string => many.map(add).join(', ') };
};

export const tableName = (dialect: SqlDialect, table: string): string => dialect.quoted(columnName(table));

export const createTableSql = (dialect: SqlDialect, table: TableName): TableSql => {
  const codec = createRecordCodec(table);
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
    read: byIds(`SELECT ${all}`, ''),
    lock: byIds(`SELECT ${all}`, ` ORDER BY ${id}${dialect.forUpdate}`),
    exist: byIds(`SELECT ${id}`, ''),
    remove: byIds('DELETE', ''),
    insert: (rows) => {
      const parameters = createParameters(dialect);
      const tuples = rows.map((row) => `(${parameters.list(row)})`).join(', ');
      return { text: `INSERT INTO ${name} (${all}) VALUES ${tuples}`, values: parameters.values };
    },
    update: (before, after) => {
      const places = codec.changed(before, after);
      if (places.length === 0) return null;
      const parameters = createParameters(dialect);
      const sets = places.map((at) => `${names[at] ?? ''} = ${parameters.add(codec.encodeAt(after, at))}`).join(', ');
      const text = `UPDATE ${name} SET ${sets} WHERE ${id} = ${parameters.add(after.id)}`;
      return { text, values: parameters.values };
    },
  };
};

export type TablesSql = (table: TableName) => TableSql;

/** The records of rows, by id. */
export const recordsById = ({ codec }: TableSql, rows: readonly SqlRow[]): ReadonlyMap<string, AnyRecord> =>
  new Map(rows.map((row) => codec.decode(row)).map((record) => [record.id, record]));

const isWanted = (
  dialect: SqlDialect,
  spec: AnyIndexSpec,
  parameters: ReturnType<typeof createParameters>,
  query: IndexQuery,
) => {
  const [order, id] = [dialect.quoted(columnName(spec.order)), dialect.quoted('id')];
  const { of, after } = query;
  const column = (field: string): string => dialect.quoted(columnName(field));
  const conditions: string[] = [];
  if (spec.of !== null) conditions.push(`${column(spec.of)} = ${parameters.add(of)}`);
  if (spec.whereNull !== undefined) conditions.push(`${column(spec.whereNull)} IS NULL`);
  if (spec.whereNotNull !== undefined) conditions.push(`${column(spec.whereNotNull)} IS NOT NULL`);
  if (after !== undefined) {
    // The first condition bounds the range of the index; not every database does so for a comparison of rows.
    conditions.push(`${order} <= ${parameters.add(after.order)}`);
    conditions.push(`(${order} < ${parameters.add(after.order)} OR ${id} < ${parameters.add(after.id)})`);
  }
  return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
};

/** Lists an index, newest first. */
export const listSql = (dialect: SqlDialect, tables: TablesSql, name: IndexName, query: IndexQuery): Sql => {
  const spec = indexSpec(name);
  const parameters = createParameters(dialect);
  const columns = tables(spec.table).codec.columns.map((column) => dialect.quoted(column.name));
  const order = dialect.quoted(columnName(spec.order));
  const where = isWanted(dialect, spec, parameters, query);
  const text = `SELECT ${columns.join(', ')} FROM ${tableName(dialect, spec.table)}${where}
    ORDER BY ${order} DESC, ${dialect.quoted('id')} DESC LIMIT ${parameters.add(query.limit)}`;
  return { text, values: parameters.values };
};

/** Rows by rising id. */
export const scanSql = (dialect: SqlDialect, { codec }: TableSql, table: TableName, query: ScanQuery): Sql => {
  const { after, where, limit } = query;
  const parameters = createParameters(dialect);
  const id = dialect.quoted('id');
  const conditions: string[] = [];
  if (after !== undefined) conditions.push(`${id} > ${parameters.add(after)}`);
  if (where !== undefined)
    conditions.push(`${dialect.quoted(columnName(where.field))} = ${parameters.add(where.value)}`);
  const columns = codec.columns.map((column) => dialect.quoted(column.name)).join(', ');
  const condition = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  const text = `SELECT ${columns} FROM ${tableName(dialect, table)}${condition} ORDER BY ${id} LIMIT ${parameters.add(limit)}`;
  return { text, values: parameters.values };
};

/** The index by which due rows of a table are found. */
export const dueIndexOf = (table: string): string => `due_${columnName(table)}`;

/** Locks the rows that have been due longest and that no other transaction holds. */
export const dueSql = (
  dialect: SqlDialect,
  { codec }: TableSql,
  { table, limit }: ClaimQuery,
  nowMs: number | null,
): Sql => {
  const parameters = createParameters(dialect);
  const due = dialect.quoted('due_at_ms');
  const now = nowMs === null ? dialect.clock : parameters.add(nowMs);
  const columns = codec.columns.map((column) => dialect.quoted(column.name)).join(', ');
  const text = `SELECT ${columns} FROM ${tableName(dialect, table)}${dialect.byIndex(dueIndexOf(table))} WHERE ${due} <= ${now}
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
  const updates = writes.map((write) => (write.kind === 'update' ? table.update(write.before, write.record) : null));
  return [
    ...(rows.length === 0 ? [] : [table.insert(rows.toSorted(byId))]),
    ...updates.filter((update) => update !== null),
    ...(removed.length === 0 ? [] : [table.remove(removed)]),
  ];
};
