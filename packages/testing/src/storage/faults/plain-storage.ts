import {
  indexSpec,
  storageBusyCode,
  type BlobStore,
  type ClaimableTable,
  type ClaimQuery,
  type IndexName,
  type IndexQuery,
  type IndexTable,
  type QueuedStep,
  type Storage,
  recordsOfTable,
  type ScanQuery,
  type TableName,
  type VectorIndex,
} from '@tollgate/storage';
import { dueOf, fieldOf, plainParts, type PlainDisk, type PlainParts, type Row } from './plain-parts.ts';

/** What a fault replaces, given the disk and the whole. */
export type PlainFault = (parts: PlainParts, disk: PlainDisk, own: () => PlainParts) => Partial<PlainParts>;

const listRows = (parts: PlainParts, disk: PlainDisk, name: IndexName, query: IndexQuery): readonly Row[] => {
  const spec = indexSpec(name);
  const { of, after, limit } = query;
  return [...disk.rows.values()]
    .filter(({ table, row }) => table === spec.table && parts.belongs(spec, row, of))
    .map(({ row }) => ({ row, place: { order: Number(fieldOf(row, spec.order)), id: row.id } }))
    .filter(({ place }) => after === undefined || parts.isAfter(place, after))
    .toSorted((a, b) => (parts.comesFirst(a.place, b.place) ? -1 : 1))
    .slice(0, limit)
    .map(({ row }) => structuredClone(row));
};

const scanRows = (parts: PlainParts, disk: PlainDisk, name: TableName, query: ScanQuery): readonly Row[] =>
  [...disk.rows.values()]
    .filter(({ table, row }) => table === name && parts.isScanned(row, query))
    .map(({ row }) => structuredClone(row))
    .toSorted((one, other) => (parts.isScannedFirst(one.id, other.id) ? -1 : 1))
    .slice(0, query.limit);

const claimRows = async (parts: PlainParts, disk: PlainDisk, query: ClaimQuery): Promise<readonly Row[]> => {
  const nowMs = parts.now();
  const due = [...disk.rows.entries()].filter(
    ([, { table, row }]) => table === query.table && parts.isDue(dueOf(row), nowMs),
  );
  const picked = new Set(
    parts.pickDue(
      due.map(([, { row }]) => row),
      query,
    ),
  );
  if (parts.pauseInClaim !== undefined) await parts.pauseInClaim();
  return due
    .filter(([, { row }]) => picked.has(row))
    .map(([key, { table, row }]) => {
      const leased = parts.lease(row, query, nowMs);
      disk.rows.set(key, { table, row: leased });
      return structuredClone(parts.claimed(row, leased));
    });
};

/** Steps that wait are carried together after the present round of events. */
const createQueue = (parts: PlainParts) => {
  let waiting: QueuedStep[] = [];
  let idle: Promise<void> = Promise.resolve();
  const carryWaiting = (): void => {
    const steps = waiting;
    waiting = [];
    parts.carryAll(steps);
  };
  return {
    idle: () => idle,
    submit: (step: QueuedStep): void => {
      if (waiting.length >= parts.stepsWaitingMax) {
        step.reject(Object.assign(new Error('too many steps wait'), { code: storageBusyCode }));
        return;
      }
      parts.submitted(step);
      if (waiting.push(step) > 1) return;
      idle = new Promise((resolve) => {
        setImmediate(() => {
          carryWaiting();
          setImmediate(resolve);
        });
      });
    },
  };
};

const plainBlobs = (parts: PlainParts): BlobStore => ({
  put: async (key, bytes) => parts.putBlob(parts.blobPlace(key), bytes),
  get: async (key) => parts.getBlob(parts.blobPlace(key)),
  putStream: async (key, chunks) => parts.putChunks(parts.blobPlace(key), chunks),
  getStream: async (key, range) => {
    const bytes = parts.getBlob(parts.blobPlace(key));
    return bytes && parts.stream(bytes, range);
  },
  delete: async (key) => parts.deleteBlob(parts.blobPlace(key)),
});

