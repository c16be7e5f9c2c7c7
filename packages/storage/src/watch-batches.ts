import type { QueuedStep, StepBatcherOptions } from './step-batcher.ts';

/** Steps that were committed in one transaction. */
export interface CommittedBatch {
  readonly steps: number;
  readonly durationMs: number;
}

/** Is shown each batch of steps; called between batches, so it must return at once. What it throws is ignored. */
export type OnBatch = (batch: CommittedBatch) => void;

type Flush = StepBatcherOptions['flush'];

/** The same flush, whose batches are shown; the flush itself where they are not. */
export const watchBatches = (onBatch: OnBatch | undefined, flush: Flush): Flush => {
  if (onBatch === undefined) return flush;
  return async (steps: readonly QueuedStep[], connection) => {
    const fromMs = performance.now();
    await flush(steps, connection);
    try {
      onBatch({ steps: steps.length, durationMs: performance.now() - fromMs });
    } catch {
      // The steps are committed and their callers know: the failure of who looks on is no failure of theirs.
    }
  };
};
