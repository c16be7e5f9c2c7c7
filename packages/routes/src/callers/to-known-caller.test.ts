import { expect, test } from 'vitest';
import { toKnownCaller } from './to-known-caller.ts';

const projectId = '01934e5a-7d2c-7a31-9c4f-0123456789ab';
const keyId = '01934e5a-7d2c-7a31-9c4f-0123456789ac';

test('takes a project, and every member beside it', () => {
  const whole = {
    projectId,
    accountId: keyId,
    reference: 'user:42',
    models: ['flash-2.5'],
    limits: { requestsPerMinute: 60, tokensPerMinute: undefined, concurrentRequests: 4 },
  };
  for (const caller of [{ projectId }, { projectId, keyId, models: null, limits: null }, whole])
    expect(toKnownCaller(caller, ['flash-2.5'])).toEqual({ kind: 'known', caller });
});

test('takes nothing and null for a caller that the host does not know', () => {
  expect(toKnownCaller(null, null)).toEqual({ kind: 'unknown' });
  expect(toKnownCaller(undefined, null)).toEqual({ kind: 'unknown' });
});

test.each([
  ['a text', 'the caller is not an object', projectId],
  ['a list', 'the caller is not an object', [projectId]],
  ['no project', 'projectId is not a uuid', { keyId }],
  ['an id that is none', 'keyId is not a uuid', { projectId, keyId: '42' }],
  ['a null for an id', 'accountId is not a uuid', { projectId, accountId: null }],
  ['a member that is none', 'the caller has the unknown member account', { projectId, account: 'a' }],
  ['key and reference', 'reference stands beside keyId', { projectId, keyId, reference: 'r' }],
  ['an empty reference', 'reference is not a text of 1 to 200 characters', { projectId, reference: '' }],
  ['a long reference', 'reference is not a text of 1 to 200 characters', { projectId, reference: 'r'.repeat(201) }],
  ['a reference with a NUL', 'reference is not well-formed', { projectId, reference: 'user:\0' }],
  ['a reference with half a pair', 'reference is not well-formed', { projectId, reference: 'user:\uD800' }],
  ['no models', 'models is not a list of 1 to 1000 ids', { projectId, models: [] }],
  ['a model that is none', 'models has an entry that is not a text', { projectId, models: [7] }],
  [
    'a list of models with a hole',
    'models has an entry that is not a text',
    { projectId, models: Object.assign([], { length: 1 }) },
  ],
  [
    'a model that the catalog does not have',
    "models names 'nope', which is no model of the catalog",
    { projectId, models: ['flash-2.5', 'nope'] },
  ],
  ['a rate of nothing', 'limits.tokensPerMinute is not', { projectId, limits: { tokensPerMinute: 0 } }],
  ['a rate that is none', 'limits has the unknown member perMinute', { projectId, limits: { perMinute: 1 } }],
])('refuses %s by name', (_, fault, answer) => {
  expect(toKnownCaller(answer, ['flash-2.5'])).toEqual({ kind: 'nonsense', fault: expect.stringContaining(fault) });
});

test('takes any models where the catalog is not known', () => {
  expect(toKnownCaller({ projectId, models: ['nope'] }, null)).toMatchObject({ kind: 'known' });
});

test('shows no more of an unknown model than a hundred characters', () => {
  const fault = `models names '${'m'.repeat(100)}', which is no model of the catalog`;
  expect(toKnownCaller({ projectId, models: ['m'.repeat(101)] }, [])).toEqual({ kind: 'nonsense', fault });
});

test('looks at what the host said once, also where it is refused', () => {
  let looks = 0;
  const answer = {
    get projectId() {
      looks += 1;
      return '42';
    },
  };
  expect(toKnownCaller(answer, null)).toEqual({ kind: 'nonsense', fault: 'projectId is not a uuid' });
  expect(looks).toBe(1);
});
