import { NotExecuted, type BatchCall, type BatchResult, type BatchResultItem, type Provider } from '@tollgate/provider';
import type { Life } from '../life.ts';
import { answer, refuse, takeOn, type HandOver } from './hand-over.ts';
import type { UpstreamScript } from './upstream-script.ts';
import type { WorkWorld } from './work-world.ts';

/** An item that the upstream was handed with its batch. */
interface BatchItem {
  readonly key: string;
  readonly handOver: HandOver;
}

interface BatchJob {
  readonly script: UpstreamScript;
  readonly items: readonly BatchItem[];
  pollsLeft: number;
  cancelled: boolean;
}

type Batches = NonNullable<Provider['batches']>;

const beginItems = (
  world: WorkWorld,
  life: Life,
  { items }: BatchCall,
  script: UpstreamScript,
): readonly BatchItem[] => {
  const runs = script.kind === 'answers' || (script.kind === 'unknown' && script.ran);
  if (!runs) return [];
  return items.map(({ key, call }) => {
    const handOver: HandOver = { of: call.operationId, life, script: world.nextScript('item'), answered: true };
    world.upstream.handOvers.push(handOver);
    return { key, handOver };
  });
};

const neverBegun: UpstreamScript = { kind: 'not_executed', reason: 'cancelled' };

/** Every other item was not begun when the upstream was asked to stop. */
const stop = (world: WorkWorld, job: BatchJob): readonly BatchItem[] =>
  job.items.map((item, place) => {
    if (!job.cancelled || place % 2 === 0) return item;
    const handOver: HandOver = { ...item.handOver, script: neverBegun };
    const at = world.upstream.handOvers.indexOf(item.handOver);
    if (at >= 0) world.upstream.handOvers[at] = handOver;
    return { ...item, handOver };
  });

const resultOf = ({ key, handOver: { script } }: BatchItem): readonly BatchResultItem[] => {
  switch (script.kind) {
    case 'answers': {
      const generation = { text: 'an answer', functionCalls: [], finish: 'stop', usage: script.usage } as const;
      return [{ key, kind: 'generation', generation }];
    }
    case 'not_executed':
      return [script === neverBegun ? { key, kind: 'cancelled' } : { key, kind: 'failed', reason: script.reason }];
    case 'fails':
    case 'unknown':
      // The upstream says nothing of it.
      return [];
  }
};

/** An upstream that takes whole batches on; each result is reported once and for good. */
export const batchesOf = (
  world: WorkWorld,
  life: Life,
  jobs: Map<string, BatchJob & { result?: BatchResult }>,
): Batches => {
  const find = (name: string) => {
    const job = jobs.get(name);
    if (job === undefined) throw new Error('a batch that nobody has begun');
    return job;
  };
  return {
    start: async (call) => {
      const script = world.nextScript('batch');
      const handOver = takeOn(world, life, call.operationId, script);
      const name = `batch-${world.upstream.handOvers.length}`;
      const pollsLeft = 'pollsBefore' in script ? script.pollsBefore : 0;
      jobs.set(name, { script, items: beginItems(world, life, call, script), pollsLeft, cancelled: false });
      await answer(world, life, handOver);
      refuse(script);
      return { job: name };
    },
    poll: async (name) => {
      const job = find(name);
      await answer(world, life, null);
      if (!world.over && world.random.below(100) < world.setup.faultPercent) throw new Error('no answer');
      job.pollsLeft -= 1;
      if (job.pollsLeft >= 0) return { kind: 'running' };
      if (job.script.kind !== 'answers') throw new NotExecuted({ reason: 'failed' });
      job.result ??= { items: stop(world, job).flatMap(resultOf) };
      return { kind: 'done', result: job.result };
    },
    cancel: async (name) => {
      const job = find(name);
      await answer(world, life, null);
      if (job.result === undefined) job.cancelled = true;
    },
  };
};

export type BatchJobs = Parameters<typeof batchesOf>[2];
