import { callable, checkConfiguration, having, optionsCheck } from '@tollgate/contract/configuration';
import {
  carrySteps,
  checkedStorage,
  createStepBatch,
  createStepBatcher,
  decideSteps,
  memoryBlobs,
  recordsOfBatch,
  settleSteps,
  watchBatches,
  type OnBatch,
  type StepBatcherOptions,
  type Key,
  type QueuedStep,
  type CarryResult,
  type Storage,
} from '@tollgate/storage';
import { claimRows } from './claim-rows.ts';
import { commitWrites } from './commit-writes.ts';
import { scanRows } from './scan-rows.ts';
import { sumUsage } from './sum-usage.ts';
import { createMemoryDisk, type MemoryDisk } from './memory-disk.ts';
import { memoryVectors } from './memory-vectors.ts';

export interface MemoryStorageOptions {
  /** The store's clock; the system's by default. */
  readonly now?: () => number;
  /** When an idle storage carries the steps that wait; see the step batcher. */
  readonly schedule?: NonNullable<StepBatcherOptions['schedule']>;
  /** Where commits go; a disk of its own by default. */
  readonly disk?: MemoryDisk;
  /** Is shown each batch of steps. */
  readonly onBatch?: OnBatch;
}

const memoryOptionsCheck = optionsCheck<MemoryStorageOptions>({
  now: callable(),
  schedule: callable(),
  disk: having<MemoryDisk>('rows'),
  onBatch: callable(),
});

const attempt = (disk: MemoryDisk, nowMs: number) => {
  const look = (key: Key, trustFresh: boolean) =>
    key.fresh === true && trustFresh ? undefined : disk.rows(key.table).get(key.id);
  return (steps: readonly QueuedStep[], trustFresh: boolean): CarryResult => {
    const batch = createStepBatch(nowMs, (key) => look(key, trustFresh));
    const outcomes = decideSteps(batch, steps);
    commitWrites(disk, batch.netWrites());
    return { kind: 'carried', outcomes };
  };
};

/**
 * A storage in memory, and the strictest one: records are checked against their columns and frozen, and a fresh id is trusted
 * until it clashes, so that whatever works on it works on a database. Nothing outlives its `disk`.
 */
export const memoryStorage = (options: MemoryStorageOptions = {}): Storage => {
  checkConfiguration('memoryStorage', memoryOptionsCheck, options);
  const { now = Date.now, schedule, disk = createMemoryDisk() } = options;
  const batcher = createStepBatcher({
    ...(schedule === undefined ? {} : { schedule }),
    flush: watchBatches(options.onBatch, (steps) => {
      const carrying = carrySteps(steps, attempt(disk, now()));
      if ('then' in carrying) return carrying.then((outcomes) => settleSteps(steps, outcomes));
      settleSteps(steps, carrying);
      return undefined;
    }),
  });
  return checkedStorage((guard) => ({
    steps: batcher,
    read: async (keys) =>
      recordsOfBatch(
        createStepBatch(now(), (key) => disk.rows(key.table).get(key.id)),
        keys,
      ),
    list: async (index, query) => disk.list(index, query),
    scan: async (table, query) => scanRows(disk, table, query),
    claim: async (query) => claimRows(disk, query, now()),
    sumUsage: async (query) => sumUsage(disk, query),
    blobs: memoryBlobs(disk.blobs, guard),
    vectors: memoryVectors(disk.chunks, guard),
    close: () => batcher.idle(),
  }));
};
