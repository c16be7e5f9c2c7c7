import { expect, test } from 'vitest';
import { createDecisionWorld } from '../../test/decision-world.ts';
import { refuseAccess } from './access.ts';
import { changeProjectStep, type ChangeProjectCommand } from './change-project.ts';

const changing = () => {
  const world = createDecisionWorld();
  world.nowMs = 700;
  const change = (command: Partial<ChangeProjectCommand>) =>
    world.step(changeProjectStep({ projectId: 'p1', ...command }));
  return { world, change };
};

test('changes what is named of a project, and leaves the rest', () => {
  const { change } = changing();
  expect(change({ name: 'Mill' })).toMatchObject({ name: 'Mill', metadata: null, status: 'active' });
  expect(change({ metadata: { team: 'a' }, status: 'paused' })).toMatchObject({
    name: 'Mill',
    metadata: { team: 'a' },
  });
  expect(change({ metadata: null })).toMatchObject({ name: 'Mill', metadata: null, status: 'paused' });
  expect(change({ projectId: 'p9' })).toBeNull();
});

test('closes a project once and for good, and lets none of its keys open an operation', () => {
  const { world, change } = changing();
  const ids = { keyId: 'k1', projectId: 'p1', accountId: 'a1' };
  expect(refuseAccess(world, ids, null)).toBeNull();
  expect(change({ status: 'closed' })).toMatchObject({ status: 'closed', closedAtMs: 700 });
  world.nowMs = 900;
  expect(change({ status: 'active' })).toMatchObject({ status: 'closed', closedAtMs: 700 });
  expect(refuseAccess(world, ids, null)).toBe('access_blocked');
});
