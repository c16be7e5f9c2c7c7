import { NotExecuted, type GenerationCall, type Generation, type Provider } from '@tollgate/provider';
import type { Life } from '../life.ts';
import { answer, refuse, takeOn, type HandOver } from './hand-over.ts';
import { batchesOf, type BatchJobs } from './upstream-batches.ts';
import type { WorkWorld } from './work-world.ts';

/** An upstream that counts: it takes on whatever it is handed, as often as it is. */
export interface Upstream {
  readonly handOvers: HandOver[];
  readonly jobs: Map<string, { readonly handOver: HandOver; pollsLeft: number }>;
  readonly batches: BatchJobs;
}

export const createUpstream = (): Upstream => ({ handOvers: [], jobs: new Map(), batches: new Map() });

async function* videoBytes(): AsyncGenerator<Uint8Array> {
  yield Uint8Array.of(1, 2, 3);
}

const jobsOf = (world: WorkWorld, life: Life): NonNullable<Provider['videos']> => ({
  start: async ({ operationId }) => {
    const script = world.nextScript('video');
    const handOver = takeOn(world, life, operationId, script);
    const job = `job-${world.upstream.handOvers.length}`;
    world.upstream.jobs.set(job, { handOver, pollsLeft: 'pollsBefore' in script ? script.pollsBefore : 0 });
    await answer(world, life, handOver);
    refuse(script);
    return { job };
  },
  poll: async (job) => {
    const known = world.upstream.jobs.get(job);
    if (known === undefined) throw new Error('a job that nobody has begun');
    await answer(world, life, null);
    // A question that is not answered says nothing of the job.
    if (!world.over && world.random.below(100) < world.setup.faultPercent) throw new Error('no answer');
    known.pollsLeft -= 1;
    if (known.pollsLeft >= 0) return { kind: 'running' };
    const { script } = known.handOver;
    if (script.kind !== 'answers') throw new NotExecuted({ reason: 'failed' });
    const videos = [{ mimeType: 'video/mp4', read: videoBytes, reference: null }];
    return { kind: 'done', result: { videos, usage: script.usage } };
  },
});

const generate = async (world: WorkWorld, life: Life, { operationId }: GenerationCall): Promise<Generation> => {
  const script = world.nextScript('item');
  const handOver = takeOn(world, life, operationId, script);
  await answer(world, life, handOver);
  refuse(script);
  const usage = script.kind === 'answers' ? script.usage : [];
  return { text: 'an answer', functionCalls: [], finish: 'stop', usage };
};

/** The upstream as one process sees it. */
export const upstreamOf = (world: WorkWorld, life: Life): Provider => ({
  name: 'witness',
  generate: (call) => generate(world, life, call),
  videos: jobsOf(world, life),
  ...(world.setup.batches === 'items' ? {} : { batches: batchesOf(world, life, world.upstream.batches) }),
});
