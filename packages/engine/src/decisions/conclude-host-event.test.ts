import type { HostEventRecord } from '@tollgate/storage';
import { expect, test } from 'vitest';
import { createDecisionWorld } from '../../test/decision-world.ts';
import { concludeHostEvent, type ConcludeHostEventCommand } from './conclude-host-event.ts';
import { attemptsMax } from './delivery.ts';

const claimed: HostEventRecord = {
  id: 'e1:settled',
  kind: 'settled',
  accountId: 'a1',
  operationId: 'o1',
  facts: {},
  attempts: 0,
  owner: 'w1',
  dueAtMs: 31_000,
  createdAtMs: 900,
};

const worldWith = (event: HostEventRecord = claimed) => {
  const world = createDecisionWorld();
  world.put('hostEvent', event);
  const conclude = (outcome: ConcludeHostEventCommand['outcome'], change: Partial<HostEventRecord> = {}) =>
    world.step(concludeHostEvent({ event: { ...event, ...change }, outcome, random: 0.5, anomalyId: 'x1' }));
  return { world, conclude, event: () => world.get('hostEvent', claimed.id) };
};

test('an event that was taken goes', () => {
  const { conclude, event } = worldWith();
  expect(conclude({ kind: 'taken' })).toBe('taken');
  expect(event()).toBeUndefined();
  expect(conclude({ kind: 'taken' })).toBe('lost');
});

test('an event whose function failed comes again after a wait that grows', () => {
  const { conclude, event } = worldWith();
  expect(conclude({ kind: 'failed' })).toBe('again');
  expect(event()).toEqual({ ...claimed, attempts: 1, owner: null, dueAtMs: 6_000 });
  const later = worldWith({ ...claimed, attempts: 1 });
  later.conclude({ kind: 'failed' });
  expect(later.event()?.dueAtMs).toBe(301_000);
});

test('an event that this process cannot hand over counts no try', () => {
  const { conclude, event } = worldWith();
  expect(conclude({ kind: 'postponed', afterMs: 2_000 })).toBe('again');
  expect(event()).toEqual({ ...claimed, owner: null, dueAtMs: 3_000 });
});

test('an event that no try delivered is given up, and leaves an anomaly', () => {
  const { world, conclude, event } = worldWith({ ...claimed, attempts: attemptsMax - 1 });
  expect(conclude({ kind: 'failed' })).toBe('given_up');
  expect(event()).toBeUndefined();
  expect(world.get('anomaly', 'x1')).toMatchObject({
    operationId: 'o1',
    accountId: 'a1',
    code: 'host_event_given_up',
    detail: { eventId: 'e1:settled', kind: 'settled', attempts: attemptsMax },
  });
});

test('a claim that has run out concludes nothing', () => {
  const { conclude, event } = worldWith({ ...claimed, owner: 'w2' });
  for (const outcome of [{ kind: 'taken' }, { kind: 'failed' }, { kind: 'postponed', afterMs: 1 }] as const)
    expect(conclude(outcome, { owner: 'w1' })).toBe('lost');
  expect(event()?.owner).toBe('w2');
});
