import { describe, expect, test } from 'vitest';
import type { OperationRecord } from '@tollgate/storage';
import { createDecisionWorld, markUncertainCommand, evidence, operationRecord } from '../../test/decision-world.ts';
import { markUncertainStep, type MarkUncertainCommand } from './mark-uncertain.ts';

const uncertainWorld = (operation: Partial<OperationRecord> = {}) => {
  const world = createDecisionWorld(operationRecord(operation));
  const markUncertain = (change: Partial<MarkUncertainCommand> = {}) => {
    const command = markUncertainCommand(change);
    return world.step(markUncertainStep(command));
  };
  return { world, markUncertain };
};

describe('doubt', () => {
  test('keeps the hold of an operation whose outcome is unknown [ledger:uncertain:keeps-hold] [requests:move:processing-uncertain]', () => {
    const { world, markUncertain } = uncertainWorld();
    expect(markUncertain()).toMatchObject({ kind: 'uncertain' });
    expect(world.operation()).toMatchObject({
      state: 'uncertain',
      holdMicros: 30n,
      errorCode: 'settlement_pending',
      owner: null,
      dueAtMs: null,
      endedAtMs: null,
    });
    expect(world.wallet()).toMatchObject({ balanceMicros: 100n, reservedMicros: 30n, seq: 2 });
  });

  test('has it checked again when the host wants it decided by age', () => {
    const { world, markUncertain } = uncertainWorld();
    markUncertain({ decideAfterMs: 5_000 });
    expect(world.operation().dueAtMs).toBe(6_000);
  });

  test('stores what is known all the same', () => {
    const { world, markUncertain } = uncertainWorld();
    markUncertain({ evidence });
    expect(world.operation()).toMatchObject({ state: 'uncertain', answer: 'stored', attempts: evidence.attempts });
    expect(world.get('answer', 'o1')).toMatchObject({ bytes: 16 });
  });

  test('keeps what a client was sent, unless more is on record', () => {
    const { world, markUncertain } = uncertainWorld();
    const partial = { ...evidence, usage: null, answer: { body: '{"half":1}', bytes: 10, partial: true } } as const;
    markUncertain({ evidence: partial });
    expect(world.operation()).toMatchObject({ answer: 'partial', attempts: evidence.attempts });
    expect(world.get('answer', 'o1')).not.toHaveProperty('partial');
    markUncertain({ evidence: { ...partial, attempts: [], answer: { ...partial.answer, body: '{}' } } });
    expect(world.operation().attempts).toEqual(evidence.attempts);
    expect(world.get('answer', 'o1')).toMatchObject({ body: '{"half":1}' });
  });

  test('leaves an operation alone whose lease was renewed after the sweep looked', () => {
    const { world, markUncertain } = uncertainWorld({ owner: 'w2' });
    expect(markUncertain({ expiredOwner: 'w1' })).toEqual({ kind: 'alive' });
    expect(world.operation().state).toBe('processing');
    expect(markUncertain({ expiredOwner: 'w2' })).toMatchObject({ kind: 'uncertain' });
  });

  test('tells a sweep that comes twice the same both times', () => {
    const { world, markUncertain } = uncertainWorld();
    markUncertain({ expiredOwner: 'w1' });
    const before = world.operation();
    expect(markUncertain({ expiredOwner: 'w1' })).toMatchObject({ kind: 'uncertain' });
    expect(world.operation()).toEqual(before);
  });

  test('does not forget what is pending', () => {
    const { world, markUncertain } = uncertainWorld({
      state: 'uncertain',
      pendingMicros: 150n,
      owner: null,
      dueAtMs: 1_060,
    });
    expect(markUncertain()).toMatchObject({ kind: 'uncertain' });
    expect(world.operation()).toMatchObject({ pendingMicros: 150n, dueAtMs: 1_060 });
  });

  test('changes nothing where the operation has ended or its end is under way', () => {
    for (const state of ['completed', 'failed'] as const)
      expect(uncertainWorld({ state, holdMicros: 0n, endedAtMs: 900 }).markUncertain()).toMatchObject({
        kind: 'ended',
      });
    expect(uncertainWorld({ state: 'settling' }).markUncertain()).toEqual({ kind: 'alive' });
    expect(uncertainWorld().markUncertain({ operationId: 'o9' })).toEqual({ kind: 'missing' });
  });
});

test('notes when it was marked, and when evidence came later', () => {
  const { world, markUncertain } = uncertainWorld();
  markUncertain({ decideAfterMs: 40 });
  expect(world.operation()).toMatchObject({ updatedAtMs: 1_000, dueAtMs: 1_040 });
  world.nowMs = 2_000;
  markUncertain({ evidence });
  expect(world.operation()).toMatchObject({ state: 'uncertain', updatedAtMs: 2_000, dueAtMs: 1_040 });
});
