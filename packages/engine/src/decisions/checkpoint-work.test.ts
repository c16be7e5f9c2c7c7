import type { OperationRecord } from '@tollgate/storage';
import { expect, test } from 'vitest';
import { createDecisionWorld, operationRecord, resourceRecord } from '../../test/decision-world.ts';
import { checkpointWork, type CheckpointWorkCommand } from './checkpoint-work.ts';

const resource = resourceRecord({ publicFields: { shown: 1 } });

const checking = (change: Partial<OperationRecord> = {}) => {
  const world = createDecisionWorld(operationRecord({ kind: 'video', ...change }));
  world.put('resource', resource);
  const send = (next: CheckpointWorkCommand['next'], owner = 'w1') =>
    world.step(
      checkpointWork({
        operationId: 'o1',
        owner,
        work: { job: 'j1' },
        attempts: null,
        publicFields: { progress: 50 },
        next,
      }),
    ).kind;
  return { world, send };
};

test('progress is stored with a new lease, and adds to what the record shows', () => {
  const { world, send } = checking();
  expect(send({ kind: 'lease', leaseMs: 40 })).toBe('kept');
  expect(world.operation()).toMatchObject({ owner: 'w1', dueAtMs: 1_040, updatedAtMs: 1_000, attempts: [] });
  expect(world.get('resource', 'o1')).toEqual({
    ...resource,
    work: { job: 'j1' },
    publicFields: { shown: 1, progress: 50 },
    updatedAtMs: 1_000,
  });
});

test('work that goes on later, or when its resource is no longer usable, is given to any worker', () => {
  const later = checking();
  later.send({ kind: 'later', afterMs: 40 });
  expect(later.world.operation()).toMatchObject({ owner: null, dueAtMs: 1_040 });
  const active = checking({ state: 'cancelling' });
  expect(active.send({ kind: 'active', untilMs: 9_000 })).toBe('kept');
  expect(active.world.operation()).toMatchObject({ owner: null, dueAtMs: 9_000 });
  expect(active.world.get('resource', 'o1')).toMatchObject({ availability: 'active', expiresAtMs: 9_000 });
});

test('a worker that lost its work, or whose work was decided, stores nothing', () => {
  const { world, send } = checking();
  expect(send({ kind: 'lease', leaseMs: 40 }, 'w2')).toBe('lost');
  expect(checking({ state: 'settling' }).send({ kind: 'lease', leaseMs: 40 })).toBe('lost');
  world.put('operation', operationRecord({ id: 'o2' }));
  expect(world.get('resource', 'o1')).toEqual(resource);
});
