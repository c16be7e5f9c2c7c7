import {
  carrySteps,
  createStepBatcher,
  settleSteps,
  watchBatches,
  type CarryAttempt,
  type CarryResult,
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

const carried = (outcomes: readonly StepOutcome[]): CarryResult => ({ kind: 'carried', outcomes });

/** Carries steps out in batches; each is answered when its batch is on disk. */
export const createDatabaseSteps = (options: DatabaseStepsOptions): StepBatcher => {
  const { limits, sync, checkpointer, commit, onBatch } = options;
  const attempt: CarryAttempt = (steps, trustFresh) => {
    const outcomes = retryWhileLocked(() => commit(steps, trustFresh), limits);
    return 'then' in outcomes ? outcomes.then(carried) : carried(outcomes);
  };
  const conclude = (steps: readonly QueuedStep[], outcomes: readonly StepOutcome[]): Promise<void> | undefined => {
    const settle = (): void => {
      settleSteps(steps, outcomes);
      checkpointer.nudge();
    };
    // Others may be about to come, though none waits yet: what arrived during the commit has not been read.
    const syncing = sync.flushed(steps.length === 1 && batcher.waiting() === 0);
    if (syncing !== undefined) return syncing.then(settle);
    settle();
    return undefined;
  };
  const batcher: StepBatcher = createStepBatcher({
    // A sync costs more than a turn's wait, so that where there are syncs a turn's steps share one.
    ...(sync === noWalSync && { schedule: createFirstAtOnce() }),
    flush: watchBatches(onBatch, (steps) => {
      const carrying = carrySteps(steps, attempt);
      return 'then' in carrying ? carrying.then((outcomes) => conclude(steps, outcomes)) : conclude(steps, carrying);
    }),
  });
  return batcher;
};
