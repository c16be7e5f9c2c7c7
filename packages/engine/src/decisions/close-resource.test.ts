import { expect, test } from 'vitest';
import { createDecisionWorld, operationRecord, resourceRecord } from '../../test/decision-world.ts';
import { closeResourceKeys, closeResourceWrites, type ResourceClosing } from './close-resource.ts';

const resource = resourceRecord({ publicFields: { shown: 1 }, work: { job: 1 }, expiresAtMs: 7_000, owner: 'w1' });

const closing: ResourceClosing = { availability: 'active', publicFields: { more: 2 }, work: null, expiresAfterMs: 50 };

const closed = (change: Partial<ResourceClosing> = {}, state: 'completed' | 'uncertain' = 'completed') => {
  const world = createDecisionWorld(null);
  const given = { ...closing, ...change };
  world.put('resource', resource);
  world.step({
    keys: [...closeResourceKeys('o1', given), { table: 'projectUsage', id: 'p1' }],
    decide: (records, nowMs) => ({
      writes: closeResourceWrites(records, operationRecord({ kind: 'video', state }), given, nowMs),
      answer: null,
    }),
  });
  return world.get('resource', 'o1');
};

test('a resource that can be used expires and is due some time after its settlement', () => {
  expect(closed()).toEqual({
    ...resource,
    availability: 'active',
    publicFields: { shown: 1, more: 2 },
    work: null,
    expiresAtMs: 1_050,
    owner: null,
    dueAtMs: 1_050,
    updatedAtMs: 1_000,
  });
  expect(closed({ dueAfterMs: 20 })).toMatchObject({ expiresAtMs: 1_050, dueAtMs: 1_020 });
  expect(closed({ expiresAfterMs: null })).toMatchObject({ expiresAtMs: null, dueAtMs: null });
});

test('a resource that ended is due at once, and keeps the time that it was given', () => {
  const ended = { expiresAfterMs: null, dueAfterMs: 20 };
  expect(closed({ ...ended, availability: 'expired' })).toMatchObject({
    expiresAtMs: 7_000,
    dueAtMs: 1_000,
    deletedAtMs: null,
  });
  expect(closed({ ...ended, availability: 'deleted' })).toMatchObject({
    expiresAtMs: 7_000,
    dueAtMs: 1_000,
    deletedAtMs: 1_000,
  });
});

test('what is to become of a resource is kept while its settlement waits', () => {
  expect(closed({}, 'uncertain')).toEqual({ ...resource, work: { closing }, updatedAtMs: 1_000 });
});
