import { expect, test } from 'vitest';
import { fromLitellm } from './from-litellm.ts';
import { fromPortkey } from './from-portkey.ts';
import { planImport } from './plan-import.ts';

const faultsOf = (...keys: readonly object[]) => {
  const exported = fromLitellm({
    teams: [{ team_id: 't' }],
    keys: keys.map((key, at) => ({ token: `k-${at}`, ...key })),
  });
  return planImport('litellm', exported ?? { rows: [] }, () => null).faults;
};

test('a user and a team of one id are two customers, and are refused where a file has both', () => {
  expect(faultsOf({ user_id: 'u' }, { user_id: 't' })).toEqual([
    "keys[1]: the account 't' is that of user_id, and at teams[0] (t) that of team_id; give one of them another id in the file",
  ]);
  expect(faultsOf({ team_id: 't', user_id: 'u' }, { team_id: 't' }, { user_id: 'u' }, { user_id: 'u' })).toEqual([]);
});

test('a user that has the name of the account of keys without an owner is refused where a file has both', () => {
  expect(faultsOf({}, { user_id: 'default' })).toEqual([
    expect.stringContaining("keys[1]: the account 'default' is that of user_id, and at keys[0] that of a key without"),
  ]);
  expect(faultsOf({ user_id: 'default' })).toEqual([]);
  expect(faultsOf({}, { user_id: null, team_id: '' }, { user_id: 'default', blocked: true })).toEqual([]);
});

test('an owner that is no id is refused, and its key goes to no other account', () => {
  expect(faultsOf({ team_id: ['t'] })).toEqual([expect.stringMatching(/^keys\[0\]: team_id is \["t"\]; accepted/)]);
  expect(faultsOf({ team_id: Number.POSITIVE_INFINITY })).toEqual([
    expect.stringContaining('team_id is a number that JSON does not'),
  ]);
  const portkey = fromPortkey({ data: [{ id: 'k', workspace_id: { id: 'w' } }] });
  expect(planImport('portkey', portkey ?? { rows: [] }, () => null).faults).toEqual([
    expect.stringContaining('workspace_id is {"id":"w"}; accepted'),
  ]);
});
