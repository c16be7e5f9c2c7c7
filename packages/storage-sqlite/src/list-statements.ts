import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { indexSpec, indexes, type AnyIndexSpec, type IndexName, type IndexQuery } from '@tollgate/storage';
import { columnName } from './column-name.ts';
import type { SqlValue } from './row-codec.ts';
import { prepareArrays, rowOf } from './array-rows.ts';

/** The statement that lists an index; the SQL index over the same columns serves it in order. */
export const listSql = (spec: AnyIndexSpec, columns: readonly string[], afterCursor: boolean): string => {
  const order = columnName(spec.order);
  const conditions = [
    ...(spec.of === null ? [] : [`${columnName(spec.of)} = ?`]),
    ...(spec.whereNull === undefined ? [] : [`${columnName(spec.whereNull)} IS NULL`]),
    ...(spec.whereNotNull === undefined ? [] : [`${columnName(spec.whereNotNull)} IS NOT NULL`]),
    ...(afterCursor ? [`(${order}, id) < (?, ?)`] : []),
  ];
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  return `SELECT ${columns.join(', ')} FROM ${columnName(spec.table)}${where} ORDER BY ${order} DESC, id DESC LIMIT ?`;
};

/** Returns the rows of an index as arrays, newest first. */
export type ListRows = (name: IndexName, query: IndexQuery) => readonly (readonly unknown[])[];

export const createListRows = (database: DatabaseSync, columnsOf: (name: IndexName) => readonly string[]): ListRows => {
  const names = Object.keys(indexes).filter((name): name is IndexName => Object.hasOwn(indexes, name));
  const prepared = new Map<IndexName, readonly [StatementSync, StatementSync]>(
    names.map((name) => {
      const sql = (afterCursor: boolean) => listSql(indexSpec(name), columnsOf(name), afterCursor);
      return [name, [prepareArrays(database, sql(false)), prepareArrays(database, sql(true))]];
    }),
  );
  return (name, { of, after, limit }) => {
    const statement = prepared.get(name)?.[after === undefined ? 0 : 1];
    if (statement === undefined) throw new Error(`no such index: ${name}`);
    const values: SqlValue[] = indexSpec(name).of === null ? [] : [of];
    if (after !== undefined) values.push(after.order, after.id);
    return statement.all(...values, limit).map(rowOf);
  };
};
