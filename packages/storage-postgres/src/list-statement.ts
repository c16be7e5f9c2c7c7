import {
  checkScan,
  indexSpec,
  type AnyIndexSpec,
  type IndexName,
  type IndexQuery,
  type ScanQuery,
  type TableName,
} from '@tollgate/storage';
import { columnName } from './column-name.ts';
import { dueTableIn } from './due-rows.ts';
import type { Statement } from './statement.ts';
import { tableNameIn, type SchemaStatements } from './table-statements.ts';

/** Of all operations that are stored, the open ones are few and have a table of their own. */
const isOfOpenOperations = ({ table, whereNull }: AnyIndexSpec): boolean =>
  table === 'operation' && whereNull === 'endedAtMs';

const listSql = (schema: string, spec: AnyIndexSpec, columns: readonly string[], afterCursor: boolean): string => {
  const order = columnName(spec.order);
  const cursorAt = spec.of === null ? 2 : 3;
  const conditions = [
    ...(spec.of === null ? [] : [`${columnName(spec.of)} = $2`]),
    ...(spec.whereNull === undefined ? [] : [`${columnName(spec.whereNull)} IS NULL`]),
    ...(spec.whereNotNull === undefined ? [] : [`${columnName(spec.whereNotNull)} IS NOT NULL`]),
    ...(isOfOpenOperations(spec) ? [`id = ANY (ARRAY (SELECT id FROM ${dueTableIn(schema, 'operation_open')}))`] : []),
    ...(afterCursor ? [`(${order}, id) < ($${cursorAt}::bigint, $${cursorAt + 1}::text)`] : []),
  ];
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  return `SELECT ${columns.join(', ')} FROM ${tableNameIn(schema, spec.table)}${where}
    ORDER BY ${order} DESC, id DESC LIMIT $1::int`;
};

/** Lists an index, newest first; the SQL index over the same columns serves it in order. */
export const listStatement = (statements: SchemaStatements, name: IndexName, query: IndexQuery): Statement => {
  const spec = indexSpec(name);
  const { of, after, limit } = query;
  const values = [String(limit), ...(spec.of === null ? [] : [of])];
  if (after !== undefined) values.push(String(after.order), after.id);
  return {
    name: `list_${name}${after === undefined ? '' : '_after'}`,
    text: listSql(statements.schema, spec, statements.of(spec.table).codec.columns, after !== undefined),
    values,
  };
};

/** Rows of a table by rising id. */
export const scanStatement = (statements: SchemaStatements, table: TableName, query: ScanQuery): Statement => {
  checkScan(table, query);
  const { after, where, limit } = query;
  const values = [String(limit)];
  const conditions: string[] = [];
  if (after !== undefined) conditions.push(`id > $${values.push(after)}::text`);
  if (where !== undefined) conditions.push(`${columnName(where.field)} = $${values.push(where.value)}`);
  const condition = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  const columns = statements.of(table).codec.columns.join(', ');
  return {
    name: `scan_${columnName(table)}_${after === undefined ? '' : 'after'}_${where?.field ?? ''}`,
    text: `SELECT ${columns} FROM ${tableNameIn(statements.schema, table)}${condition} ORDER BY id LIMIT $1::int`,
    values,
  };
};
