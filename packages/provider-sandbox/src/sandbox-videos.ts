import {
  NotExecuted,
  type CallContext,
  type GeneratedVideos,
  type ProviderJobs,
  type Usage,
  type VideoCall,
} from '@tollgate/provider';
import { conduct, type SandboxWorld } from './conduct.ts';
import { parseDirectives, withoutDirectives, type Directive } from './directives.ts';
import { digestOf, mp4Video, type VideoPart } from './mp4-video.ts';
import { toldCounts, usageOf } from './sandbox-usage.ts';
import { videoSize } from './video-size.ts';

/** All that there is to know of a job or of a video, so that any process can go on with it. */
interface VideoState {
  readonly width: number;
  readonly height: number;
  readonly parts: readonly VideoPart[];
}

interface VideoJob extends VideoState {
  /** Questions that are answered with "it goes on" before it is done. */
  readonly polls: number;
  readonly filtered: boolean;
  readonly usage: readonly Usage[];
}

const secondsDefault = 8;
/** What one extension adds. */
const extensionSeconds = 7;
/** Of one video, with everything that it continues. */
const secondsMax = 600;

const encode = (state: VideoState): string => Buffer.from(JSON.stringify(state)).toString('base64url');

const isState = (value: unknown): value is VideoState =>
  typeof value === 'object' && value !== null && 'parts' in value && Array.isArray(value.parts) && 'width' in value;

const decode = (text: string): VideoState | undefined => {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return isState(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const invalid = (why: string): NotExecuted => new NotExecuted({ reason: 'invalid_request', cause: new Error(why) });

/** Reads every medium to its end, as an upstream does, and returns a digest of all that the video is made of. */
const digestOfCall = async (call: VideoCall): Promise<string> => {
  const media = [call.image, call.lastFrame, ...(call.references ?? []).map((one) => one.media)];
  const texts = [withoutDirectives(call.prompt ?? ''), call.negativePrompt ?? '', String(call.seed ?? '')];
  for (const one of media) {
    if (one === undefined) continue;
    if (one.kind === 'media') texts.push(one.data);
    else for await (const chunk of one.read()) texts.push(digestOf(Buffer.from(chunk).toString('base64')));
  }
  return digestOf(texts.join('\n'));
};

const sourceOf = ({ extends: continued }: VideoCall): VideoState | undefined => {
  if (continued === undefined) return undefined;
  const source = continued.reference === null ? undefined : decode(continued.reference);
  if (source === undefined)
    throw new NotExecuted({ reason: 'unsupported', cause: 'a video of another provider cannot be continued' });
  return source;
};

const measured = (directives: readonly Directive[], seconds: number): readonly Usage[] => {
  if (directives.some(({ kind }) => kind === 'unknown-usage')) return [];
  return usageOf(toldCounts(directives, []) ?? new Map([['video_seconds', seconds]]));
};

const begin = async (call: VideoCall, directives: readonly Directive[]): Promise<VideoJob> => {
  const source = sourceOf(call);
  const seconds = call.durationSeconds ?? (source === undefined ? secondsDefault : extensionSeconds);
  const size = source ?? videoSize(call);
  if (size === undefined) throw invalid('there is no such size');
  const parts = [...(source?.parts ?? []), { digest: await digestOfCall(call), seconds }];
  if (parts.reduce((sum, part) => sum + part.seconds, 0) > secondsMax) throw invalid('the video is too long');
  const polls = directives.find((directive) => directive.kind === 'polls');
  return {
    width: size.width,
    height: size.height,
    parts,
    polls: polls?.count ?? 0,
    filtered: directives.some(({ kind }) => kind === 'filter'),
    usage: measured(directives, seconds),
  };
};

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}

const finished = ({ width, height, parts, usage }: VideoJob): GeneratedVideos => ({
  videos: [
    {
      mimeType: 'video/mp4',
      read: () => oneChunk(mp4Video({ width, height }, parts)),
      reference: encode({ width, height, parts }),
    },
  ],
  usage,
});

const isJob = (state: VideoState): state is VideoJob => 'polls' in state && 'usage' in state;

const askedOnce = (job: VideoJob): VideoJob => ({ ...job, polls: job.polls - 1 });

const readJob = (text: string): VideoJob => {
  const job = decode(text);
  if (job !== undefined && isJob(job)) return job;
  throw new NotExecuted({ reason: 'failed', cause: new Error('there is no such job') });
};

/**
 * Videos of the sandbox: real MP4 files of coloured blocks that move, done at the first question unless the prompt says otherwise.
 * A job holds all that there is to know of it, so that any process can ask for it.
 */
export const sandboxVideos = (world: SandboxWorld): ProviderJobs<VideoCall, GeneratedVideos> => ({
  start: (call: VideoCall, context: CallContext) => {
    const directives = parseDirectives(call.prompt ?? '', 'video');
    return conduct({ world, context, directives }, async () => ({ job: encode(await begin(call, directives)) }));
  },
  poll: (text: string, context: CallContext) =>
    conduct({ world, context, directives: [] }, () => {
      const job = readJob(text);
      if (job.polls > 0) return { kind: 'running' as const, job: encode(askedOnce(job)) };
      // As upstreams do: every video that was made is held back, and nothing is charged.
      if (job.filtered) throw new NotExecuted({ reason: 'failed', cause: new Error('the content was refused') });
      return { kind: 'done' as const, result: finished(job) };
    }),
});
