import {
  storageBusyCode,
  type BlobStore,
  type Decide,
  type Key,
  type Storage,
  type VectorIndex,
} from '@tollgate/storage';

/** For how long a cell that failed is not asked. */
const restMs = 1_000;

/** A storage, and whether it is left alone because it failed. */
export interface GuardedStorage {
  readonly storage: Storage;
  isResting(): boolean;
}

const refused = (name: string, cause: unknown): Error =>
  Object.assign(new Error(`the cell ${name} does not respond`, { cause }), { code: storageBusyCode, cell: name });

const isBusy = (cause: unknown): boolean => cause instanceof Error && 'code' in cause && cause.code === storageBusyCode;

/** A read that no storage has a reason to refuse. */
const probeKey: Key = { table: 'setting', id: 'cells:probe' };

/** Whether a cell responds, and what is done with a call meanwhile. */
const createWatch = (name: string, storage: Storage, monotonicMs: () => number) => {
  let rest: { readonly untilMs: number; readonly cause: unknown } | null = null;
  let probing: Promise<boolean> | null = null;
  const isResting = (): boolean => rest !== null && rest.untilMs > monotonicMs();
  const failed = (cause: unknown): boolean => {
    rest = { untilMs: monotonicMs() + restMs, cause };
    return true;
  };
  /** Whether a failure is one of the storage, and not of what was asked: a client must not bring a cell to rest. */
  const isAway = (): Promise<boolean> => {
    probing ??= storage
      .read([probeKey])
      .then(() => false, failed)
      .finally(() => {
        probing = null;
      });
    return probing;
  };
  /** Runs a call that may be carried out though it fails, and looks whether the cell is away where it does. */
  const sending = async <T>(call: () => Promise<T>): Promise<T> => {
    if (isResting()) throw refused(name, rest?.cause);
    try {
      return await call();
    } catch (cause) {
      if (!isBusy(cause)) await isAway();
      throw cause;
    }
  };
  /** Runs a call that changes nothing. */
  const asking = async <T>(call: () => Promise<T>): Promise<T> => {
    try {
      return await sending(call);
    } catch (cause) {
      throw isResting() && !isBusy(cause) ? refused(name, cause) : cause;
    }
  };
  return { isResting, sending, asking };
};

type Watch = ReturnType<typeof createWatch>;

const guardBlobs = ({ sending, asking }: Watch, blobs: BlobStore): BlobStore => ({
  put: (key, bytes) => sending(() => blobs.put(key, bytes)),
  get: (key) => asking(() => blobs.get(key)),
  putStream: (key, chunks) => sending(() => blobs.putStream(key, chunks)),
  getStream: (key, range) => asking(() => blobs.getStream(key, range)),
  delete: (key) => sending(() => blobs.delete(key)),
});

const guardVectors = ({ sending, asking }: Watch, vectors: VectorIndex): VectorIndex => ({
  put: (chunks) => sending(() => vectors.put(chunks)),
  search: (query) => asking(() => vectors.search(query)),
  remove: (documentId) => sending(() => vectors.remove(documentId)),
});

/** What a step came to: `own` where its decision threw. */
type Outcome<T> = { readonly kind: 'done'; readonly answer: T } | { readonly kind: 'own'; readonly cause: unknown };

const attempt = async <T>(storage: Storage, keys: readonly Key[], decide: Decide<T>): Promise<Outcome<T>> => {
  let thrown: { readonly cause: unknown } | null = null;
  try {
    const answer = await storage.transact(keys, (records, nowMs) => {
      thrown = null;
      try {
        return decide(records, nowMs);
      } catch (cause) {
        thrown = { cause };
        throw cause;
      }
    });
    return { kind: 'done', answer };
  } catch (cause) {
    if (thrown !== null) return { kind: 'own', cause };
    throw cause;
  }
};

/**
 * A cell that is left alone for a second after it did not respond: what comes meanwhile is refused with `storage_busy`, since nothing
 * is written, instead of waiting for it. So is what was read when that was noticed. A step or a claim that was sent keeps its own error,
 * since it may have been carried out.
 */
export const guardCell = (name: string, storage: Storage, monotonicMs: () => number): GuardedStorage => {
  const watch = createWatch(name, storage, monotonicMs);
  const { isResting, sending, asking } = watch;
  return {
    isResting,
    storage: {
      transact: async (keys, decide) => {
        const outcome = await sending(() => attempt(storage, keys, decide));
        if (outcome.kind === 'own') throw outcome.cause;
        return outcome.answer;
      },
      read: (keys) => asking(() => storage.read(keys)),
      list: (index, query) => asking(() => storage.list(index, query)),
      scan: (table, query) => asking(() => storage.scan(table, query)),
      claim: (query) => sending(() => storage.claim(query)),
      sumUsage: (query) => asking(() => storage.sumUsage(query)),
      blobs: guardBlobs(watch, storage.blobs),
      vectors: guardVectors(watch, storage.vectors),
      close: () => storage.close(),
    },
  };
};
