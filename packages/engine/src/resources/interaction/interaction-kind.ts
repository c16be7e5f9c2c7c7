import { NotExecuted, type Usage } from '@tollgate/provider';
import type { ResourceRecord } from '@tollgate/storage';
import { removePendingBlob } from '../../operations/pending-blobs.ts';
import type { Work, WorkContext, WorkKind, WorkOutcome } from '../../workers/work-kind.ts';
import { blobKeysOf } from '../stored-media.ts';
import { endedBlobs } from './close-interaction.ts';
import { sumOfSizes } from './kept-bytes.ts';
import type { InteractionKindOptions, InteractionTurn } from './interaction-turn.ts';
import {
  interactionWork,
  type EndedInteraction,
  type InteractionOrder,
  type InteractionWork,
} from './interaction-work.ts';
import { beginRounds, resumeRounds, resumeTool } from './run-rounds.ts';
import { pollJob, startJob } from './run-job.ts';
import { blobKeyOfJson, blobKeyOfNote, readJson } from './stored-json.ts';
import { contentsOf } from './stored-step.ts';

const unconfirmed = (usageAtLeast: readonly Usage[] = []): WorkOutcome => ({
  kind: 'unknown',
  cause: new Error('the hand-over was not confirmed'),
  usageAtLeast,
});

type Open = Exclude<InteractionWork, EndedInteraction>;

const nobodyMs = 15_000;

/** Whether nothing of it can have been handed to a provider. */
const isUnbegun = ({ phase }: Open): boolean => phase === 'asked' || phase === 'declaring';

/** No provider runs interactions of this model now: what was not begun fails, what was begun waits for a while. */
const nobody = ({ operation }: Work, phase: Open, jobMs: number): WorkOutcome => {
  if (isUnbegun(phase)) throw new NotExecuted({ reason: 'unavailable', cause: 'no provider serves the model' });
  if (operation.updatedAtMs - operation.createdAtMs > jobMs) return unconfirmed();
  return { kind: 'later', afterMs: nobodyMs, work: phase };
};

const goOn = (turn: InteractionTurn, phase: Open): Promise<WorkOutcome> | WorkOutcome => {
  const jobs = turn.model.provider.interactions;
  switch (phase.phase) {
    case 'asked':
      if (phase.order.execution === 'rounds') return beginRounds(turn, null);
      return jobs === undefined ? nobody(turn.work, phase, 0) : startJob(turn, jobs, phase);
    case 'declaring':
      return beginRounds(turn, phase);
    case 'job':
      return jobs === undefined ? nobody(turn.work, phase, turn.options.limits.jobMs) : pollJob(turn, jobs, phase);
    case 'between':
      return resumeRounds(turn, phase);
    case 'tool':
      return resumeTool(turn, phase);
    case 'submitting':
      return unconfirmed();
    case 'hop':
      // The model rounds before this one were measured.
      return unconfirmed(phase.progress.usage);
  }
};

const takeTurn = async (options: InteractionKindOptions, work: Work, context: WorkContext): Promise<WorkOutcome> => {
  const phase = interactionWork(work.resource.work);
  if (phase === null || phase.phase === 'ended' || phase.phase === 'submitting') return unconfirmed();
  if (phase.phase === 'hop') return unconfirmed(phase.progress.usage);
  if (isUnbegun(phase) && work.operation.state === 'cancelling') return { kind: 'cancelled' };
  const model = options.findModel(work.resource.model);
  if (model === null) return nobody(work, phase, options.limits.jobMs);
  const { order } = phase;
  const settings = await readJson(options.engine, order.settings);
  return goOn({ options, work, context, order, settings, model }, phase);
};

/** What was put aside for an interaction that did not end: whatever of it is still there. */
const orderBlobs = async (
  { engine }: InteractionKindOptions,
  { input, settings, note }: InteractionOrder,
): Promise<readonly string[]> => {
  const steps = await readJson(engine, input).catch(() => []);
  const given = contentsOf(steps).flatMap((content) => (content.kind === 'given' ? [content.media] : []));
  return [...blobKeyOfJson(input), ...blobKeyOfJson(settings), ...blobKeyOfNote(note), ...blobKeysOf(given)];
};

const removeBlobs = async ({ engine }: InteractionKindOptions, keys: readonly string[]): Promise<void> => {
  for (const key of keys) await removePendingBlob(engine, key);
};

const blobsOf = (options: InteractionKindOptions, work: InteractionWork | null): Promise<readonly string[]> => {
  if (work === null) return Promise.resolve([]);
  return work.phase === 'ended' ? Promise.resolve(endedBlobs(work)) : orderBlobs(options, work.order);
};

/** First the media go, which can then not be downloaded any more; later the steps, and with them the way to go on from here. */
const fade = async (options: InteractionKindOptions, resource: ResourceRecord) => {
  const work = interactionWork(resource.work);
  const { keptBytes } = resource;
  if (work?.phase !== 'ended') return { work: resource.work, keptBytes, dueAfterMs: null };
  const { mediaKeptMs, historyKeptMs } = options.limits;
  if (work.media.length > 0) {
    await removeBlobs(
      options,
      work.media.map(({ blobKey }) => blobKey),
    );
    const left = keptBytes === null ? null : keptBytes - sumOfSizes(work.media);
    const faded: InteractionWork = { ...work, media: [] };
    return { work: faded, keptBytes: left, dueAfterMs: historyKeptMs - mediaKeptMs };
  }
  await removeBlobs(options, endedBlobs(work));
  return { work: null, keptBytes: null, dueAfterMs: null };
};

// interactions:*
/** How interactions are carried out: by the provider as a job, or round by round with the tools of the gateway. */
export const interactionKind = (options: InteractionKindOptions): WorkKind => ({
  kind: 'interaction',
  runningMax: 64,
  runningPerProjectMax: 16,
  resultKeptMs: options.limits.historyKeptMs,
  run: (work, context) => takeTurn(options, work, context),
  fade: (resource) => fade(options, resource),
  clearFailed: async (resource) => removeBlobs(options, await blobsOf(options, interactionWork(resource.work))),
  discard: async (resource) => removeBlobs(options, await blobsOf(options, interactionWork(resource.work))),
});
