import { usageDimensions, type UsageSumQuery, type UsageSumRow } from '@tollgate/storage';
import { plainArray } from './array-literal.ts';
import { columnName } from '@tollgate/storage/sql';
import { quoted } from './quoted.ts';
import type { Row } from './row-codec.ts';
import type { Statement } from './statement.ts';

const filtersOf = ({ where }: UsageSumQuery): readonly (readonly [string, string])[] =>
  usageDimensions.flatMap((name) => {
    const value = where[name];
    return value === undefined ? [] : [[columnName(name), value] as const];
  });

/** The rows of one table within the periods: one range of the index over the times. */
const partSql = (query: UsageSumQuery, { table, time }: { readonly table: string; readonly time: string }): string => {
  const groups = query.groupBy.map((name, at) => `${columnName(name)} AS g${at}, `).join('');
  const filters = filtersOf(query).map(([column], at) => ` AND ${column} = $${at + 5}::text`);
  return `SELECT ($1::bigint[])[width_bucket(${time}, $1::bigint[])] AS from_ms, ${groups}
      requests, charged_micros, corrected_micros, units
    FROM ${table} WHERE ${time} >= $2::bigint AND ${time} < $3::bigint${filters.join('')}`;
};

const sumSql = (schema: string, query: UsageSumQuery): string => {
  const groups = ['from_ms', ...query.groupBy.map((_, at) => `g${at}`)];
  const columns = groups.join(', ');
  const places = filtersOf(query).length + 5;
  const after = groups.map((_, at) => `$${places + at}::${at === 0 ? 'bigint' : 'text'}`).join(', ');
  const isLater = query.after === null ? '' : ` WHERE (${columns}) > (${after})`;
  const tableOf = (name: string): string => `${quoted(schema)}.${columnName(name)}`;
  return `WITH
    part AS MATERIALIZED (
      ${partSql(query, { table: tableOf(query.rollUp), time: 'start_ms' })}
      UNION ALL ${partSql(query, { table: tableOf('usageLine'), time: 'created_at_ms' })}
    ),
    total AS MATERIALIZED (
      SELECT ${columns}, sum(requests) AS requests, sum(charged_micros) AS charged, sum(corrected_micros) AS corrected
      FROM part${isLater} GROUP BY ${columns} ORDER BY ${columns} LIMIT $4::int
    ),
    unit AS MATERIALIZED (
      SELECT ${columns}, used.name COLLATE "C" AS name, sum(used.quantity::bigint) AS quantity
      FROM part CROSS JOIN LATERAL json_each_text(units) AS used (name, quantity)${isLater}
      GROUP BY ${columns}, used.name COLLATE "C"
    )
    SELECT ${columns}, requests, charged, corrected, name, quantity
    FROM total LEFT JOIN unit USING (${columns}) ORDER BY ${columns}, name`;
};

/** Sums usage in one statement, which sees one state of the database. */
export const sumUsageStatement = (schema: string, query: UsageSumQuery): Statement => {
  // Periods that end before the cursor's have nothing after it.
  const first = query.after === null ? 0 : Math.max(query.bounds.indexOf(query.after.fromMs), 0);
  const bounds = query.bounds.slice(first).map(String);
  return {
    name: '',
    text: sumSql(schema, query),
    values: [
      plainArray(bounds),
      bounds[0] ?? null,
      bounds.at(-1) ?? null,
      String(query.limit),
      ...filtersOf(query).map(([, value]) => value),
      ...(query.after === null ? [] : [String(query.after.fromMs), ...query.after.values]),
    ],
  };
};

export const usageSumRowOf = (row: Row): UsageSumRow => {
  const [fromMs, ...rest] = row;
  const [requests, charged, corrected, name, quantity] = rest.slice(-5);
  return {
    fromMs: Number(fromMs),
    values: rest.slice(0, -5).map(String),
    requests: BigInt(requests ?? 0),
    chargedMicros: BigInt(charged ?? 0),
    correctedMicros: BigInt(corrected ?? 0),
    unit: typeof name === 'string' ? [name, BigInt(quantity ?? 0)] : null,
  };
};
