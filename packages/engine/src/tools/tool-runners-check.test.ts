import { checkConfiguration } from '@tollgate/contract/configuration';
import { expect, test } from 'vitest';
import type { ToolRunners } from './tool-runner.ts';
import { toolRunnersCheck } from './tool-runners-check.ts';

const tool = { isRepeatable: true, callUsageMax: [], run: () => Promise.resolve({ result: '', usage: [] }) };

/** What a host may give is unknown until it is checked. */
const check = (tools: unknown) => () => checkConfiguration('createGateway', toolRunnersCheck, tools as ToolRunners);

test('takes tools of the host under names that every upstream takes', () => {
  expect(check({ own: { lookup_order: tool, 'a-2': { ...tool, description: 'A.', parameters: {} } } })).not.toThrow();
  for (const name of ['2a', 'a b', 'a.b', 'a'.repeat(65), '']) expect(check({ own: { [name]: tool } })).toThrow(/own/);
});

test.each([
  [{ own: [] }, 'own'],
  [{ own: { a: {} } }, 'isRepeatable'],
  [{ own: { a: { ...tool, run: undefined } } }, 'run'],
  [{ own: { a: { ...tool, callUsageMax: [{ unit: 'calls', quantity: 1 }] } } }, 'unit'],
  [{ lookup_order: tool }, 'lookup_order is not known'],
  [[], 'is an object'],
])('refuses %j by its place', (tools, place) => {
  expect(check(tools)).toThrow(place);
});
