import type { NetWrite } from '../step-batch.ts';
import { tablesInLockOrder } from '../table-access.ts';
import type { TableName } from '../tables.ts';
import { columnName } from './column-name.ts';
import type { Sql, SqlConnection, SqlValue } from './sql-connection.ts';
import type { SqlDialect, StatementDialect } from './sql-dialect.ts';
import { createParameters, type TablesSql } from './table-sql.ts';

/*
 * A database with several primaries, such as a Galera cluster, keeps locks on the primary where they were taken. Two transactions on two
 * primaries are compared when they commit, by the rows that they wrote: without such a row in common both are committed, though each may
 * have read what the other one changed. So a transaction also writes the rows that it only read: it adds one to a column that
 * means nothing. What two transactions share is then in both, and the later one fails as `busy` and is decided again.
 */

const column = 'certified';

/** Tables without records of which a transaction may rely on a row that it does not change. */
const ownTables = ['lock_row', 'blob_part'];

/** Adds one to the rows of a table whose `key` is one of these. */
const touchSql = (dialect: StatementDialect, table: string, key: string, values: readonly SqlValue[]): Sql => {
  const parameters = createParameters(dialect);
  const counter = dialect.quoted(column);
  const text = `UPDATE ${dialect.table(table)} SET ${counter} = ${counter} + 1
    WHERE ${dialect.quoted(key)} IN (${parameters.list(values)})`;
  return { text, values: parameters.values };
};

/** As `touchSql`, where the database needs it. */
export const certifySql = (dialect: StatementDialect, table: string, key: string, value: SqlValue): readonly Sql[] =>
  dialect.certification === undefined ? [] : [touchSql(dialect, table, key, [value])];

/** Whether the write changes the row. One that leaves it as it was is none to the database: so JSON must be compared by its content. */
const changesRow = (tables: TablesSql, write: NetWrite): boolean =>
  write.kind !== 'update' || tables(write.table).codec.changed(write.before, write.record) !== 0;

const idOf = (write: NetWrite): string => (write.kind === 'delete' ? write.id : write.record.id);

/** Writes the rows that a batch found and does not change. */
export const certifyFoundSql = (
  dialect: SqlDialect,
  tables: TablesSql,
  found: ReadonlyMap<TableName, ReadonlyMap<string, object>>,
  writes: readonly NetWrite[],
): readonly Sql[] => {
  if (dialect.certification === undefined) return [];
  const changed = Map.groupBy(
    writes.filter((write) => changesRow(tables, write)),
    ({ table }) => table,
  );
  return [...found].flatMap(([table, records]) => {
    const ids = new Set(changed.get(table)?.map(idOf));
    const onlyRead = [...records.keys()].filter((id) => !ids.has(id));
    return onlyRead.length === 0 ? [] : [touchSql(dialect, columnName(table), 'id', onlyRead)];
  });
};

/** The statements that add the column where it is missing. Each may have been run before. */
export const missingCertification = async (
  dialect: SqlDialect,
  connection: SqlConnection,
): Promise<readonly string[]> => {
  if (dialect.certification === undefined) return [];
  const [rows = []] = await connection.run([dialect.certification.tablesWith(column)]);
  const present = new Set(rows.map(([name]) => name));
  return [...ownTables, ...tablesInLockOrder.map(columnName)]
    .filter((name) => !present.has(name))
    .map(
      (name) =>
        `ALTER TABLE ${dialect.table(name)} ADD COLUMN ${dialect.quoted(column)} ${dialect.types.integer} NOT NULL DEFAULT 0`,
    );
};
