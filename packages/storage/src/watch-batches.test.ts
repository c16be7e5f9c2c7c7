import { expect, test } from 'vitest';
import { createStepBatcher } from './step-batcher.ts';
import { settleSteps, type StepOutcome } from './carry-steps.ts';
import { watchBatches, type CommittedBatch } from './watch-batches.ts';

const noFlush = (): void => {};

const batcherOf = (onBatch?: (batch: CommittedBatch) => void) =>
  createStepBatcher({
    flush: watchBatches(onBatch, (steps) =>
      settleSteps(
        steps,
        steps.map((): StepOutcome => ({ kind: 'answered', answer: 'done' })),
      ),
    ),
  });

const submitTwo = (batcher: ReturnType<typeof batcherOf>) =>
  Promise.all([1, 2].map(() => batcher.submit([], () => ({ writes: [], answer: 'done' }))));

test('shows how many steps shared a batch', async () => {
  const seen: CommittedBatch[] = [];
  const batcher = batcherOf((batch) => void seen.push(batch));
  await submitTwo(batcher);
  await batcher.idle();
  expect(seen).toEqual([{ steps: 2, durationMs: expect.any(Number) }]);
});

test('answers steps and goes on where the onlooker throws', async () => {
  const batcher = batcherOf(() => {
    throw new Error('broken onlooker');
  });
  expect(await submitTwo(batcher)).toEqual(['done', 'done']);
  expect(await submitTwo(batcher)).toEqual(['done', 'done']);
});

test('is the flush itself where no one looks on', () => {
  expect(watchBatches(undefined, noFlush)).toBe(noFlush);
});
