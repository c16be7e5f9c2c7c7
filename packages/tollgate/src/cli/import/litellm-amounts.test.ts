import { expect, test } from 'vitest';
import { fromLitellm } from './from-litellm.ts';
import { planImport } from './plan-import.ts';

const planOf = (team: object, key: object = {}) => {
  const exported = fromLitellm({
    teams: [{ team_id: 't', ...team }],
    keys: [{ token: 'k', team_id: 't', ...key }],
  });
  return planImport('litellm', exported ?? { rows: [] }, () => null);
};

test('amounts of an export are numbers or texts of them', () => {
  const [account] = planOf({ max_budget: 10, spend: '9' }, { max_budget: '5', spend: '1.5' }).accounts;
  expect(account?.balanceMicros).toBe(1_000_000n);
  const [key] = [...(account?.projects.get('default')?.keys.values() ?? [])];
  expect(key?.cap).toMatchObject({ amountMicros: 3_500_000n, window: 'total' });
});

test.each([
  ['a budget that is endless', { max_budget: Number.POSITIVE_INFINITY }],
  ['a budget that is a list', { max_budget: [5] }],
  ['what was spent below zero', { max_budget: 10, spend: -5 }],
  ['what was spent as a word', { max_budget: 10, spend: 'much' }],
])('%s is refused of a team and of a key, and bounds neither as nothing', (_, budget) => {
  expect(planOf(budget).faults).toEqual([expect.stringMatching(/^teams\[0\] \(t\): max_budget is /)]);
  expect(planOf({}, budget).faults).toEqual([expect.stringMatching(/^keys\[0\]: max_budget has /)]);
});
