import type { OccurrenceRecord, Records } from '@tollgate/storage';
import { expect, test } from 'vitest';
import { createDecisionWorld, occurrence, operationRecord } from '../../test/decision-world.ts';
import { isAwaited } from './occurrence-guard.ts';
import { concludeOccurrence, type ConcludeOccurrenceCommand } from './trigger.ts';

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
