import type { OccurrenceRecord, Records, TriggerRecord } from '@tollgate/storage';
import { expect, test } from 'vitest';
import { createDecisionWorld, occurrence, operationRecord, triggerRecord } from '../../test/decision-world.ts';
import { isAwaited } from './occurrence-guard.ts';
import { concludeOccurrence, occur, type ConcludeOccurrenceCommand } from './trigger.ts';

const concluding = (change: Partial<OccurrenceRecord>, isOpen: boolean) => {
  const world = createDecisionWorld(isOpen ? operationRecord() : null);
  world.put('occurrence', { ...occurrence, ...change });
  return (outcome: ConcludeOccurrenceCommand['outcome']) => {
    const command = { claimed: occurrence, refusalsMax: 20, outcome };
    return world.step(concludeOccurrence(command))?.occurrence;
  };
};

test('goes by the interaction that another try has opened, where this one was prevented', () => {
  const prevented = { kind: 'prevented', errorCode: 'ai_insufficient_credits' } as const;
  expect(concluding({}, true)(prevented)).toMatchObject({ status: 'processing', operationId: 'o1', dueAtMs: 1_000 });
  expect(concluding({}, false)(prevented)).toMatchObject({ status: 'failed', operationId: null });
});

test('opens again what is not there any more, until its time is over', () => {
  const opened = { kind: 'opened', recheckAfterMs: 15_000 } as const;
  expect(concluding({ status: 'processing' }, false)(opened)).toMatchObject({ status: 'pending', dueAtMs: 16_000 });
  const late = { status: 'processing', scheduledForMs: -300_000 } as const;
  expect(concluding(late, false)(opened)).toMatchObject({ status: 'failed', errorCode: 'service_unavailable' });
  expect(concluding({}, true)(opened)).toMatchObject({ status: 'processing', dueAtMs: 16_000 });
});

test.each([
  ['pending', 'o1', true],
  ['processing', 'o1', true],
  ['failed', null, false],
  ['completed', 'o1', false],
  ['pending', 'o2', false],
] as const)('an occurrence that is %s under %s is awaited: %s', (status, operationId, awaited) => {
  const world = createDecisionWorld(null);
  world.put('occurrence', { ...occurrence, status, operationId });
  const records: Records = { get: (table, id) => world.get(table, id) };
  expect(isAwaited(records, { occurrenceId: occurrence.id }, 'o1')).toBe(awaited);
  expect(isAwaited(records, { occurrenceId: 't1:901' }, 'o1')).toBe(false);
  expect(isAwaited(records, undefined, 'o1')).toBe(true);
});

const trigger = triggerRecord({ owner: 'sweep:s1' });

const occurring = (nowMs: number, change: Partial<TriggerRecord> = {}) => {
  const world = createDecisionWorld(null);
  world.nowMs = nowMs;
  world.put('trigger', { ...trigger, ...change });
  const send = (previousPending = false) =>
    world.step(occur({ claimed: trigger, previousPending, operationId: 'o1' })).kind;
  return { world, send, stored: () => world.get('trigger', 't1') };
};

test('an instant becomes one occurrence, for the sweep that has the trigger as it was claimed', () => {
  const { world, send, stored } = occurring(61_000);
  expect(send()).toBe('pending');
  expect(world.get('occurrence', 't1:60000')).toMatchObject({ status: 'pending', operationId: 'o1', dueAtMs: 61_000 });
  expect(stored()).toMatchObject({ nextRunAtMs: 120_000, dueAtMs: 120_000, owner: null, lastRunAtMs: 60_000 });
  expect(send()).toBe('lost');
  expect(occurring(61_000, { owner: 'sweep:s2' }).send()).toBe('lost');
  expect(occurring(61_000, { status: 'paused' }).send()).toBe('lost');
  expect(occurring(61_000, { nextRunAtMs: 120_000 }).send()).toBe('lost');
});

test('an instant is run until five minutes after it, and is missed then', () => {
  expect(occurring(360_000).send()).toBe('pending');
  const { send, stored } = occurring(360_001);
  expect(send()).toBe('missed');
  expect(stored()).toMatchObject({ nextRunAtMs: 420_000, owner: null, lastRunAtMs: null });
});

test('an instant is skipped while the interaction before is under way, and does not count as run', () => {
  const { world, send, stored } = occurring(61_000);
  expect(send(true)).toBe('skipped');
  const kept = 61_000 + 30 * 24 * 3_600_000;
  const skipped = { status: 'skipped', operationId: null, finishedAtMs: 61_000, dueAtMs: kept };
  expect(world.get('occurrence', 't1:60000')).toMatchObject(skipped);
  expect(stored()?.lastRunAtMs).toBeNull();
});
