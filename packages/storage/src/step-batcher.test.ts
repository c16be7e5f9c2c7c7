import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createStepBatcher, type QueuedStep } from './step-batcher.ts';
import { storageBusyCode, type Decide } from './storage.ts';

const answering =
  (answer: number): Decide<number> =>
  () => ({ writes: [], answer });
const noRecords = { get: () => undefined };

const settle = (steps: readonly QueuedStep[]): void => {
  for (const step of steps) step.resolve(step.decide(noRecords, 0).answer);
};

/** A schedule whose take-offs wait until the test runs them. */
const heldSchedule = () => {
  const held: (() => void)[] = [];
  return { schedule: (flush: () => void) => held.push(flush), run: () => held.splice(0).forEach((go) => go()) };
};

test('carries everything that waits in one batch, in the order submitted', async () => {
  const batches: number[] = [];
  const { schedule, run } = heldSchedule();
  const batcher = createStepBatcher({
    schedule,
    flush: (steps) => {
      batches.push(steps.length);
      settle(steps);
    },
  });
  const answers = [1, 2, 3].map((answer) => batcher.submit([], answering(answer)));
  run();
  expect(await Promise.all(answers)).toEqual([1, 2, 3]);
  expect(batches).toEqual([3]);
});

test('gathers the next batch while one is committed', async () => {
  const batches: number[] = [];
  const takenOff = Promise.withResolvers<void>();
  const mayLand = Promise.withResolvers<void>();
  const batcher = createStepBatcher({
    flush: async (steps) => {
      batches.push(steps.length);
      takenOff.resolve();
      await mayLand.promise;
      settle(steps);
    },
  });
  const first = batcher.submit([], answering(1));
  await takenOff.promise;
  expect(batcher.waiting()).toBe(0);
  const later = [2, 3].map((answer) => batcher.submit([], answering(answer)));
  expect(batcher.waiting()).toBe(2);
  mayLand.resolve();
  expect(await Promise.all([first, ...later])).toEqual([1, 2, 3]);
  expect(batches).toEqual([1, 2]);
});

test('carries at most the limit in one batch and the rest in the next', async () => {
  const batches: number[] = [];
  const batcher = createStepBatcher({
    stepsPerBatchMax: 2,
    flush: (steps) => {
      batches.push(steps.length);
      settle(steps);
    },
  });
  await Promise.all([1, 2, 3, 4, 5].map((answer) => batcher.submit([], answering(answer))));
  expect(batches).toEqual([2, 2, 1]);
});

test('refuses one step more than may wait, by code, and takes steps again afterwards', async () => {
  const { schedule, run } = heldSchedule();
  const batcher = createStepBatcher({ stepsWaitingMax: 2, schedule, flush: settle });
  const taken = [batcher.submit([], answering(1)), batcher.submit([], answering(2))];
  await expect(batcher.submit([], answering(3))).rejects.toMatchObject({ code: storageBusyCode });
  run();
  expect(await Promise.all(taken)).toEqual([1, 2]);
  const again = batcher.submit([], answering(4));
  await new Promise(setImmediate);
  run();
  expect(await again).toBe(4);
});

test('rejects the steps of a batch that failed and flushes the next', async () => {
  let batches = 0;
  const batcher = createStepBatcher({
    flush: (steps) => {
      batches += 1;
      if (batches === 1) throw new Error('crashed');
      settle(steps);
    },
  });
  await expect(batcher.submit([], answering(1))).rejects.toThrow('crashed');
  expect(await batcher.submit([], answering(2))).toBe(2);
});

test('waits for a promise of another realm, and rejects its steps where it rejects', async () => {
  const foreign = runInNewContext('Promise') as PromiseConstructor;
  const refused = new Error('the driver of another realm refused');
  const flushing = foreign.withResolvers<void>();
  const batches: number[] = [];
  const batcher = createStepBatcher({
    flush: (steps) => {
      batches.push(steps.length);
      return flushing.promise;
    },
  });
  const first = batcher.submit([], answering(1));
  await new Promise(setImmediate);
  const second = batcher.submit([], answering(2));
  await new Promise(setImmediate);
  expect(batches).toEqual([1]);
  flushing.reject(refused);
  await expect(first).rejects.toBe(refused);
  await expect(second).rejects.toBe(refused);
  expect(batches).toEqual([1, 1]);
});

test('gives steps with a key of their own connection a batch of their own', async () => {
  const batches: [number, number][] = [];
  const batcher = createStepBatcher({
    batchConnections: 2,
    connectionOf: (keys) => (keys[0]?.id === 'odd' ? 3 : 0),
    flush: (steps, connection) => {
      batches.push([connection, steps.length]);
      settle(steps);
    },
  });
  await Promise.all([
    batcher.submit([{ table: 'setting', id: 'odd' }], answering(1)),
    batcher.submit([{ table: 'setting', id: 'even' }], answering(2)),
    batcher.submit([{ table: 'setting', id: 'odd' }], answering(3)),
  ]);
  expect(batches).toEqual([
    [1, 2],
    [0, 1],
  ]);
});

test('is idle at once when nothing waits, and otherwise when the last batch has ended', async () => {
  const landed: string[] = [];
  const batcher = createStepBatcher({
    stepsPerBatchMax: 1,
    flush: (steps) => {
      landed.push('flight');
      settle(steps);
    },
  });
  await batcher.idle();
  const steps = [batcher.submit([], answering(1)), batcher.submit([], answering(2))];
  const idle = batcher.idle().then(() => landed.push('idle'));
  await Promise.all([...steps, idle]);
  expect(landed).toEqual(['flight', 'flight', 'idle']);
});

test('is not idle while one of its connections is at work', async () => {
  const mayLand = Promise.withResolvers<void>();
  const batcher = createStepBatcher({
    batchConnections: 3,
    connectionOf: () => 1,
    flush: async (steps) => {
      await mayLand.promise;
      settle(steps);
    },
  });
  const step = batcher.submit([], answering(1));
  let isIdle = false;
  const idle = batcher.idle().then(() => (isIdle = true));
  await new Promise(setImmediate);
  expect(isIdle).toBe(false);
  mayLand.resolve();
  await Promise.all([step, idle]);
});
