import { expect, test } from 'vitest';
import { createDecisionWorld, operationRecord } from '../../test/decision-world.ts';
import { renew } from './renew.ts';

const command = {
  operations: ['o1', 'o2', 'o3', 'o4', 'o5'].map((id) => ({ id, owner: 'w2' })),
  leaseMs: 30_000,
};

test('lengthens the leases of what still runs, all in one step, and tells which does not', () => {
  const world = createDecisionWorld();
  world.put('operation', operationRecord({ id: 'o2', state: 'uncertain', owner: null, dueAtMs: null }));
  world.put('operation', operationRecord({ id: 'o3', state: 'completed', owner: null, dueAtMs: 9 }));
  world.put('operation', operationRecord({ id: 'o4', state: 'settling' }));
  expect(world.step(renew(command))).toEqual({ lost: ['o2', 'o3', 'o5'] });
  expect(world.operation()).toEqual(operationRecord({ owner: 'w2', dueAtMs: 31_000 }));
  expect(world.get('operation', 'o4')).toMatchObject({ owner: 'w2', dueAtMs: 31_000 });
  expect(world.get('operation', 'o2')).toMatchObject({ owner: null, dueAtMs: null });
  expect(world.get('operation', 'o3')).toMatchObject({ owner: null, dueAtMs: 9 });
});

test.each([
  ['another turn', 'w1/t2'],
  ['a sweep, which may have come after another turn', 'sweep:s1'],
  ['nobody, as another turn has put it off', null],
])('does not take deferred work back from %s', (_, owner) => {
  const world = createDecisionWorld();
  world.put('operation', operationRecord({ kind: 'video', owner, dueAtMs: 9 }));
  const renewal = { operations: [{ id: 'o1', owner: 'w1/t1' }], leaseMs: 30_000 };
  expect(world.step(renew(renewal))).toEqual({ lost: ['o1'] });
  expect(world.operation()).toMatchObject({ owner, dueAtMs: 9 });
});

test.each([
  ['is still being prepared', { state: 'preparing', owner: 'w1/o1' }, 31_000],
  ['is in no hands of a sweep, which may have freed its hold', { state: 'preparing', owner: 'sweep:s1' }, 9],
  ['was not started meanwhile, as a worker may be about to take it', { state: 'reserved', owner: 'w1/o1' }, 9],
] as const)('renews what the ledger is asked for only where it %s', (_, change, dueAtMs) => {
  const world = createDecisionWorld();
  world.put('operation', operationRecord({ ...change, dueAtMs: 9 }));
  const renewal = { operations: [], preparing: [{ id: 'o1', owner: 'w1/o1' }], leaseMs: 30_000 };
  expect(world.step(renew(renewal))).toEqual({ lost: [] });
  expect(world.operation()).toMatchObject({ ...change, dueAtMs });
});
