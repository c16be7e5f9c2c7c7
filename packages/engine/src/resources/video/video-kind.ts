import type { GeneratedVideos, ProviderJobs, VideoCall } from '@tollgate/provider';
import { withDeadline } from '../../workers/with-deadline.ts';
import type { Engine } from '../../engine.ts';
import { removePendingBlob } from '../../operations/pending-blobs.ts';
import { refuseUnbegun } from '../../workers/access-lost.ts';
import { callInTime } from '../../workers/call-in-time.ts';
import type { Work, WorkContext, WorkKind, WorkOutcome } from '../../workers/work-kind.ts';
import { isFailureReport, isTransient } from '../../workers/is-transient.ts';
import { keepMedium, type KeptMedium } from '../keep-media.ts';
import { blobKeysOf } from '../stored-media.ts';
import type { ModelRoute } from '../model-route.ts';
import { keptMedia } from './kept-media.ts';
import { toVideoCall } from './video-call.ts';
import { orderMedia, videoWork, type VideoWork } from './video-work.ts';

export interface VideoKindOptions {
  readonly engine: Engine;
  /** By public model id; null where none does now. */
  readonly findRoute: (model: string) => ModelRoute | null;
  /** Where a client downloads a video. */
  readonly contentUrl: (id: string, index: number) => string;
}

/** How long the blobs of an order are guarded, counted from its opening: longer than every video takes. */
export const videoOrderKeptMs = 24 * 3_600_000;
/** How long a video can be downloaded (limits:retention:media). */
const videoKeptMs = 48 * 3_600_000;
/** How long its result is shown. */
const videoResultKeptMs = 30 * 24 * 3_600_000;
/** The longest time of an upstream job, counted from its submission; then its outcome is unknown. */
const videoJobMs = 3 * 3_600_000;
const pollMs = 60_000;
/** How long one turn may copy. */
const copyMs = 900_000;
/** The first pause between two questions; each further one is half as long again, up to the longest. */
const firstPauseMs = 2_000;
const pauseMsMax = 30_000;
/** How often an upstream that is busy or away is asked to begin. */
const startTriesMax = 5;

type Jobs = ProviderJobs<VideoCall, GeneratedVideos>;
type Phase<P extends VideoWork['phase']> = Extract<VideoWork, { readonly phase: P }>;

/** One turn of work on one video. */
interface Turn {
  readonly options: VideoKindOptions;
  readonly work: Work;
  readonly context: WorkContext;
  readonly route: ModelRoute;
  readonly jobs: Jobs;
}

const pauseAfter = (polls: number): number => Math.min(firstPauseMs * 1.5 ** Math.min(polls, 20), pauseMsMax);

/** Nothing was executed, and the cause may pass: it is tried again, a few times. */
const startLater = (asked: Phase<'asked'>, cause: unknown): WorkOutcome => {
  const tries = asked.tries + 1;
  if (!isTransient(cause) || tries >= startTriesMax) throw cause;
  return {
    kind: 'later',
    afterMs: cause.retryAfterMs ?? pauseAfter(2 * tries),
    work: { ...asked, tries } satisfies VideoWork,
  };
};

const start = async (turn: Turn, asked: Phase<'asked'>): Promise<WorkOutcome> => {
  const { work, context, jobs, route } = turn;
  const { engine } = turn.options;
  const { name } = route.provider;
  const refused = await refuseUnbegun(context);
  if (refused !== null) return refused;
  const call = await toVideoCall(engine, work, asked.order, { provider: name, upstreamModel: route.upstreamModel });
  await context.checkpoint({ phase: 'submitting' } satisfies VideoWork);
  const callContext = context.callContext(name);
  let job: string;
  try {
    ({ job } = await callInTime(engine, callContext, engine.limits.executionMs, (each) => jobs.start(call, each)));
  } catch (cause) {
    return startLater(asked, cause);
  }
  const running: VideoWork = { phase: 'running', job, startedAtMs: work.operation.updatedAtMs, polls: 0 };
  await context.checkpoint(running);
  // Only now: a worker that dies before leaves them to the sweep.
  await removeBlobs(engine, blobKeysOf(orderMedia(asked.order)));
  return { kind: 'later', afterMs: firstPauseMs, work: running };
};

/** Copies every video before anything is settled: what the upstream forgets then is here. */
const copyAll = async (turn: Turn, { videos }: GeneratedVideos): Promise<readonly KeptMedium[]> => {
  const { work, context, options } = turn;
  const kept: KeptMedium[] = [];
  const copy = async (signal: AbortSignal): Promise<void> => {
    for (const [index, video] of videos.entries())
      kept.push(await keepMedium(options.engine, `videos/${work.operation.id}/${index}`, video, signal));
  };
  try {
    // What a copy has put must be known before it is removed: the wait goes on until the copy has heard its signal.
    await withDeadline(options.engine.clock, { ms: copyMs, signal: context.signal, grace: 'unlimited' }, copy);
    return kept;
  } catch (cause) {
    await removeBlobs(
      options.engine,
      kept.map(({ blobKey }) => blobKey),
    );
    throw cause;
  }
};

