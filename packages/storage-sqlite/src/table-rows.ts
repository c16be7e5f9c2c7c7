import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { tableColumns, type NetWrite, type TableName, type Tables } from '@tollgate/storage';
import { prepareArrays, rowOf } from './array-rows.ts';
import { columnName } from './column-name.ts';
import { createRowCodec, type RowCodec } from './row-codec.ts';

type AnyRecord = Tables[TableName];

/** Different sets of changed columns whose update statement a table keeps prepared; beyond, all columns are written. */
const updateStatementsMax = 64;

interface TableRows {
  readonly codec: RowCodec;
  find(id: string): AnyRecord | undefined;
  insert(record: AnyRecord): void;
  update(before: AnyRecord, after: AnyRecord): void;
  remove(id: string): void;
}

const expectOne = (changes: number | bigint, table: TableName, id: string): void => {
  if (Number(changes) !== 1) throw new Error(`row does not exist: ${table} ${id}`);
};

/** Updates by the columns that changed, so that indexes over the others are left alone. */
const createUpdate = (database: DatabaseSync, table: TableName, codec: RowCodec) => {
  const prepared = new Map<number, { readonly statement: StatementSync; readonly at: readonly number[] }>();
  const prepare = (bits: number) => {
    const at = codec.columns.flatMap((_, column) => ((bits >> column) & 1 ? [column] : []));
    const assignments = at.map((column) => `${codec.columns[column]} = ?`).join(', ');
    const statement = database.prepare(`UPDATE ${columnName(table)} SET ${assignments} WHERE id = ?`);
    return { statement, at };
  };
  const everything = 2 ** codec.columns.length - 1;
  const updateOf = (bits: number) => {
    const wanted = prepared.has(bits) || prepared.size < updateStatementsMax ? bits : everything;
    const update = prepared.get(wanted) ?? prepare(wanted);
    prepared.set(wanted, update);
    return update;
  };
  return (before: AnyRecord, after: AnyRecord): void => {
    const bits = codec.changed(before, after);
    if (bits === 0) return;
    const { statement, at } = updateOf(bits);
    const values = at.map((column) => codec.encodeAt(after, column));
    expectOne(statement.run(...values, after.id).changes, table, after.id);
  };
};

const createTable = (database: DatabaseSync, table: TableName): TableRows => {
  const codec = createRowCodec(table);
  const name = columnName(table);
  const columns = codec.columns.join(', ');
  const select = prepareArrays(database, `SELECT ${columns} FROM ${name} WHERE id = ?`);
  const places = codec.columns.map(() => '?').join(', ');
  const insert = database.prepare(`INSERT INTO ${name} (${columns}) VALUES (${places})`);
  const remove = database.prepare(`DELETE FROM ${name} WHERE id = ?`);
  return {
    codec,
    find: (id) => {
      const row = select.get(id);
      return row === undefined ? undefined : codec.decode(rowOf(row));
    },
    insert: (record) => void insert.run(...codec.encode(record)),
    update: createUpdate(database, table, codec),
    remove: (id) => expectOne(remove.run(id).changes, table, id),
  };
};

export interface DatabaseRows {
  codec(table: TableName): RowCodec;
  find(table: TableName, id: string): AnyRecord | undefined;
  /** Writes within the open transaction. Throws on what the schema refuses. */
  write(writes: readonly NetWrite[]): void;
}

/** The rows of all tables, by statements prepared once. */
export const createDatabaseRows = (database: DatabaseSync): DatabaseRows => {
  const names = Object.keys(tableColumns).filter((name): name is TableName => Object.hasOwn(tableColumns, name));
  const tables = new Map(names.map((name) => [name, createTable(database, name)]));
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
    codec: (table) => tableOf(table).codec,
    find: (table, id) => tableOf(table).find(id),
    write: (writes) => writes.forEach(writeOne),
  };
};
