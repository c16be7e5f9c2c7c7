import type { UsageSumQuery } from '@tollgate/storage';
import { usageStatement, type UsageSql } from '@tollgate/storage/sql';
import { plainArray } from './array-literal.ts';
import { named } from './list-statement.ts';
import { postgresDialect } from './postgres-dialect.ts';
import type { Statement } from './statement.ts';

/** The rows of one table within the periods are one range of the index over the times. */
const usageSql = (schema: string): UsageSql => ({
  dialect: postgresDialect(schema),
  bounds: (bounds) => [plainArray(bounds.map(String)), bounds[0] ?? null, bounds.at(-1) ?? null],
  periods: '',
  within: (table, time) => ({
    from: `${table} AS used`,
    where: `used.${time} >= $2::bigint AND used.${time} < $3::bigint`,
    fromMs: `($1::bigint[])[width_bucket(used.${time}, $1::bigint[])]`,
  }),
  units: {
    from: 'json_each_text(part.units) AS used (name, quantity)',
    name: 'used.name COLLATE "C"',
    quantity: 'used.quantity::bigint',
  },
});

export const sumUsageStatement = (schema: string, query: UsageSumQuery): Statement =>
  named('', usageStatement(usageSql(schema), query));
