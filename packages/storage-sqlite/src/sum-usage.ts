import { foldUsageRows, type UsageSum, type UsageSumQuery } from '@tollgate/storage';
import { usageRowOf, usageStatement, type UsageSql } from '@tollgate/storage/sql';
import type { RunSql } from './array-rows.ts';
import { sqliteDialect } from './sqlite-dialect.ts';

/** The periods come first: each is one range of the index over the times. */
const usageSql: UsageSql = {
  dialect: sqliteDialect,
  bounds: (bounds) => [JSON.stringify(bounds)],
  periods: `
    period AS (
      SELECT from_ms, to_ms FROM (SELECT value AS from_ms, lead(value) OVER (ORDER BY value) AS to_ms FROM json_each(?1))
      WHERE to_ms IS NOT NULL
    ),`,
  within: (table, time) => ({
    from: `period CROSS JOIN ${table} AS used`,
    where: `used.${time} >= period.from_ms AND used.${time} < period.to_ms`,
    fromMs: 'period.from_ms',
  }),
  units: { from: 'json_each(part.units) AS used', name: 'used.key', quantity: 'used.value' },
};

export const sumUsage = (run: RunSql, query: UsageSumQuery): readonly UsageSum[] =>
  foldUsageRows(run(usageStatement(usageSql, query)).map(usageRowOf));
