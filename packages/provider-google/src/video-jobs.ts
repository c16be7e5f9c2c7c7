import {
  asArray,
  asCount,
  asObject,
  asText,
  type CallContext,
  type GeneratedVideos,
  type JobProgress,
  NotExecuted,
  type ProviderJobs,
  UnknownOutcome,
  type UntrustedObject,
  type VideoCall,
} from '@tollgate/provider';
import { encodeJson } from '@tollgate/provider-http';
import { askAfter, handOver, parseJob } from './ask-upstream.ts';
import { download } from './download.ts';
import { failedWork } from './operation-error.ts';
import { cannotMake, toGoogleVideo } from './to-google-video.ts';
import { modelPath, servicePath, type Upstream } from './upstream.ts';

/** How long the upstream's videos are where no length is requested, and by how much it continues one. */
const secondsDefault = 8;
const secondsContinued = 7;

const start = async (upstream: Upstream, call: VideoCall, context: CallContext): Promise<{ readonly job: string }> => {
  const obstacle = cannotMake(call);
  if (obstacle !== undefined) throw new NotExecuted({ reason: 'unsupported', cause: obstacle });
  const path = servicePath(upstream, `${encodeURI(modelPath(call.upstreamModel))}:predictLongRunning`);
  const operation = await handOver(upstream, { method: 'POST', path, body: encodeJson(toGoogleVideo(call)), context });
  const name = asText(operation['name']);
  if (name === undefined) throw new UnknownOutcome('unreadable_answer');
  const seconds = call.durationSeconds ?? (call.extends === undefined ? secondsDefault : secondsContinued);
  return { job: JSON.stringify({ name, seconds }) };
};

/** Addresses of the videos; none where all of them were withheld. */
const urisOf = (operation: UntrustedObject): readonly string[] => {
  const response = asObject(asObject(operation['response'])?.['generateVideoResponse']);
  const uris = asArray(response?.['generatedSamples']).flatMap(
    (sample) => asText(asObject(asObject(sample)?.['video'])?.['uri']) ?? [],
  );
  if (uris.length > 0) return uris;
  const count = asCount(response?.['raiMediaFilteredCount']) ?? 0;
  if (count === 0 && asArray(response?.['raiMediaFilteredReasons']).length === 0)
    throw new UnknownOutcome('unreadable_answer');
  throw new NotExecuted({ reason: 'failed', cause: response?.['raiMediaFilteredReasons'] });
};

const poll = async (upstream: Upstream, job: string, context: CallContext): Promise<JobProgress<GeneratedVideos>> => {
  const { name, seconds } = parseJob(job);
  const operation = await askAfter(upstream, asText(name) ?? '', context);
  if (operation['done'] !== true) return { kind: 'running' };
  const { error } = operation;
  if (error !== undefined && error !== null) throw failedWork(error, upstream.apiKey);
  const uris = urisOf(operation);
  return {
    kind: 'done',
    result: {
      videos: uris.map((uri) => ({
        mimeType: 'video/mp4',
        read: () => download(upstream, uri, context),
        // By this address it can be continued.
        reference: uri,
      })),
      // The upstream says nothing of it: what was asked for is what it charges.
      usage: [{ unit: 'video_seconds', quantity: (asCount(seconds) ?? secondsDefault) * uris.length, confirmed: true }],
    },
  };
};

/** Videos, which the upstream makes in its own time. */
export const videoJobs = (open: () => Promise<Upstream>): ProviderJobs<VideoCall, GeneratedVideos> => ({
  start: async (call, context) => start(await open(), call, context),
  poll: async (job, context) => poll(await open(), job, context),
});
