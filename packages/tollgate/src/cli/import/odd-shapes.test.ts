import { expect, test } from 'vitest';
import { fromOpenrouter } from './from-openrouter.ts';
import { fromPortkey } from './from-portkey.ts';
import { planImport } from './plan-import.ts';

const planOf = (key: object) =>
  planImport('portkey', fromPortkey({ data: [{ id: 'k', name: 'app', ...key }] }) ?? { rows: [] }, () => null);

const rate = { type: 'requests', unit: 'rpm', value: 100 };

test.each([
  [
    'a list of usage limits',
    { usage_limits: [{ credit_limit: 10 }] },
    'usage_limits is [{"credit_limit":10}]; accepted',
  ],
  ['a usage limit that is a number', { usage_limits: 10 }, 'usage_limits is 10; accepted'],
  [
    'an amount that is a list',
    { usage_limits: { credit_limit: [10] } },
    'usage_limits: credit_limit is [10]; accepted',
  ],
  ['one rate in place of a list', { rate_limits: rate }, 'rate_limits is {"type":"requests",'],
  ['rates that are no objects', { rate_limits: [100] }, 'rate_limits is [100]; accepted'],
  ['two rates of one unit', { rate_limits: [{ ...rate, value: 1 }, rate] }, 'rate_limits[1] is a second limit of'],
])('%s is refused by place, as the key would lose a bound by it', (_, key, fault) => {
  expect(planOf(key).faults).toEqual([expect.stringContaining(`data[0] (app): ${fault}`)]);
});

test('a limit of OpenRouter that is no amount is refused by place', () => {
  const exported = fromOpenrouter({ data: [{ hash: 'h', limit: [10], limit_remaining: { of: 1 } }] });
  expect(planImport('openrouter', exported ?? { rows: [] }, () => null).faults).toEqual([
    'data[0]: limit is [10]; accepted is a text or a number',
    'data[0]: limit_remaining is {"of":1}; accepted is a text or a number',
  ]);
});

test('limits that are absent or empty bound nothing', () => {
  for (const key of [{}, { usage_limits: null, rate_limits: null }, { usage_limits: {}, rate_limits: [] }])
    expect(planOf(key).faults).toEqual([]);
});
