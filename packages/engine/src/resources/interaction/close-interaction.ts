import type { InteractionEnding } from '@tollgate/contract';
import type { Usage } from '@tollgate/provider';
import type { WorkOutcome } from '../../workers/work-kind.ts';
import { blobKeysOf, type StoredMedia } from '../stored-media.ts';
import type { ModelRoute } from '../model-route.ts';
import { folderOf, type InteractionTurn } from './interaction-turn.ts';
import type { EndedInteraction } from './interaction-work.ts';
import { keptBytesOf } from './kept-bytes.ts';
import { blobKeyOfJson, blobKeyOfNote, readJson, storeJson } from './stored-json.ts';
import { contentsOf, madeMediaOf, type MadeMedium, type StoredStep } from './stored-step.ts';
import { toWireSteps } from './wire-steps.ts';

/** How an interaction ended, and with what. */
export interface Ended {
  readonly author: ModelRoute<string>;
  readonly ending: InteractionEnding;
  readonly steps: readonly StoredStep[];
  readonly usage: readonly Usage[];
  readonly reference: string | null;
}

/** All media of one result that are shown inside of it, as a multiple of what one of them may have. */
const inlineMediaMax = 4;

// interactions:output:media
/** Base64 of the media that are small enough to stand in their steps. */
const inlineData = async (
  { options }: InteractionTurn,
  media: readonly MadeMedium[],
): Promise<ReadonlyMap<number, string>> => {
  const { inlineMediaBytesMax } = options.limits;
  const data = new Map<number, string>();
  let left = inlineMediaBytesMax * inlineMediaMax;
  for (const { index, sizeBytes, blobKey } of media) {
    if (sizeBytes > inlineMediaBytesMax || sizeBytes > left) continue;
    const bytes = await options.engine.storage.blobs.get(blobKey);
    if (bytes === undefined) continue;
    left -= sizeBytes;
    data.set(index, Buffer.from(bytes).toString('base64'));
  }
  return data;
};

const resultOf = async (turn: InteractionTurn, { ending, steps }: Ended): Promise<string> => {
  const { options, work } = turn;
  const { id, model } = work.operation;
  const data = await inlineData(turn, madeMediaOf(steps));
  return JSON.stringify({
    steps: toWireSteps(steps, {
      dataOf: ({ index }) => data.get(index) ?? null,
      uriOf: (index) => options.contentUrl(id, index),
    }),
    ...(ending === 'completed' ? {} : { status: ending }),
    model,
  });
};

/** Media that came with the request: the request that continues the interaction sends them again. */
const givenMedia = (input: readonly StoredStep[]): readonly StoredMedia[] =>
  contentsOf(input).flatMap((content) => (content.kind === 'given' ? [content.media] : []));

// resources:cancel:ends-completed
/** Calls that will not run any more, reported as such. */
const answerRest = (steps: readonly StoredStep[], ending: InteractionEnding): readonly StoredStep[] => {
  const answered = new Set(steps.flatMap((step) => (step.kind === 'tool_result' ? [step.callId] : [])));
  const rest = steps.flatMap((step): readonly StoredStep[] =>
    step.kind === 'tool_call' && step.called !== undefined && !answered.has(step.id)
      ? [{ kind: 'tool_result', tool: step.tool, callId: step.id, result: ending, isError: true }]
      : [],
  );
  return [...steps, ...rest];
};

/** Settles an interaction with all that came of it, and keeps what those need who continue it. */
export const closeInteraction = async (turn: InteractionTurn, end: Ended): Promise<WorkOutcome> => {
  const { options, order } = turn;
  const { engine, limits } = options;
  const steps = answerRest(end.steps, end.ending);
  const ended = { ...end, steps };
  const given = givenMedia(await readJson(engine, order.input));
  const storedSteps = await storeJson(engine, { folder: folderOf(turn), keptMs: limits.blobsKeptMs }, steps);
  const media = madeMediaOf(steps);
  const work: EndedInteraction = {
    phase: 'ended',
    previousId: order.previousId,
    depth: order.depth,
    bytes: order.bytes,
    author: end.author,
    ending: end.ending,
    input: order.input,
    steps: storedSteps,
    note: order.note ?? null,
    reference: end.reference,
    givenBlobs: blobKeysOf(given),
    media: media.map(({ mimeType, sizeBytes, blobKey }) => ({ mimeType, sizeBytes, blobKey })),
  };
  return {
    kind: 'done',
    usage: end.usage,
    result: await resultOf(turn, ended),
    closing: {
      availability: end.ending === 'requires_action' ? 'requires_action' : 'follows',
      publicFields: {},
      work,
      expiresAfterMs: media.length === 0 ? null : limits.mediaKeptMs,
      dueAfterMs: media.length === 0 ? limits.historyKeptMs : limits.mediaKeptMs,
      blobs: endedBlobs(work),
      keptBytes: keptBytesOf(work, given),
    },
  };
};

/** Every blob that belongs to an interaction that has ended. */
export const endedBlobs = (ended: EndedInteraction): readonly string[] => [
  ...blobKeyOfJson(ended.input),
  ...blobKeyOfJson(ended.steps),
  ...blobKeyOfNote(ended.note),
  ...ended.givenBlobs,
  ...ended.media.map(({ blobKey }) => blobKey),
];
