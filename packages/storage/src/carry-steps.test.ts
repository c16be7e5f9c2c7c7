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
const decideAlone: CarryAttempt = (steps) => ({
  kind: 'carried',
  outcomes: decideSteps(
    createStepBatch(0, () => undefined),
    steps,
  ),
});

test('rejects a step that throws alone', async () => {
  const settled: string[] = [];
  const steps = [step('one', settled), throwing(settled), step('three', settled)];
  settleSteps(steps, await carrySteps(steps, decideAlone));
  expect(settled).toEqual(['resolved one', 'rejected Error: no', 'resolved three']);
});

test('returns no promise where an attempt that needs none carries the steps', async () => {
  expect(carrySteps([step('one')], decideAlone)).toEqual([{ kind: 'answered', answer: 'one' }]);
  const later = carrySteps([step('one')], async (...given) => decideAlone(...given));
  expect(later).toBeInstanceOf(Promise);
  expect(await later).toEqual([{ kind: 'answered', answer: 'one' }]);
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
  const outcomes = await carrySteps([step('one'), step('two')], () => {
    attempts += 1;
    throw busy;
  });
  expect(outcomes).toEqual([
    { kind: 'rejected', cause: busy },
    { kind: 'rejected', cause: busy },
  ]);
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

const noisy = (retriesMax: number) => {
  const waits: number[] = [];
  const wait = async (retries: number): Promise<void> => void waits.push(retries);
  return { waits, retries: { retriesMax, wait } };
};

test('tries again together, after a wait, what the database was too busy for', async () => {
  const { waits, retries } = noisy(3);
  const attempts: [number, boolean][] = [];
  const carry: CarryAttempt = (some, trustFresh) => {
    attempts.push([some.length, trustFresh]);
    return attempts.length < 3 ? { kind: 'busy', cause: new Error('a lock') } : decideAlone(some, trustFresh);
  };
  const outcomes = await carrySteps([step('one'), step('two')], carry, retries);
  expect(outcomes).toMatchObject([{ answer: 'one' }, { answer: 'two' }]);
  expect(attempts).toEqual([
    [2, true],
    [2, false],
    [2, false],
  ]);
  expect(waits).toEqual([0, 1]);
});

test('refuses as busy what is still in use after the last try, with the cause', async () => {
  const { waits, retries } = noisy(2);
  const cause = new Error('a lock');
  const [outcome] = await carrySteps([step('one')], () => ({ kind: 'busy', cause }), retries);
  expect(outcome).toMatchObject({ kind: 'rejected', cause: { code: storageBusyCode, cause } });
  expect(waits).toHaveLength(2);
});

test('repeats a lost race at once, and trusts no fresh id then', async () => {
  const { waits, retries } = noisy(3);
  const trusted: boolean[] = [];
  const carry: CarryAttempt = (some, trustFresh) => {
    trusted.push(trustFresh);
    return trustFresh ? { kind: 'nothing', cause: new Error('taken'), isRace: true } : decideAlone(some, trustFresh);
  };
  expect(await carrySteps([step('one')], carry, retries)).toMatchObject([{ answer: 'one' }]);
  expect(trusted).toEqual([true, false]);
  expect(waits).toEqual([]);
});

test('decides no step again whose commit is unknown', async () => {
  const { retries } = noisy(3);
  let attempts = 0;
  const cause = new Error('no answer');
  const carry: CarryAttempt = () => {
    attempts += 1;
    return { kind: 'unknown', cause };
  };
  const outcomes = await carrySteps([step('one'), step('two')], carry, retries);
  expect(outcomes).toEqual([
    { kind: 'rejected', cause },
    { kind: 'rejected', cause },
  ]);
  expect(attempts).toBe(1);
});
