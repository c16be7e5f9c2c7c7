import type { GeneratedVideos, VideoCall } from '@tollgate/provider';
import { withDeadline } from '../../workers/with-deadline.ts';
import type { Engine } from '../../engine.ts';
import { leftToSweep, removePendingBlob } from '../../operations/pending-blobs.ts';
import { refuseUnbegun } from '../../workers/access-lost.ts';
import {
  isOverdue,
  pollProviderJob,
  startProviderJob,
  type JobPauses,
  type ProviderJob,
} from '../../workers/provider-job.ts';
import type { Work, WorkContext, WorkKind, WorkOutcome } from '../../workers/work-kind.ts';
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
// limits:retention:media
/** How long a video can be downloaded. */
const videoKeptMs = 48 * 3_600_000;
/** How long its result is shown. */
const videoResultKeptMs = 30 * 24 * 3_600_000;
/** How long one turn may copy. */
const copyMs = 900_000;
const pauses: JobPauses = {
  firstPauseMs: 2_000,
  pauseMsMax: 30_000,
  pollMs: 60_000,
  jobMsMax: 3 * 3_600_000,
  startTriesMax: 5,
};

type Phase<P extends VideoWork['phase']> = Extract<VideoWork, { readonly phase: P }>;

/** One turn of work on one video. */
interface Turn extends ProviderJob<VideoCall, GeneratedVideos> {
  readonly work: Work;
  readonly context: WorkContext;
  readonly engine: Engine;
  readonly options: VideoKindOptions;
  readonly upstreamModel: string;
}

const start = async (turn: Turn, { order, tries }: Phase<'asked'>): Promise<WorkOutcome> => {
  const { engine, work, context, provider, upstreamModel } = turn;
  const refused = await refuseUnbegun(context);
  if (refused !== null) return refused;
  return startProviderJob(turn, {
    call: await toVideoCall(engine, work, order, { provider, upstreamModel }),
    submitting: { phase: 'submitting' } satisfies VideoWork,
    tries,
    asked: (triesNow) => ({ phase: 'asked', order, tries: triesNow }) satisfies VideoWork,
    // A worker that dies before this leaves them to the sweep.
    onStarted: () => removeBlobs(engine, work.operation.id, blobKeysOf(orderMedia(order))),
  });
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
      work.operation.id,
      kept.map(({ blobKey }) => blobKey),
    );
    throw cause;
  }
};

/** What is left over does no harm: the sweep deletes it in its time. */
const removeBlobs = async (engine: Engine, operationId: string, blobKeys: readonly string[]): Promise<void> => {
  const remove = (key: string): Promise<void> =>
    removePendingBlob(engine, key).catch(leftToSweep(engine, key, { operationId }));
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
  const { options, work, provider } = turn;
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
      work: { phase: 'done', provider, media } satisfies VideoWork,
      expiresAfterMs: videoKeptMs,
      blobs: media.map(({ blobKey }) => blobKey),
    },
  };
};

/** No provider makes videos of this model now. */
const waitForProvider = (work: Work, phase: Phase<'asked'> | Phase<'running'>): WorkOutcome => {
  const startedAtMs = phase.phase === 'running' ? phase.startedAtMs : work.operation.createdAtMs;
  if (isOverdue(work, startedAtMs, pauses))
    return { kind: 'unknown', cause: new Error('no provider makes videos of this model any more') };
  return { kind: 'later', afterMs: pauses.pauseMsMax, work: phase };
};

const takeTurn = (options: VideoKindOptions, work: Work, context: WorkContext): Promise<WorkOutcome> => {
  const phase = videoWork(work.resource.work);
  const route = options.findRoute(work.resource.model);
  const jobs = route?.provider.videos;
  if (phase?.phase !== 'asked' && phase?.phase !== 'running')
    return Promise.resolve({ kind: 'unknown', cause: new Error('the hand-over was not confirmed') });
  if (route === null || jobs === undefined) return Promise.resolve(waitForProvider(work, phase));
  const turn: Turn = {
    engine: options.engine,
    options,
    work,
    context,
    provider: route.provider.name,
    upstreamModel: route.upstreamModel,
    jobs,
    pauses,
    noun: 'a video',
    toWork: (running) => ({ phase: 'running', ...running }) satisfies VideoWork,
  };
  return phase.phase === 'asked'
    ? start(turn, phase)
    : pollProviderJob(turn, phase, { onDone: (generated) => finish(turn, generated) });
};

const inputBlobs = (work: VideoWork | null): readonly string[] =>
  work?.phase === 'asked' ? blobKeysOf(orderMedia(work.order)) : [];

// videos:*
/** How videos are made: handed over once, asked for until they are done, copied, and only then settled. */
export const videoKind = (options: VideoKindOptions): WorkKind => ({
  kind: 'video',
  runningMax: 64,
  runningPerProjectMax: 16,
  resultKeptMs: videoResultKeptMs,
  run: (work, context) => takeTurn(options, work, context),
  discard: async (resource) => {
    const work = videoWork(resource.work);
    const kept = keptMedia(resource).map(({ blobKey }) => blobKey);
    await removeBlobs(options.engine, resource.id, [...inputBlobs(work), ...kept]);
  },
});
