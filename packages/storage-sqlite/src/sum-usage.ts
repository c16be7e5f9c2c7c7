import type { DatabaseSync } from 'node:sqlite';
import { foldUsageRows, usageDimensions, type UsageSum, type UsageSumQuery, type UsageSumRow } from '@tollgate/storage';
import { prepareArrays, rowOf } from './array-rows.ts';
import { columnName, type SqlValue } from '@tollgate/storage/sql';

const filtersOf = ({ where }: UsageSumQuery): readonly (readonly [string, string])[] =>
  usageDimensions.flatMap((name) => {
    const value = where[name];
    return value === undefined ? [] : [[columnName(name), value] as const];
  });

/** The rows of one table within the periods. The periods come first: each is one range of the index over the times. */
const partSql = (query: UsageSumQuery, { table, time }: { readonly table: string; readonly time: string }): string => {
  const groups = query.groupBy.map((name, at) => `used.${columnName(name)} AS g${at}, `).join('');
  const filters = filtersOf(query).map(([column], at) => ` AND used.${column} = ?${at + 3}`);
  return `SELECT period.from_ms AS from_ms, ${groups}used.requests, used.charged_micros, used.corrected_micros, used.units
    FROM period CROSS JOIN ${table} AS used
    WHERE used.${time} >= period.from_ms AND used.${time} < period.to_ms${filters.join('')}`;
};

/** Sums are answered as text, for node:sqlite refuses whole numbers beyond 2^53. */
const sumSql = (query: UsageSumQuery): string => {
  const groups = ['from_ms', ...query.groupBy.map((_, at) => `g${at}`)];
  const columns = groups.join(', ');
  const places = filtersOf(query).length + 3;
  const after = groups.map((_, at) => `?${places + at}`).join(', ');
  const isLater = query.after === null ? '' : ` WHERE (${columns}) > (${after})`;
  return `WITH
    period AS (
      SELECT from_ms, to_ms FROM (SELECT value AS from_ms, lead(value) OVER (ORDER BY value) AS to_ms FROM json_each(?1))
      WHERE to_ms IS NOT NULL
    ),
    part AS MATERIALIZED (
      ${partSql(query, { table: columnName(query.rollUp), time: 'start_ms' })}
      UNION ALL ${partSql(query, { table: 'usage_line', time: 'created_at_ms' })}
    ),
    total AS MATERIALIZED (
      SELECT ${columns}, sum(requests) AS requests, sum(charged_micros) AS charged, sum(corrected_micros) AS corrected
      FROM part${isLater} GROUP BY ${columns} ORDER BY ${columns} LIMIT ?2
    ),
    unit AS MATERIALIZED (
      SELECT ${columns}, used.key AS name, sum(used.value) AS quantity
      FROM part, json_each(part.units) AS used${isLater} GROUP BY ${columns}, used.key
    )
    SELECT ${columns}, CAST(requests AS TEXT), CAST(charged AS TEXT), CAST(corrected AS TEXT), name, CAST(quantity AS TEXT)
    FROM total LEFT JOIN unit USING (${columns}) ORDER BY ${columns}, name`;
};

/** A value that the statement returns as text or as a small number; null is none. */
const wholeOf = (value: unknown): bigint => {
  if (value === null) return 0n;
  if (typeof value === 'string' || typeof value === 'number') return BigInt(value);
  throw new Error('SQLite returned no number');
};

const sumRowOf = (row: readonly unknown[]): UsageSumRow => {
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

/** Sums usage in one statement, which sees one state of the database. */
export const sumUsage = (database: DatabaseSync, query: UsageSumQuery): readonly UsageSum[] => {
  // Periods that end before the cursor's have nothing after it.
  const first = query.after === null ? 0 : Math.max(query.bounds.indexOf(query.after.fromMs), 0);
  const values: SqlValue[] = [
    JSON.stringify(query.bounds.slice(first)),
    query.limit,
    ...filtersOf(query).map(([, value]) => value),
    ...(query.after === null ? [] : [query.after.fromMs, ...query.after.values]),
  ];
  return foldUsageRows(
    prepareArrays(database, sumSql(query))
      .all(...values)
      .map((row) => sumRowOf(rowOf(row))),
  );
};
