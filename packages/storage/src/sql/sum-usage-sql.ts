import type { TableName } from '../tables.ts';
import { createUsageSums, type UsageRow } from '../sum-usage-rows.ts';
import { recordOfTable } from '../typed-records.ts';
import { usageDimensions, type UsageSum, type UsageSumQuery } from '../usage-sums.ts';
import { columnName } from './column-name.ts';
import type { Sql, SqlConnection } from './sql-connection.ts';
import type { SqlDialect } from './sql-dialect.ts';
import { endSnapshot } from './sql-transaction.ts';
import { createParameters, tableName, type TablesSql } from './table-sql.ts';

/** Rows of usage that one statement fetches at the most. */
const rowsPerStatement = 1_000;

interface Place {
  readonly atMs: number;
  readonly id: string;
}

interface Part {
  readonly dialect: SqlDialect;
  readonly tables: TablesSql;
  readonly table: TableName;
  readonly time: 'startMs' | 'createdAtMs';
}

/** The next rows within the periods, by their time. */
const pageSql = ({ dialect, tables, table, time }: Part, query: UsageSumQuery, after: Place): Sql => {
  const parameters = createParameters(dialect);
  const [at, id] = [dialect.quoted(columnName(time)), dialect.quoted('id')];
  const conditions = [
    `${at} >= ${parameters.add(after.atMs)}`,
    `${at} < ${parameters.add(query.bounds.at(-1) ?? 0)}`,
    `(${at} > ${parameters.add(after.atMs)} OR ${id} > ${parameters.add(after.id)})`,
    ...usageDimensions.flatMap((name) => {
      const value = query.where[name];
      return value === undefined ? [] : [`${dialect.quoted(columnName(name))} = ${parameters.add(value)}`];
    }),
  ];
  const text = `SELECT ${tables(table).columns} FROM ${tableName(dialect, table)} WHERE ${conditions.join(' AND ')}
    ORDER BY ${at}, ${id} LIMIT ${rowsPerStatement}`;
  return { text, values: parameters.values };
};

/** Calls `add` with all rows of a part, a bounded number at a time. */
const readPart = async (
  connection: SqlConnection,
  part: Part,
  query: UsageSumQuery,
  add: (record: object) => number,
): Promise<void> => {
  // No id of a row is smaller than the empty one, and no row has it.
  let after: Place | null = { atMs: query.after?.fromMs ?? query.bounds[0] ?? 0, id: '' };
  while (after !== null) {
    const [rows = []]: Awaited<ReturnType<SqlConnection['run']>> = await connection.run([pageSql(part, query, after)]);
    let last: Place | null = null;
    for (const row of rows) {
      const record = part.tables(part.table).codec.decode(row);
      last = { atMs: add(record), id: record.id };
    }
    after = rows.length < rowsPerStatement ? null : last;
  }
};

/** Sums usage here, over the rows of one snapshot: no two databases take JSON apart in the same way. */
export const sumUsageSql = async (
  dialect: SqlDialect,
  tables: TablesSql,
  connection: SqlConnection,
  query: UsageSumQuery,
): Promise<readonly UsageSum[]> => {
  const sums = createUsageSums(query);
  try {
    await connection.run(dialect.beginSnapshot);
    await readPart(connection, { dialect, tables, table: query.rollUp, time: 'startMs' }, query, (record) => {
      const row: UsageRow = recordOfTable<'usageHour' | 'usageDay'>(record);
      sums.addRow(row);
      return row.startMs;
    });
    await readPart(connection, { dialect, tables, table: 'usageLine', time: 'createdAtMs' }, query, (record) => {
      const line = recordOfTable<'usageLine'>(record);
      sums.addLine(line);
      return line.createdAtMs;
    });
    await connection.run(endSnapshot(dialect));
    return sums.list();
  } catch (cause) {
    // It holds a snapshot.
    connection.close();
    throw cause;
  }
};
