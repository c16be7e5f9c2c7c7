import {
  carrySteps,
  createStepBatcher,
  settleSteps,
  watchBatches,
  type OnBatch,
  type QueuedStep,
  type StepBatcher,
  type StepOutcome,
} from '@tollgate/storage';
import { retryWhileLocked, type BusyLimits } from './busy-retry.ts';
import type { Checkpointer } from './checkpointer.ts';
import { createFirstAtOnce } from './first-at-once.ts';
import { noWalSync, type WalSync } from './wal-sync.ts';

export interface DatabaseStepsOptions {
  readonly limits: BusyLimits;
  readonly sync: WalSync;
  readonly checkpointer: Pick<Checkpointer, 'nudge'>;
  /** Decides steps and commits what they write in one transaction. Throws where nothing was committed. */
  readonly commit: (steps: readonly QueuedStep[], trustFresh: boolean) => readonly StepOutcome[];
  readonly onBatch: OnBatch | undefined;
}

/** Carries steps out in batches; each is answered when its batch is on disk. */
export const createDatabaseSteps = (options: DatabaseStepsOptions): StepBatcher => {
  const { limits, sync, checkpointer, commit, onBatch } = options;
  const batcher: StepBatcher = createStepBatcher({
    // A sync costs more than a turn's wait, so that where there are syncs a turn's steps share one.
    ...(sync === noWalSync && { schedule: createFirstAtOnce() }),
    flush: watchBatches(onBatch, async (steps) => {
      const outcomes = await carrySteps(steps, async (some, trustFresh) => ({
        kind: 'carried',
        outcomes: await retryWhileLocked(() => commit(some, trustFresh), limits),
      }));
      // Others may be about to come, though none waits yet: what arrived during the commit has not been read.
      await sync.flushed(steps.length === 1 && batcher.waiting() === 0);
      settleSteps(steps, outcomes);
      checkpointer.nudge();
    }),
  });
  return batcher;
};
