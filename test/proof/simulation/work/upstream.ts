import { NotExecuted, type GenerationCall, type Generation, type Provider } from '@tollgate/provider';
import type { Life } from '../life.ts';
import { report } from '../stage.ts';
import type { UpstreamScript } from './upstream-script.ts';
import type { WorkWorld } from './work-world.ts';

/** One hand-over that reached the upstream: what an outside witness remembers for good. */
export interface HandOver {
  /** The video, or the item of a batch. */
  readonly of: string;
  readonly life: Life;
  readonly script: UpstreamScript;
  /** The upstream has done with the call, whoever heard. */
  answered: boolean;
}

/** An upstream that counts: it takes on whatever it is handed, as often as it is. */
export interface Upstream {
  readonly handOvers: HandOver[];
  readonly jobs: Map<string, { readonly handOver: HandOver; pollsLeft: number }>;
}

export const createUpstream = (): Upstream => ({ handOvers: [], jobs: new Map() });

/** What was handed over before must be known not to have run, and each hand-over needs a mark of its own. */
const takeOn = (world: WorkWorld, life: Life, of: string, script: UpstreamScript): HandOver => {
  const { handOvers } = world.upstream;
  const before = handOvers.filter((each) => each.of === of);
  if (before.some((each) => each.script.kind !== 'not_executed' || !each.answered))
    report(world, 'handed_over_once', `${of} was handed over again by ${life.name}`);
  if (before.length >= (world.marks.get(of) ?? 0))
    report(world, 'marked_before_the_hand_over', `${of} was handed over by ${life.name} without a mark`);
  const handOver: HandOver = { of, life, script, answered: false };
  handOvers.push(handOver);
  return handOver;
};

const answer = async (world: WorkWorld, life: Life, handOver: HandOver | null): Promise<void> => {
  if (!world.over) await new Promise<void>((fire) => world.scheduler.add({ kind: 'provider', life, fire }));
  if (handOver !== null) handOver.answered = true;
};

const refuse = (script: UpstreamScript): void => {
  if (script.kind === 'not_executed') throw new NotExecuted({ reason: script.reason });
  if (script.kind === 'unknown') throw new Error('the line to the upstream broke');
};

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
    const videos = [{ mimeType: 'video/mp4', read: videoBytes, note: null }];
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
});
