import type { TriggerRecord } from '@tollgate/storage';
import { expect, test } from 'vitest';
import { createDecisionWorld, occurrence, triggerRecord } from '../../test/decision-world.ts';
import { concludeOccurrence } from './trigger.ts';
import { afterOccurrence } from './trigger-pause.ts';

const trigger = triggerRecord();

const refused = (errorCode = 'ai_insufficient_credits') =>
  ({ status: 'failed', operationId: null, errorCode }) as const;
const opened = { status: 'processing', operationId: 'o1', errorCode: null } as const;
const rule = { refusalsMax: 3, nowMs: 7 };

const after = (...ends: readonly Parameters<typeof afterOccurrence>[1][]): TriggerRecord =>
  ends.reduce((current, end) => afterOccurrence(current, end, rule), trigger);

test('pauses a schedule with the reason at the third refusal in a row, and not before', () => {
  expect(after(refused(), refused())).toMatchObject({ status: 'enabled', refusals: 2, nextRunAtMs: 60_000 });
  expect(after(refused(), refused(), refused('quota_exceeded'))).toMatchObject({
    status: 'paused',
    pausedCode: 'quota_exceeded',
    refusals: 3,
    nextRunAtMs: null,
    dueAtMs: null,
    owner: null,
    updatedAtMs: 7,
  });
});

test('begins to count anew once an interaction was opened, whatever becomes of it', () => {
  expect(after(refused(), refused(), opened, refused(), refused())).toMatchObject({ status: 'enabled', refusals: 2 });
  const failed = { status: 'failed', operationId: 'o1', errorCode: 'request_failed' } as const;
  expect(after(refused(), failed)).toMatchObject({ refusals: 0 });
});

test('does not count what the service itself lacks, nor what was skipped or is still to be tried', () => {
  for (const code of ['service_unavailable', 'access_or_service_unavailable', 'rate_limited'])
    expect(after(refused(code))).toBe(trigger);
  expect(after({ status: 'skipped', operationId: null, errorCode: null })).toBe(trigger);
  expect(after({ status: 'pending', operationId: 'o1', errorCode: null })).toBe(trigger);
});

test('never pauses where the host says so, and leaves alone what is paused or deleted', () => {
  const many = Array.from({ length: 50 }, () => refused());
  const never = many.reduce((current, end) => afterOccurrence(current, end, { refusalsMax: null, nowMs: 7 }), trigger);
  expect(never).toMatchObject({ status: 'enabled', refusals: 50 });
  for (const status of ['paused', 'disabled'] as const) {
    const idle = { ...trigger, status };
    expect(afterOccurrence(idle, refused(), rule)).toBe(idle);
  }
});

test('counts a refusal once, however often it is reported and by whom', () => {
  const world = createDecisionWorld(null);
  world.put('trigger', trigger);
  world.put('occurrence', occurrence);
  const command = {
    claimed: occurrence,
    refusalsMax: 1,
    outcome: { kind: 'prevented', errorCode: 'ai_insufficient_credits' } as const,
  };
  const tell = () => world.step(concludeOccurrence(command));
  expect(tell()?.paused).toMatchObject({ id: 't1', refusals: 1 });
  // Sent again after a commit that was not confirmed, and by a worker whose claim ran out.
  expect(tell()).toBeNull();
  expect(world.get('trigger', 't1')).toMatchObject({ status: 'paused', refusals: 1 });
});
