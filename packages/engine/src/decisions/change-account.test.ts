import { expect, test } from 'vitest';
import { createDecisionWorld } from '../../test/decision-world.ts';
import { refuseAccess } from './access.ts';
import { changeAccountStep, type ChangeAccountCommand } from './change-account.ts';

const changing = () => {
  const world = createDecisionWorld();
  world.nowMs = 700;
  const change = (command: Partial<ChangeAccountCommand>) =>
    world.step(changeAccountStep({ accountId: 'a1', ...command }));
  return { world, change };
};

test('changes what is named, and leaves the rest', () => {
  const { change } = changing();
  expect(change({ name: 'Ada' })).toMatchObject({ name: 'Ada', metadata: null, status: 'active' });
  expect(change({ metadata: { customer: 'c7' } })).toMatchObject({ name: 'Ada', metadata: { customer: 'c7' } });
  expect(change({ status: 'inactive' })).toMatchObject({
    name: 'Ada',
    metadata: { customer: 'c7' },
    status: 'inactive',
  });
  expect(change({ metadata: null })).toMatchObject({ name: 'Ada', metadata: null, status: 'inactive' });
  expect(change({ accountId: 'a9' })).toBeNull();
});

test('closes an account once and for good', () => {
  const { world, change } = changing();
  expect(change({ status: 'closed' })).toMatchObject({ status: 'closed', closedAtMs: 700 });
  world.nowMs = 900;
  expect(change({ status: 'closed' })).toMatchObject({ closedAtMs: 700 });
  expect(change({ status: 'active', name: 'Left' })).toMatchObject({ status: 'closed', closedAtMs: 700, name: 'Left' });
});

test('lets no key of a closed account open an operation', () => {
  const { world, change } = changing();
  const ids = { keyId: 'k1', projectId: 'p1', accountId: 'a1' };
  expect(refuseAccess(world, ids, null)).toBeNull();
  change({ status: 'closed' });
  expect(refuseAccess(world, ids, null)).toBe('access_blocked');
});
