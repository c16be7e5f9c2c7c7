import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { tablesInLockOrder, type NetWrite, type TableName, type Tables } from '@tollgate/storage';
import { everyColumn, placesOf, type ColumnSet, type TableSql, type TablesSql } from '@tollgate/storage/sql';
import { prepareArrays, rowOf } from './array-rows.ts';

type AnyRecord = Tables[TableName];

/** Different sets of changed columns whose update statement a table keeps prepared; beyond, all columns are written. */
const updateStatementsMax = 64;

interface TableRows {
  find(id: string): AnyRecord | undefined;
  insert(record: AnyRecord): void;
  update(before: AnyRecord, after: AnyRecord): void;
  remove(id: string): void;
}

const expectOne = (changes: number | bigint, table: TableName, id: string): void => {
  if (Number(changes) !== 1) throw new Error(`row does not exist: ${table} ${id}`);
};

/** Updates by the columns that changed, so that indexes over the others are left alone. */
const createUpdate = (database: DatabaseSync, table: TableName, sql: TableSql) => {
  const { codec } = sql;
  const prepared = new Map<ColumnSet, { readonly statement: StatementSync; readonly places: readonly number[] }>();
  const everything = everyColumn(codec);
  const updateOf = (columns: ColumnSet) => {
    const wanted = prepared.has(columns) || prepared.size < updateStatementsMax ? columns : everything;
    const known = prepared.get(wanted);
    if (known !== undefined) return known;
    const made = { statement: database.prepare(sql.update(wanted)), places: placesOf(wanted) };
    prepared.set(wanted, made);
    return made;
  };
  return (before: AnyRecord, after: AnyRecord): void => {
    const columns = codec.changed(before, after);
    if (columns === 0) return;
    const { statement, places } = updateOf(columns);
    const values = places.map((at) => codec.encodeAt(after, at));
    expectOne(statement.run(...values, after.id).changes, table, after.id);
  };
};

/** The statements of the kit, each prepared once for one row. */
const createTable = (database: DatabaseSync, table: TableName, sql: TableSql): TableRows => {
  const { codec } = sql;
  const select = prepareArrays(database, sql.read(['']).text);
  const insert = database.prepare(sql.insert([codec.placeholder('')]).text);
  const remove = database.prepare(sql.remove(['']).text);
  return {
    find: (id) => {
      const row = select.get(id);
      return row === undefined ? undefined : codec.decode(rowOf(row));
    },
    insert: (record) => void insert.run(...codec.encode(record)),
    update: createUpdate(database, table, sql),
    remove: (id) => expectOne(remove.run(id).changes, table, id),
  };
};

export interface DatabaseRows {
  find(table: TableName, id: string): AnyRecord | undefined;
  /** Writes within the open transaction. Throws on what the schema refuses. */
  write(writes: readonly NetWrite[]): void;
}

/** The rows of all tables, by statements prepared once. */
export const createDatabaseRows = (database: DatabaseSync, tablesSql: TablesSql): DatabaseRows => {
  const tables = new Map(tablesInLockOrder.map((name) => [name, createTable(database, name, tablesSql(name))]));
  const tableOf = (name: TableName): TableRows => {
    const table = tables.get(name);
    if (table === undefined) throw new Error(`no such table: ${name}`);
    return table;
  };
  const writeOne = (write: NetWrite): void => {
    const table = tableOf(write.table);
    switch (write.kind) {
      case 'insert':
        table.insert(write.record);
        return;
      case 'update':
        table.update(write.before, write.record);
        return;
      case 'delete':
        table.remove(write.id);
    }
  };
  return {
    find: (table, id) => tableOf(table).find(id),
    write: (writes) => writes.forEach(writeOne),
  };
};
