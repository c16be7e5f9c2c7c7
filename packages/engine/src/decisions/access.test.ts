import { expect, test } from 'vitest';
import { createDecisionWorld } from '../../test/decision-world.ts';
import { accessKeys, refuseAccess } from './access.ts';

const ids = { keyId: 'k1', projectId: 'p1', accountId: 'a1' };

const refusal = (change: {
  readonly key?: 'active' | 'inactive' | 'revoked';
  readonly project?: 'active' | 'paused' | 'blocked';
  readonly account?: 'active' | 'inactive' | 'blocked';
}) => {
  const world = createDecisionWorld(null);
  const [key, project, account] = [world.get('apiKey', 'k1'), world.get('project', 'p1'), world.get('account', 'a1')];
  if (key !== undefined) world.put('apiKey', { ...key, status: change.key ?? 'active' });
  if (project !== undefined) world.put('project', { ...project, status: change.project ?? 'active' });
  if (account !== undefined) world.put('account', { ...account, status: change.account ?? 'active' });
  return world.step({
    keys: accessKeys(ids),
    decide: (records) => ({ writes: [], answer: refuseAccess(records, ids, null) }),
  });
};

test('lets an active key of an active project and account in', () => {
  expect(refusal({})).toBeNull();
});

test.each([
  { what: 'a revoked key', change: { key: 'revoked' }, code: 'invalid_api_key', rule: 'auth:bearer:revoked' },
  { what: 'an inactive key', change: { key: 'inactive' }, code: 'ai_key_inactive', rule: 'auth:key:inactive' },
  { what: 'a paused project', change: { project: 'paused' }, code: 'project_paused', rule: 'auth:project:paused' },
  {
    what: 'a blocked project',
    change: { project: 'blocked' },
    code: 'access_blocked',
    rule: 'auth:project:access-blocked',
  },
  {
    what: 'a blocked account',
    change: { account: 'blocked' },
    code: 'access_blocked',
    rule: 'auth:project:access-blocked',
  },
  {
    what: 'an account without a contract',
    change: { account: 'inactive' },
    code: 'ai_contract_inactive',
    rule: 'auth:account:access-unavailable',
  },
] as const)('refuses $what [$rule]', ({ change, code }) => {
  expect(refusal(change)).toBe(code);
});

test('looks at the key first, then at the project, then at the account [ledger:precheck:key-project-account]', () => {
  expect(refusal({ key: 'revoked', project: 'paused', account: 'inactive' })).toBe('invalid_api_key');
  expect(refusal({ key: 'inactive', project: 'paused', account: 'inactive' })).toBe('ai_key_inactive');
  expect(refusal({ project: 'paused', account: 'blocked' })).toBe('project_paused');
  expect(refusal({ project: 'blocked', account: 'inactive' })).toBe('access_blocked');
});

test('takes whatever is not on record for a key that is not valid', () => {
  const nothing = { get: () => undefined };
  expect(refuseAccess(nothing, ids, null)).toBe('invalid_api_key');
  const world = createDecisionWorld(null);
  const onlyKey = { get: ((table: string) => (table === 'apiKey' ? world.get('apiKey', 'k1') : undefined)) as never };
  expect(refuseAccess(onlyKey, ids, null)).toBe('invalid_api_key');
});
