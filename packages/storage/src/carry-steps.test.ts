import { expect, test } from 'vitest';
import { carrySteps, decideSteps, settleSteps, type CarryAttempt } from './carry-steps.ts';
import { createStepBatch } from './step-batch.ts';
import type { QueuedStep } from './step-batcher.ts';
import { storageBusyCode } from './storage.ts';

const step = (answer: string, settled: string[] = []): QueuedStep => ({
  keys: [],
  decide: () => ({ writes: [], answer }),
  resolve: (value) => settled.push(`resolved ${String(value)}`),
  reject: (cause) => settled.push(`rejected ${String(cause)}`),
});
const throwing = (settled: string[] = []): QueuedStep => ({
  ...step('', settled),
  decide: () => {
    throw new Error('no');
  },
});
const decideAlone: CarryAttempt = (steps) =>
  decideSteps(
    createStepBatch(0, () => undefined),
    steps,
  );

test('rejects a step that throws alone', async () => {
  const settled: string[] = [];
  const steps = [step('one', settled), throwing(settled), step('three', settled)];
  settleSteps(steps, await carrySteps(steps, decideAlone));
  expect(settled).toEqual(['resolved one', 'rejected Error: no', 'resolved three']);
});

test('decides each step again alone, trusting nothing, when the steps fail together', async () => {
  const attempts: [number, boolean][] = [];
  const steps = [step('one'), step('bad'), step('three')];
  const outcomes = await carrySteps(steps, (some, trustFresh) => {
    attempts.push([some.length, trustFresh]);
    if (some.includes(steps[1] ?? step(''))) throw new Error('refused by the store');
    return decideAlone(some, trustFresh);
  });
  expect(attempts).toEqual([
    [3, true],
    [1, false],
    [1, false],
    [1, false],
  ]);
  expect(outcomes).toMatchObject([
    { kind: 'answered', answer: 'one' },
    { kind: 'rejected', cause: { message: 'refused by the store' } },
    { kind: 'answered', answer: 'three' },
  ]);
});

test('does not ask a busy store again step by step', async () => {
  let attempts = 0;
  const busy = Object.assign(new Error('busy'), { code: storageBusyCode });
  const carried = carrySteps([step('one'), step('two')], () => {
    attempts += 1;
    throw busy;
  });
  await expect(carried).rejects.toBe(busy);
  expect(attempts).toBe(1);
});

test('does not go on step by step once the store is busy', async () => {
  let attempts = 0;
  const busy = Object.assign(new Error('busy'), { code: storageBusyCode });
  const outcomes = await carrySteps([step('one'), step('two'), step('three')], (some, trustFresh) => {
    attempts += 1;
    if (attempts === 1) throw new Error('together they fail');
    if (attempts > 2) throw busy;
    return decideAlone(some, trustFresh);
  });
  expect(attempts).toBe(3);
  expect(outcomes).toEqual([
    { kind: 'answered', answer: 'one' },
    { kind: 'rejected', cause: busy },
    { kind: 'rejected', cause: busy },
  ]);
});

test('rejects a step for which no outcome came back', async () => {
  const settled: string[] = [];
  settleSteps([step('one', settled)], []);
  expect(settled).toEqual(['rejected Error: the step was given no outcome']);
});
