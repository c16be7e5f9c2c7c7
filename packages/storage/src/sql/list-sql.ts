import { indexSpec, type AnyIndexSpec, type IndexCursor, type IndexName, type IndexQuery } from '../indexes.ts';
import { columnName } from './column-name.ts';
import { conditionsOf } from './schema-sql.ts';
import type { Sql, SqlValue } from './sql-connection.ts';
import type { StatementDialect } from './sql-dialect.ts';
import { tableName, type TablesSql } from './table-sql.ts';

/** Names the next parameter. */
type Next = () => string;

/** The rows after the cursor: smaller, by the column of the order and then by id. Its values are those of `cursorValues`. */
const isAfter = (dialect: StatementDialect, order: string, next: Next): string => {
  const id = dialect.quoted('id');
  if (dialect.comparesPairs) return `(${order}, ${id}) < (${next()}, ${next()})`;
  // The first condition bounds the range of the index.
  return `${order} <= ${next()} AND (${order} < ${next()} OR ${id} < ${next()})`;
};

const cursorValues = ({ comparesPairs }: StatementDialect, { order, id }: IndexCursor): readonly SqlValue[] =>
  comparesPairs ? [order, id] : [order, order, id];

const listText = (dialect: StatementDialect, tables: TablesSql, spec: AnyIndexSpec, hasCursor: boolean): string => {
  const column = (field: string): string => dialect.quoted(columnName(field));
  let at = 0;
  const next: Next = () => dialect.parameter(at++);
  const [order, also] = [column(spec.order), dialect.alsoListed(spec)];
  const conditions = [
    ...(spec.of === null ? [] : [`${column(spec.of)} = ${next()}`]),
    ...conditionsOf(dialect, spec),
    ...(also === null ? [] : [also]),
    ...(hasCursor ? [isAfter(dialect, order, next)] : []),
  ];
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  return `SELECT ${tables(spec.table).columns} FROM ${tableName(dialect, spec.table)}${where}
    ORDER BY ${order} DESC, ${dialect.quoted('id')} DESC LIMIT ${next()}`;
};

/** The statement that lists an index, newest first; the index of its name serves it in order. */
export type ListSql = (name: IndexName, query: IndexQuery) => Sql;

/** Makes each text once. */
export const createListSql = (dialect: StatementDialect, tables: TablesSql): ListSql => {
  const texts = new Map<string, string>();
  return (name, { of, after, limit }) => {
    const spec = indexSpec(name);
    const variant = after === undefined ? name : `${name} after`;
    const text = texts.get(variant) ?? listText(dialect, tables, spec, after !== undefined);
    texts.set(variant, text);
    const cursor = after === undefined ? [] : cursorValues(dialect, after);
    return { text, values: [...(spec.of === null ? [] : [of]), ...cursor, limit] };
  };
};
