import { NotExecuted, type GeneratedVideos, type JobProgress, type Provider } from '@tollgate/provider';
import type { ProviderFault } from '../provider-fault.ts';

type Videos = NonNullable<Provider['videos']>;

const making =
  (change: (videos: Videos) => Partial<Videos>): ProviderFault['wrap'] =>
  (right) =>
    right.videos === undefined ? right : { ...right, videos: { ...right.videos, ...change(right.videos) } };

const answering = (change: (progress: JobProgress<GeneratedVideos>) => JobProgress<GeneratedVideos>) =>
  making(({ poll }) => ({ poll: async (job, context) => change(await poll(job, context)) }));

const result = (change: (result: GeneratedVideos) => GeneratedVideos) =>
  answering((progress) => (progress.kind === 'done' ? { kind: 'done', result: change(progress.result) } : progress));

async function* nothing(): AsyncGenerator<Uint8Array> {}

const found = 'videos: names a job by which its video is found, with its bytes and its seconds';

/** What only making videos can do wrong. */
export const videoFaults: readonly ProviderFault[] = [
  {
    name: 'names no job',
    failsCase: found,
    wrap: making(({ start }) => ({
      start: async (call, context) => {
        await start(call, context);
        return { job: '' };
      },
    })),
  },
  {
    name: 'hands out a video without bytes',
    failsCase: found,
    wrap: result((right) => ({ ...right, videos: right.videos.map((video) => ({ ...video, read: nothing })) })),
  },
  {
    name: 'is done before the upstream is',
    failsCase: 'videos: says that a job goes on until it is done',
    wrap: answering((progress) =>
      progress.kind === 'done' ? progress : { kind: 'done', result: { videos: [], usage: [] } },
    ),
  },
  {
    name: 'invents a measure of a video',
    failsCase:
      'videos: measures nothing by itself where the upstream says nothing, unless what was asked for is the measure',
    wrap: result((right) =>
      right.usage.length > 0 ? right : { ...right, usage: [{ unit: 'video_seconds', quantity: 1, confirmed: true }] },
    ),
  },
  {
    name: 'asks for ever for a job that failed',
    failsCase: 'videos: tells a job that failed as certain non-execution, in its own words',
    wrap: making(({ poll }) => ({
      poll: (job, context) => poll(job, context).catch(() => ({ kind: 'running' as const })),
    })),
  },
  {
    name: 'takes a lost question for a job that failed',
    failsCase: 'videos: does not take a question that was not answered for a job that failed',
    wrap: making(({ poll }) => ({
      poll: (job, context) =>
        poll(job, context).catch((cause: unknown) => {
          throw new NotExecuted({ reason: 'failed', cause });
        }),
    })),
  },
  {
    name: 'takes a refused question for a job that failed',
    failsCase: 'videos: does not take a question that was refused for a job that failed',
    wrap: making(({ poll }) => ({
      poll: (job, context) =>
        poll(job, context).catch((cause: unknown) => {
          throw new NotExecuted({ reason: 'failed', cause });
        }),
    })),
  },
];