const plainVectors = (parts: PlainParts, disk: PlainDisk, guard: () => void): VectorIndex => ({
  put: async (chunks) => {
    guard();
    parts.checkPut(chunks);
    parts.putChunksOf(chunks);
  },
  search: async (query) => {
    guard();
    parts.checkSearch(query);
    const vector = parts.direction(query.vector);
    const searched = [...disk.chunks.values()].filter((chunk) => parts.isSearched(query, chunk));
    for (const chunk of searched) parts.checkLength(chunk.vector.length, vector);
    return searched
      .slice(0, parts.searchedMax)
      .map((chunk) => parts.found(chunk, vector))
      .toSorted((a, b) => (parts.isNearer(a, b) ? -1 : 1))
      .slice(0, query.limit);
  },
  remove: async (documentId) => {
    guard();
    for (const [key, chunk] of disk.chunks) if (parts.isRemoved(chunk, documentId)) disk.chunks.delete(key);
  },
});

const rowsOf = <T extends TableName>(disk: PlainDisk, name: T) =>
  recordsOfTable<T>([...disk.rows.values()].flatMap(({ table, row }) => (table === name ? [row] : [])));

/** The parts of a right storage, of which the fault has replaced some. */
const partsWith = (disk: PlainDisk, now: () => number, fault: PlainFault): PlainParts => {
  const right: PlainParts = plainParts(disk, now, () => parts);
  const parts: PlainParts = { ...right, ...fault(right, disk, () => parts) };
  return parts;
};

/** The same on a database that acknowledges commits before they are durable. */
export const plainStorageOnUnsafe = async (disk: PlainDisk, now: () => number, fault: PlainFault): Promise<Storage> => {
  if (partsWith(disk, now, fault).checksDurability) throw new Error('commits of this database are not durable');
  return plainStorage(disk, now, fault);
};

/** The simplest right storage there is, with a fault of one's choice built in. */
export const plainStorage = (disk: PlainDisk, now: () => number, fault: PlainFault): Storage => {
  const parts = partsWith(disk, now, fault);
  const queue = createQueue(parts);
  let closed = false;
  const guard = (): void => {
    if (closed && parts.refusesWhenClosed) throw new Error('the storage is closed');
  };
  return {
    transact: async (keys, decide) => {
      guard();
      parts.checkKeys(keys);
      return new Promise((resolve, reject) => {
        // The answer handed to `resolve` is what this very `decide` returned.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        queue.submit({ keys, decide, resolve: resolve as (answer: unknown) => void, reject });
      });
    },
    read: async (keys) => {
      guard();
      parts.checkKeys(keys);
      if (parts.pauseInRead !== undefined) await parts.pauseInRead();
      return parts.view(keys, (key) => parts.find(key.table, key.id));
    },
    list: async <I extends IndexName>(index: I, query: IndexQuery) => {
      guard();
      parts.checkLimit(query.limit);
      return recordsOfTable<IndexTable<I>>(listRows(parts, disk, index, query));
    },
    scan: async (table, query) => {
      guard();
      parts.checkScan(table, query);
      return recordsOfTable<typeof table>(scanRows(parts, disk, table, query));
    },
    claim: async <T extends ClaimableTable>(query: ClaimQuery & { readonly table: T }) => {
      guard();
      parts.checkLimit(query.limit);
      return recordsOfTable<T>(await claimRows(parts, disk, query));
    },
    sumUsage: async (query) => {
      guard();
      parts.checkUsageQuery(query);
      return parts.sumUsage(query, rowsOf(disk, query.rollUp), rowsOf(disk, 'usageLine'));
    },
    blobs: plainBlobs(parts),
    vectors: plainVectors(parts, disk, guard),
    close: async () => {
      closed = true;
      parts.closing();
      if (parts.waitsOnClosing) await queue.idle();
    },
  };
};
