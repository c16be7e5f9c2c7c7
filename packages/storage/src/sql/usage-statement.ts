import { usageDimensions, type UsageSumQuery, type UsageSumRow } from '../usage-sums.ts';
import { columnName } from './column-name.ts';
import type { Sql, SqlRow, SqlValue } from './sql-connection.ts';
import type { StatementDialect } from './sql-dialect.ts';

/** How one database's SQL sums usage in one statement, which sees one state of the database. */
export interface UsageSql {
  readonly dialect: StatementDialect;
  /** The beginnings of the periods, and at last the end of them, as the first parameters. */
  bounds(bounds: readonly number[]): readonly SqlValue[];
  /** A part of WITH before the others, or ''. */
  readonly periods: string;
  /** The rows of one table within the periods: where they come from, with the name `used`, what they must be, and their period. */
  within(table: string, time: string): { readonly from: string; readonly where: string; readonly fromMs: string };
  /** The members of the object `part.units` as rows, and the name and the quantity of one of them. */
  readonly units: { readonly from: string; readonly name: string; readonly quantity: string };
}

const filtersOf = ({ where }: UsageSumQuery): readonly (readonly [string, string])[] =>
  usageDimensions.flatMap((name) => {
    const value = where[name];
    return value === undefined ? [] : [[columnName(name), value] as const];
  });

/** The places of the parameters that follow the bounds. */
interface Places {
  readonly limit: number;
  readonly filters: number;
  readonly after: number;
}

const partSql = (
  usage: UsageSql,
  query: UsageSumQuery,
  { filters }: Places,
  [table, time]: readonly [string, string],
): string => {
  const { dialect } = usage;
  const { from, where, fromMs } = usage.within(dialect.table(columnName(table)), time);
  const groups = query.groupBy.map((name, at) => `used.${columnName(name)} AS g${at}, `).join('');
  const conditions = [
    where,
    ...filtersOf(query).map(([column], at) => `used.${column} = ${dialect.parameter(filters + at)}`),
  ];
  return `SELECT ${fromMs} AS from_ms, ${groups}used.requests, used.charged_micros, used.corrected_micros, used.units
    FROM ${from} WHERE ${conditions.join(' AND ')}`;
};

/** Sums come as text, for drivers round whole numbers beyond 2^53 or refuse them. */
const sumSql = (usage: UsageSql, query: UsageSumQuery, places: Places): string => {
  const { dialect, periods, units } = usage;
  const groups = ['from_ms', ...query.groupBy.map((_, at) => `g${at}`)];
  const columns = groups.join(', ');
  const after = groups.map((_, at) => dialect.parameter(places.after + at)).join(', ');
  const isLater = query.after === null ? '' : ` WHERE (${columns}) > (${after})`;
  return `WITH ${periods}
    part AS MATERIALIZED (
      ${partSql(usage, query, places, [query.rollUp, 'start_ms'])}
      UNION ALL ${partSql(usage, query, places, ['usageLine', 'created_at_ms'])}
    ),
    total AS MATERIALIZED (
      SELECT ${columns}, sum(requests) AS requests, sum(charged_micros) AS charged, sum(corrected_micros) AS corrected
      FROM part${isLater} GROUP BY ${columns} ORDER BY ${columns} LIMIT ${dialect.parameter(places.limit)}
    ),
    unit AS MATERIALIZED (
      SELECT ${columns}, ${units.name} AS name, sum(${units.quantity}) AS quantity
      FROM part, ${units.from}${isLater} GROUP BY ${columns}, ${units.name}
    )
    SELECT ${columns}, CAST(requests AS TEXT), CAST(charged AS TEXT), CAST(corrected AS TEXT), name, CAST(quantity AS TEXT)
    FROM total LEFT JOIN unit USING (${columns}) ORDER BY ${columns}, name`;
};

/** The statement that sums usage. */
export const usageStatement = (usage: UsageSql, query: UsageSumQuery): Sql => {
  // Periods that end before the cursor's have nothing after it.
  const first = query.after === null ? 0 : Math.max(query.bounds.indexOf(query.after.fromMs), 0);
  const bounds = usage.bounds(query.bounds.slice(first));
  const filters = filtersOf(query).map(([, value]) => value);
  const places: Places = {
    limit: bounds.length,
    filters: bounds.length + 1,
    after: bounds.length + 1 + filters.length,
  };
  const after = query.after === null ? [] : [query.after.fromMs, ...query.after.values];
  return { text: sumSql(usage, query, places), values: [...bounds, query.limit, ...filters, ...after] };
};

const wholeOf = (value: SqlRow[number] | undefined): bigint =>
  typeof value === 'string' || typeof value === 'number' ? BigInt(value) : 0n;

/** A row of `usageStatement`, for `foldUsageRows`. */
export const usageRowOf = (row: SqlRow): UsageSumRow => {
  const [fromMs, ...rest] = row;
  const [requests, charged, corrected, name, quantity] = rest.slice(-5);
  return {
    fromMs: Number(fromMs),
    values: rest.slice(0, -5).map(String),
    requests: wholeOf(requests),
    chargedMicros: wholeOf(charged),
    correctedMicros: wholeOf(corrected),
    unit: typeof name === 'string' ? [name, wholeOf(quantity)] : null,
  };
};
