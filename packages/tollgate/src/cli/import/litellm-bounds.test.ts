import { expect, test } from 'vitest';
import { fromLitellm } from './from-litellm.ts';

const leftOutOf = (bounds: object) =>
  fromLitellm({ keys: [{ token: 'k', team_id: 't', ...bounds }], teams: [{ team_id: 't', ...bounds }] })?.leftOut;

test.each([
  ['a budget that is named alone', { budget_id: 'b' }, 'budget_id'],
  ['a budget that the export does not expand', { budget_id: 'b', litellm_budget_table: null }, 'budget_id'],
  ['a budget of another shape', { litellm_budget_table: [{ max_budget: 5 }] }, 'litellm_budget_table'],
  [
    'a budget with its bounds',
    { budget_id: 'b', litellm_budget_table: { rpm_limit: 5 } },
    'litellm_budget_table.rpm_limit',
  ],
])('%s is left out by name, of a team and of a key', (_, bounds, name) => {
  expect(leftOutOf(bounds)).toEqual([`teams[0] (t): ${name}`, `keys[0]: ${name}`]);
});

test('a budget that bounds nothing is not named', () => {
  expect(leftOutOf({ budget_id: 'b', litellm_budget_table: { max_budget: null, soft_budget: 5 } })).toEqual([]);
  expect(leftOutOf({ budget_id: null })).toEqual([]);
});
