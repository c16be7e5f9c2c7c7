import { NotExecuted, type BatchResult, type JobProgress, type Provider } from '@tollgate/provider';
import type { ProviderFault } from '../provider-fault.ts';

type Batches = NonNullable<Provider['batches']>;
type Caches = NonNullable<Provider['caches']>;

const batching =
  (change: (batches: Batches) => Partial<Batches>): ProviderFault['wrap'] =>
  (right) =>
    right.batches === undefined ? right : { ...right, batches: { ...right.batches, ...change(right.batches) } };

const keeping =
  (change: (caches: Caches) => Partial<Caches>): ProviderFault['wrap'] =>
  (right) =>
    right.caches === undefined ? right : { ...right, caches: { ...right.caches, ...change(right.caches) } };

const answering = (change: (progress: JobProgress<BatchResult>) => JobProgress<BatchResult>) =>
  batching(({ poll }) => ({ poll: async (job, context) => change(await poll(job, context)) }));

const found = 'batches: names a job by which each item is found by its key, with its usage';

const releasing = batching(({ poll }) => ({
  poll: (job, context) =>
    poll(job, context).catch((cause: unknown) => {
      throw new NotExecuted({ reason: 'failed', cause });
    }),
}));

/** What only taking batches and keeping caches can do wrong. */
export const keepingFaults: readonly ProviderFault[] = [
  {
    name: 'forgets an item of a batch',
    failsCase: found,
    wrap: answering((progress) =>
      progress.kind === 'done' ? { kind: 'done', result: { items: progress.result.items.slice(1) } } : progress,
    ),
  },
  {
    name: 'is done with a batch before the upstream is',
    failsCase: 'batches: says that a job goes on until it is done',
    wrap: answering((progress) => (progress.kind === 'done' ? progress : { kind: 'done', result: { items: [] } })),
  },
  {
    name: 'cancels an item that failed',
    failsCase: 'batches: tells an item that failed, and returns the others',
    wrap: answering((progress) =>
      progress.kind === 'done'
        ? {
            kind: 'done',
            result: {
              items: progress.result.items.map((item) =>
                item.kind === 'failed' ? { key: item.key, kind: 'cancelled' } : item,
              ),
            },
          }
        : progress,
    ),
  },
  {
    name: 'takes a lost question for a batch that failed',
    failsCase: 'batches: does not take a question that was not answered for a job that failed',
    wrap: releasing,
  },
  {
    name: 'takes a refused question for a batch that failed',
    failsCase: 'batches: does not take a question that was refused for a job that failed',
    wrap: releasing,
  },
  {
    name: 'forgets the cache of a call',
    failsCase: 'caches: names the cache of a call to the upstream',
    wrap: (right) => ({
      ...right,
      generate: ({ cached: _, ...call }, context) =>
        right.generate?.(call, context) ?? Promise.reject(new Error('it cannot')),
    }),
  },
  {
    name: 'does not measure the creation of a cache',
    failsCase: 'caches: notes a cache, and measures what it holds',
    wrap: keeping(({ create }) => ({
      create: async (call, context) => ({ ...(await create(call, context)), usage: [] }),
    })),
  },
  {
    name: 'minds a cache that is gone',
    failsCase: 'caches: finds a cache by its note, and minds none that is gone when it is removed',
    wrap: (right) => {
      const gone = new Set<string>();
      return keeping(({ remove }) => ({
        remove: async (reference, context) => {
          if (gone.has(reference)) throw new Error('gone already');
          gone.add(reference);
          await remove(reference, context);
        },
      }))(right);
    },
  },
];
