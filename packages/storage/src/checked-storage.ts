import type { BlobStore } from './blob-store.ts';
import { checkScan } from './check-scan.ts';
import { listRowsMax, type IndexName, type IndexQuery, type IndexTable, type ScanQuery } from './indexes.ts';
import type { StepBatch } from './step-batch.ts';
import type { StepBatcher } from './step-batcher.ts';
import type { ClaimQuery, Key, Records, Storage } from './storage.ts';
import type { ClaimableTable } from './table-groups.ts';
import type { TableName } from './tables.ts';
import { recordsOfTable } from './typed-records.ts';
import { checkUsageQuery, type UsageSum, type UsageSumQuery } from './usage-sums.ts';
import type { VectorIndex } from './vector-index.ts';

/** What an adapter does, once a query is known to be sound and the storage to be open. */
export interface StorageParts {
  readonly steps: Pick<StepBatcher, 'submit'>;
  readonly read: (keys: readonly Key[]) => Promise<Records>;
  /** The rows of an index as records of its table. */
  readonly list: (index: IndexName, query: IndexQuery) => Promise<readonly object[]>;
  readonly scan: (table: TableName, query: ScanQuery) => Promise<readonly object[]>;
  readonly claim: (query: ClaimQuery) => Promise<readonly object[]>;
  readonly sumUsage: (query: UsageSumQuery) => Promise<readonly UsageSum[]>;
  readonly blobs: BlobStore;
  readonly vectors: VectorIndex;
  /** Waits for what is under way and frees what was opened; called once. */
  readonly close: () => Promise<void>;
}

export interface CheckedStorageOptions {
  /** Whether the database can hold an id of well-formed Unicode; any by default. */
  readonly holdsId?: (id: string) => boolean;
  /** Why nothing can be promised any more, if so. */
  readonly failure?: () => Error | undefined;
}

const checkKeys = (keys: readonly Key[], holdsId: (id: string) => boolean): void => {
  for (const { table, id } of keys) {
    if (!id.isWellFormed()) throw new Error(`the id of a ${table} is not well-formed Unicode`);
    if (!holdsId(id)) throw new Error(`the id of a ${table} cannot be stored`);
  }
};

const checkLimit = (limit: number): void => {
  if (!Number.isInteger(limit) || limit < 1 || limit > listRowsMax)
    throw new RangeError(`a limit is 1 to ${listRowsMax}: ${limit}`);
};

const checkLease = (leaseMs: number): void => {
  if (!Number.isSafeInteger(leaseMs)) throw new RangeError(`a lease is a whole number of milliseconds: ${leaseMs}`);
};

/** The records of keys that were looked up, for `read`. */
export const recordsOfBatch = (batch: StepBatch, keys: readonly Key[]): Records =>
  batch.decide(keys, (records) => ({ writes: [], answer: records }));

/**
 * A storage of an adapter's parts. It checks keys, limits, leases and queries before they reach a part, and refuses all of them once it
 * is closed or has failed. The parts get the same refusal, for what does not come through here: blobs and vectors.
 */
export const checkedStorage = (
  partsOf: (guard: () => void) => StorageParts,
  { holdsId = () => true, failure }: CheckedStorageOptions = {},
): Storage => {
  let closing: Promise<void> | undefined;
  const guard = (): void => {
    if (closing !== undefined) throw new Error('the storage is closed');
    const cause = failure?.();
    if (cause !== undefined) throw cause;
  };
  const parts = partsOf(guard);
  return {
    // No async function: what it would add to every step is another promise, for a refusal that is rare.
    transact: (keys, decide) => {
      try {
        guard();
        checkKeys(keys, holdsId);
      } catch (cause) {
        return Promise.reject(cause);
      }
      return parts.steps.submit(keys, decide);
    },
    read: async (keys) => {
      guard();
      checkKeys(keys, holdsId);
      return parts.read(keys);
    },
    list: async <I extends IndexName>(index: I, query: IndexQuery) => {
      guard();
      checkLimit(query.limit);
      return recordsOfTable<IndexTable<I>>(await parts.list(index, query));
    },
    scan: async (table, query) => {
      guard();
      checkScan(table, query);
      return recordsOfTable<typeof table>(await parts.scan(table, query));
    },
    claim: async <T extends ClaimableTable>(query: ClaimQuery & { readonly table: T }) => {
      guard();
      checkLimit(query.limit);
      checkLease(query.leaseMs);
      return recordsOfTable<T>(await parts.claim(query));
    },
    sumUsage: async (query) => {
      guard();
      checkUsageQuery(query);
      return parts.sumUsage(query);
    },
    blobs: parts.blobs,
    vectors: parts.vectors,
    close: () => (closing ??= parts.close()),
  };
};
