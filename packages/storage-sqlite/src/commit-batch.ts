import { createStepBatch, decideSteps, type NetWrite, type QueuedStep, type StepOutcome } from '@tollgate/storage';
import type { RecordCache } from './record-cache.ts';
import type { DatabaseRows } from './table-rows.ts';
import type { Transactions } from './transactions.ts';
import type { WalSync } from './wal-sync.ts';

export interface BatchParts {
  readonly transactions: Transactions;
  readonly rows: DatabaseRows;
  readonly cache: RecordCache;
  readonly sync: WalSync;
  readonly now: () => number;
}

const remember = (cache: RecordCache, writes: readonly NetWrite[]): void => {
  for (const write of writes) {
    if (write.kind === 'delete') cache.delete(write.table, write.id);
    else cache.put(write.table, write.record);
  }
};

/** Decides steps and commits what they write in one transaction; it is not synced yet. Throws where nothing was committed. */
export const commitBatch = (
  { transactions, rows, cache, sync, now }: BatchParts,
  steps: readonly QueuedStep[],
  trustFresh: boolean,
): readonly StepOutcome[] => {
  let writes: readonly NetWrite[] = [];
  const outcomes = transactions.write(() => {
    const batch = createStepBatch(now(), (key) =>
      key.fresh === true && trustFresh ? undefined : transactions.find(key),
    );
    const decided = decideSteps(batch, steps);
    writes = batch.netWrites();
    rows.write(writes);
    return decided;
  });
  if (writes.length > 0) sync.written();
  remember(cache, writes);
  return outcomes;
};
