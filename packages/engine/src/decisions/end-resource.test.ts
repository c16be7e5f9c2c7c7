import type { OperationRecord, ResourceRecord } from '@tollgate/storage';
import { expect, test } from 'vitest';
import { createDecisionWorld, operationRecord, resourceRecord } from '../../test/decision-world.ts';
import { clearResource, endEarly, endResource, fadeResource, type EndResourceCommand } from './end-resource.ts';

const ended: Partial<OperationRecord> = { kind: 'video', state: 'completed', owner: null, endedAtMs: 900 };

const resource = resourceRecord({
  availability: 'active',
  work: { job: 1 },
  keptBytes: 10,
  uses: 2,
  expiresAtMs: 5_000,
  owner: 'sweep:s1',
  dueAtMs: 5_000,
});

const ending = (operation: Partial<OperationRecord> = {}, change: Partial<ResourceRecord> = {}) => {
  const world = createDecisionWorld(operationRecord({ ...ended, ...operation }));
  world.put('resource', { ...resource, ...change });
  const send = (command: Partial<EndResourceCommand> = {}) =>
    world.step(
      endResource({
        resourceId: 'o1',
        availability: 'deleted',
        uses: 2,
        claimedBy: null,
        recordKeptMs: 8_000,
        uncounted: null,
        ...command,
      }),
    ).kind;
  return { world, send, stored: () => world.get('resource', 'o1') };
};

test('a resource that is deleted is due at once for what lies outside of it, and its operation ages from then on', () => {
  const { world, send, stored } = ending({ dueAtMs: null });
  expect(send()).toBe('ended');
  const gone = { availability: 'deleted', owner: null, dueAtMs: 1_000, updatedAtMs: 1_000, deletedAtMs: 1_000 };
  expect(stored()).toMatchObject(gone);
  expect(world.operation().dueAtMs).toBe(8_100);
  expect(send()).toBe('missing');
});

test('an operation that is older than its record is kept is due at once, and one that ages already keeps its time', () => {
  const old = ending({ dueAtMs: null });
  old.send({ recordKeptMs: 10 });
  expect(old.world.operation().dueAtMs).toBe(1_000);
  const aging = ending({ dueAtMs: 7_000 });
  aging.send();
  expect(aging.world.operation().dueAtMs).toBe(7_000);
});

test('a resource that expires was not deleted', () => {
  const { send, stored } = ending();
  expect(send({ availability: 'expired', claimedBy: 'sweep:s1' })).toBe('ended');
  expect(stored()).toMatchObject({ availability: 'expired', deletedAtMs: null });
});

test('a resource ends for the sweep that has it, after its operation, and not under the hands of a user', () => {
  expect(ending().send({ claimedBy: 'sweep:s2' })).toBe('missing');
  expect(ending({ endedAtMs: null, state: 'processing' }).send()).toBe('pending');
  expect(ending().send({ uses: 1 })).toBe('used');
});

const open: Partial<OperationRecord> = { kind: 'cache', state: 'processing', owner: null, endedAtMs: null };
const early = { resourceId: 'o1', uses: 2, owner: 'w1', leaseMs: 40 } as const;

const kindOf = (operation: Partial<OperationRecord>, change: Partial<ResourceRecord> = {}) =>
  ending({ ...open, ...operation }, change).world.step(endEarly(early)).kind;

test('a usable resource whose operation is open is taken by who ends it, with the time of its end', () => {
  const { world, stored } = ending(open);
  expect(world.step(endEarly(early)).kind).toBe('ending');
  expect(world.operation()).toMatchObject({ owner: 'w1', dueAtMs: 1_040, updatedAtMs: 1_000 });
  expect(stored()).toMatchObject({
    availability: 'follows',
    work: { job: 1, endedAtMs: 1_000 },
    updatedAtMs: 1_000,
  });
  expect(world.step(endEarly({ ...early, owner: 'w2' })).kind).toBe('pending');
});

test('what is not usable, is in the hands of a worker or was used meanwhile is not ended early', () => {
  expect(kindOf({ owner: 'w9' })).toBe('pending');
  expect(kindOf({ state: 'settling' })).toBe('pending');
  expect(kindOf({}, { availability: 'follows' })).toBe('pending');
  expect(kindOf({}, { uses: 3 })).toBe('used');
});

test('what is left of a resource counts as much, and is due again when the rest is', () => {
  const { world, stored } = ending();
  const fade = { resourceId: 'o1', projectId: 'p1', work: { job: 2 }, keptBytes: 4, dueAfterMs: 30 };
  expect(world.step(fadeResource({ ...fade, claimedBy: 'sweep:s2' }))).toBe(false);
  expect(stored()).toEqual(resource);
  expect(world.step(fadeResource({ ...fade, claimedBy: 'sweep:s1' }))).toBe(true);
  expect(stored()).toMatchObject({ work: { job: 2 }, keptBytes: 4, owner: null, dueAtMs: 1_030 });
  expect(world.step(fadeResource({ ...fade, claimedBy: null, keptBytes: null, dueAfterMs: null }))).toBe(true);
  expect(stored()).toMatchObject({ keptBytes: null, dueAtMs: null });
  world.put('resource', { ...resource, deletedAtMs: 990 });
  expect(world.step(fadeResource({ ...fade, claimedBy: 'sweep:s1' }))).toBe(false);
});

test('a resource that was closed before its kind counted goes on without a count', () => {
  const { world, stored } = ending({}, { keptBytes: null });
  const fade = { resourceId: 'o1', projectId: 'p1', claimedBy: 'sweep:s1', work: null, keptBytes: 4, dueAfterMs: 30 };
  expect(world.step(fadeResource(fade))).toBe(true);
  expect(stored()?.keptBytes).toBeNull();
});

test('a resource with nothing left outside of it counts no more, and is not due again', () => {
  const { world, stored } = ending();
  expect(world.step(clearResource({ resourceId: 'o1', projectId: 'p1', claimedBy: 'sweep:s2' }))).toBe(false);
  expect(stored()).toEqual(resource);
  expect(world.step(clearResource({ resourceId: 'o1', projectId: 'p1', claimedBy: 'sweep:s1' }))).toBe(true);
  expect(stored()).toMatchObject({ work: null, keptBytes: null, owner: null, dueAtMs: null });
});
