import assert from 'node:assert/strict';
import type { CallContext, GeneratedVideos, JobProgress, ProviderJobs, VideoCall } from '@tollgate/provider';
import { checkUsage } from '../generation-checks.ts';
import type { ProviderCase } from '../provider-case.ts';
import {
  answered,
  checkSecrets,
  freeze,
  refusalOf,
  runCall,
  type ProviderRun,
  type Watching,
} from '../provider-run.ts';
import { pollCases } from './poll-cases.ts';
import type { ProviderUnderTest, VideoScenario } from '../provider-under-test.ts';

type Jobs = ProviderJobs<VideoCall, GeneratedVideos>;

const baseVideoCall: VideoCall = {
  operationId: '44444444-4444-4444-8444-444444444444',
  upstreamModel: 'model-under-test',
  prompt: 'A lighthouse in a storm.',
  durationSeconds: 8,
  resolution: '720p',
  aspectRatio: '16:9',
};

/** Polls after which a job that goes on counts as one without end. */
const pollsMax = 20;

const jobsOf = ({ provider }: ProviderUnderTest): Jobs => {
  assert.ok(provider.videos !== undefined, 'the provider makes videos');
  return provider.videos;
};

/** Arranges the scenario and begins a video, with a call that the provider may not change. */
export const runVideo = (
  underTest: ProviderUnderTest,
  scenario: VideoScenario,
  watching: Watching = {},
): Promise<ProviderRun<{ readonly job: string }>> => {
  assert.ok(underTest.arrangeVideo !== undefined, 'videos can be arranged');
  const call = freeze(underTest.arrangeVideo(scenario, baseVideoCall));
  return runCall(underTest, watching, (context: CallContext) => jobsOf(underTest).start(call, context));
};

const begun = async (underTest: ProviderUnderTest, scenario: VideoScenario): Promise<string> => {
  const { job } = answered(await runVideo(underTest, scenario));
  assert.ok(typeof job === 'string' && job !== '', 'a job is named by a text');
  return job;
};

const ask = (underTest: ProviderUnderTest, job: string): Promise<ProviderRun<JobProgress<GeneratedVideos>>> =>
  runCall(underTest, {}, (context) => jobsOf(underTest).poll(job, context));

/** Asks until the job is done; returns what it came to and how often it was still running. */
const askToTheEnd = async (underTest: ProviderUnderTest, begunJob: string) => {
  let job = begunJob;
  for (let running = 0; running < pollsMax; running += 1) {
    const progress = answered(await ask(underTest, job));
    if (progress.kind === 'done') return { result: progress.result, running };
    assert.ok(progress.afterMs === undefined || progress.afterMs >= 0, 'a wait is a time');
    job = progress.job ?? job;
  }
  throw new assert.AssertionError({ message: 'a job has no end' });
};

const bytesOf = async (chunks: AsyncIterable<Uint8Array>): Promise<number> => {
  let bytes = 0;
  for await (const chunk of chunks) bytes += chunk.length;
  return bytes;
};

/** What making videos owes beside the conduct of its beginning. */
export const videoCases: readonly ProviderCase[] = [
  {
    title: 'videos: names a job by which its video is found, with its bytes and its seconds',
    promise: 'P28',
    needs: ['videos'],
    run: async (underTest) => {
      const before = underTest.upstreamRequests();
      const { attempts } = await runVideo(underTest, 'done');
      assert.equal(attempts.length, underTest.upstreamRequests() - before);
      const { result } = await askToTheEnd(underTest, await begun(underTest, 'done'));
      assert.ok(result.videos.length > 0, 'there is no video');
      for (const video of result.videos) {
        assert.equal(video.mimeType, 'video/mp4');
        assert.ok((await bytesOf(video.read())) > 0, 'a video has no bytes');
      }
      checkUsage(result.usage);
      assert.ok(
        result.usage.some(({ unit, quantity }) => unit === 'video_seconds' && quantity > 0),
        'no seconds are measured',
      );
    },
  },
  {
    title: 'videos: says that a job goes on until it is done',
    promise: 'P28',
    needs: ['videos'],
    run: async (underTest) => {
      const { running } = await askToTheEnd(underTest, await begun(underTest, 'running'));
      assert.equal(running, 2);
    },
  },
  {
    title:
      'videos: measures nothing by itself where the upstream says nothing, unless what was asked for is the measure',
    promise: 'P30',
    needs: ['videos'],
    run: async (underTest) => {
      const { result } = await askToTheEnd(underTest, await begun(underTest, 'missing_usage'));
      const { result: done } = await askToTheEnd(underTest, await begun(underTest, 'done'));
      if (result.usage.length > 0) assert.deepEqual(result.usage, done.usage);
    },
  },
  {
    title: 'videos: tells a job that failed as certain non-execution, in its own words',
    promise: 'P29',
    needs: ['videos'],
    run: async (underTest) => {
      const run = await ask(underTest, await begun(underTest, 'job_failed'));
      const refusal = refusalOf(run);
      assert.equal(refusal.reason, 'failed');
      checkSecrets(refusal, underTest.secrets);
      assert.ok(run.attempts.length > 0, 'no attempt is recorded');
    },
  },
  ...pollCases({
    prefix: 'videos: ',
    needs: ['videos'],
    begin: begun,
    poll: (underTest, job, context) => jobsOf(underTest).poll(job, context),
  }),
];
