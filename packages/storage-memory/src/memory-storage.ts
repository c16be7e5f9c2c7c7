import { callable, checkConfiguration, having, optionsCheck } from '@tollgate/contract/configuration';
import {
  carrySteps,
  createStepBatch,
  createStepBatcher,
  decideSteps,
  listRowsMax,
  settleSteps,
  watchBatches,
  type OnBatch,
  type ClaimableTable,
  type ClaimQuery,
  type StepBatcherOptions,
  type IndexName,
  type IndexTable,
  type Key,
  type QueuedStep,
  type CarryResult,
  type Storage,
  recordsOfTable,
} from '@tollgate/storage';
import { claimRows } from './claim-rows.ts';
import { commitWrites } from './commit-writes.ts';
import { listRows } from './list-rows.ts';
import { scanRows } from './scan-rows.ts';
import { sumUsage } from './sum-usage.ts';
import { memoryBlobs } from './memory-blobs.ts';
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

const checkText = (keys: readonly Key[]): void => {
  for (const { table, id } of keys)
    if (!id.isWellFormed()) throw new Error(`the id of a ${table} is not well-formed Unicode`);
};

const checkLimit = (limit: number): void => {
  if (!Number.isInteger(limit) || limit < 1 || limit > listRowsMax)
    throw new RangeError(`a limit is 1 to ${listRowsMax}: ${limit}`);
};

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
  let closed = false;
  const guard = (): void => {
    if (closed) throw new Error('the storage is closed');
  };
  const batcher = createStepBatcher({
    ...(schedule === undefined ? {} : { schedule }),
    flush: watchBatches(options.onBatch, async (steps) =>
      settleSteps(steps, await carrySteps(steps, attempt(disk, now()))),
    ),
  });
  return {
    transact: async (keys, decide) => {
      guard();
      checkText(keys);
      return batcher.submit(keys, decide);
    },
    read: async (keys) => {
      guard();
      checkText(keys);
      const batch = createStepBatch(now(), (key) => disk.rows(key.table).get(key.id));
      return batch.decide(keys, (records) => ({ writes: [], answer: records }));
    },
    list: async <I extends IndexName>(index: I, query: Parameters<Storage['list']>[1]) => {
      guard();
      checkLimit(query.limit);
      return recordsOfTable<IndexTable<I>>(listRows(disk, index, query));
    },
    scan: async (table, query) => {
      guard();
      return recordsOfTable<typeof table>(scanRows(disk, table, query));
    },
    claim: async <T extends ClaimableTable>(query: ClaimQuery & { readonly table: T }) => {
      guard();
      checkLimit(query.limit);
      return recordsOfTable<T>(claimRows(disk, query, now()));
    },
    sumUsage: async (query) => {
      guard();
      return sumUsage(disk, query);
    },
    blobs: memoryBlobs(disk.blobs, guard),
    vectors: memoryVectors(disk.chunks, guard),
    close: async () => {
      closed = true;
      await batcher.idle();
    },
  };
};
