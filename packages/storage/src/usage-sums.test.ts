import { expect, test } from 'vitest';
import { checkUsageQuery, type UsageSumQuery } from './usage-sums.ts';

const hour = 3_600_000;

const query = (fields: Partial<UsageSumQuery>): UsageSumQuery => ({
  rollUp: 'usageHour',
  bounds: [0, hour],
  where: {},
  groupBy: [],
  after: null,
  limit: 1,
  ...fields,
});

test('takes bounds that rise by multiples of what a row covers', () => {
  for (const bounds of [[0, hour], [-hour, 0, 5 * hour], Array.from({ length: 1_001 }, (_, at) => at * hour)])
    expect(() => checkUsageQuery(query({ bounds }))).not.toThrow();
});

test('refuses bounds that do not, or that no number keeps exactly', () => {
  for (const bounds of [
    [0, 1],
    [0, 0],
    [hour, 0],
    [0, hour * 2 ** 40],
    [0, Infinity],
    [Number.NaN, hour],
    [0, hour / 2],
  ])
    expect(() => checkUsageQuery(query({ bounds }))).toThrow(RangeError);
});

test('refuses more or fewer periods and sums than a query has', () => {
  expect(() => checkUsageQuery(query({ bounds: [0] }))).toThrow('a query has 1 to 1000 periods: 0');
  const bounds = Array.from({ length: 1_002 }, (_, at) => at * hour);
  expect(() => checkUsageQuery(query({ bounds }))).toThrow('a query has 1 to 1000 periods: 1001');
  for (const limit of [1, 1_000]) expect(() => checkUsageQuery(query({ limit }))).not.toThrow();
  for (const limit of [0, 1_001, 1.5]) expect(() => checkUsageQuery(query({ limit }))).toThrow(`1 to 1000: ${limit}`);
});

test('refuses to group and to filter by what the rows do not tell apart, and a cursor of other groups', () => {
  const daily = { rollUp: 'usageDay', bounds: [0, 24 * hour] } as const;
  expect(() => checkUsageQuery(query({ ...daily, groupBy: ['model', 'accountId'] }))).not.toThrow();
  expect(() => checkUsageQuery(query({ ...daily, groupBy: ['keyId'] }))).toThrow('does not tell keyId apart');
  expect(() => checkUsageQuery(query({ ...daily, where: { provider: 'up' } }))).toThrow('does not tell provider apart');
  expect(() => checkUsageQuery(query({ groupBy: ['model', 'model'] }))).toThrow('each dimension once');
  expect(() => checkUsageQuery(query({ after: { fromMs: 0, values: ['m'] } }))).toThrow('a value for each of groupBy');
  expect(() => checkUsageQuery(query({ groupBy: ['model'], after: { fromMs: 0, values: ['m'] } }))).not.toThrow();
});