/** What is left over does no harm: the sweep deletes it in its time. */
const removeBlobs = async (engine: Engine, blobKeys: readonly string[]): Promise<void> => {
  const remove = (key: string): Promise<void> =>
    removePendingBlob(engine, key).catch((cause: unknown) =>
      engine.logger.warn('a blob was left to the sweep', { key, cause }),
    );
  await Promise.all(blobKeys.map(remove));
};

/** Where the client left the length to the upstream, the record shows what it came to. */
const shownLength = ({ resource }: Work, { videos, usage }: GeneratedVideos): Readonly<Record<string, unknown>> => {
  const { publicFields: shown } = resource;
  const asked = typeof shown === 'object' && shown !== null && 'duration_seconds' in shown && shown.duration_seconds;
  const seconds = usage.find(({ unit }) => unit === 'video_seconds')?.quantity;
  return asked !== null || seconds === undefined || videos.length === 0
    ? {}
    : { duration_seconds: seconds / videos.length };
};

const finish = async (turn: Turn, generated: GeneratedVideos): Promise<WorkOutcome> => {
  const { options, work, route } = turn;
  const { id } = work.operation;
  const media = await copyAll(turn, generated);
  const videos = media.map(({ mimeType }, index) => ({
    url: options.contentUrl(id, index),
    mime_type: mimeType,
    index,
  }));
  return {
    kind: 'done',
    usage: generated.usage,
    result: JSON.stringify({ videos }),
    closing: {
      availability: 'follows',
      publicFields: shownLength(work, generated),
      work: { phase: 'done', provider: route.provider.name, media } satisfies VideoWork,
      expiresAfterMs: videoKeptMs,
      blobs: media.map(({ blobKey }) => blobKey),
    },
  };
};

const askAgain = (turn: Turn, running: Phase<'running'>, cause: unknown): WorkOutcome => {
  const { work, options } = turn;
  options.engine.logger.warn('a video could not be checked or copied yet', { operationId: work.operation.id, cause });
  return { kind: 'later', afterMs: pauseAfter(running.polls), work: { ...running, polls: running.polls + 1 } };
};

const poll = async (turn: Turn, running: Phase<'running'>): Promise<WorkOutcome> => {
  const { work, context, jobs, route, options } = turn;
  if (work.operation.updatedAtMs - running.startedAtMs > videoJobMs)
    return { kind: 'unknown', cause: new Error('the upstream took longer than a video may') };
  const callContext = context.callContext(route.provider.name);
  try {
    const progress = await callInTime(options.engine, callContext, pollMs, (each) => jobs.poll(running.job, each));
    switch (progress.kind) {
      case 'done':
        return await finish(turn, progress.result);
      case 'running': {
        const { job = running.job, afterMs = pauseAfter(running.polls) } = progress;
        return { kind: 'later', afterMs, work: { ...running, job, polls: running.polls + 1 } satisfies VideoWork };
      }
    }
  } catch (cause) {
    if (isFailureReport(cause)) throw cause;
    return askAgain(turn, running, cause);
  }
};

const nobody = (work: Work, phase: VideoWork): WorkOutcome => {
  const { operation } = work;
  const startedAtMs = phase.phase === 'running' ? phase.startedAtMs : operation.createdAtMs;
  if (operation.updatedAtMs - startedAtMs > videoJobMs)
    return { kind: 'unknown', cause: new Error('no provider makes videos of this model any more') };
  return { kind: 'later', afterMs: pauseMsMax, work: phase };
};

const takeTurn = (options: VideoKindOptions, work: Work, context: WorkContext): Promise<WorkOutcome> => {
  const phase = videoWork(work.resource.work);
  const route = options.findRoute(work.resource.model);
  const jobs = route?.provider.videos;
  if (phase?.phase !== 'asked' && phase?.phase !== 'running')
    return Promise.resolve({ kind: 'unknown', cause: new Error('the hand-over was not confirmed') });
  if (route === null || jobs === undefined) return Promise.resolve(nobody(work, phase));
  const turn: Turn = { options, work, context, route, jobs };
  return phase.phase === 'asked' ? start(turn, phase) : poll(turn, phase);
};

const inputBlobs = (work: VideoWork | null): readonly string[] =>
  work?.phase === 'asked' ? blobKeysOf(orderMedia(work.order)) : [];

/** How videos are made: handed over once, asked for until they are done, copied, and only then settled (videos:*). */
export const videoKind = (options: VideoKindOptions): WorkKind => ({
  kind: 'video',
  runningMax: 64,
  runningPerProjectMax: 16,
  resultKeptMs: videoResultKeptMs,
  run: (work, context) => takeTurn(options, work, context),
  discard: async (resource) => {
    const work = videoWork(resource.work);
    const kept = keptMedia(resource).map(({ blobKey }) => blobKey);
    await removeBlobs(options.engine, [...inputBlobs(work), ...kept]);
  },
});
