import {
  NotExecuted,
  type CallContext,
  type Interacted,
  type InteractionCall,
  type MediaPart,
  type ProviderJobs,
} from '@tollgate/provider';
import { conduct, type SandboxWorld } from './conduct.ts';
import { parseDirectives, type Directive } from './directives.ts';
import { answerInteraction } from './interaction-answer.ts';
import { decodeJob, encodeJob, inputText, type InteractionJob, type MadeByJob } from './interaction-job.ts';
import { mp4Video } from './mp4-video.ts';
import { toldCounts, usageOf } from './sandbox-usage.ts';
import { playTune, tuneRate } from './tune-audio.ts';
import { wavFile } from './wav-container.ts';

/** Jobs that this process was asked to end; another one lets them run to their end. */
const cancelledMax = 1_000;

const begin = async (call: InteractionCall, directives: readonly Directive[]): Promise<InteractionJob> => {
  const { steps, made, waits, counts } = await answerInteraction(call, directives);
  const polls = directives.find((directive) => directive.kind === 'polls');
  const isUnmeasured = directives.some(({ kind }) => kind === 'unknown-usage');
  return {
    id: call.operationId,
    polls: polls?.count ?? 0,
    steps,
    made,
    status: waits ? 'requires_action' : 'completed',
    usage: isUnmeasured ? [] : usageOf(toldCounts(directives, []) ?? counts),
    reference: `sandbox/${call.operationId}`,
    filtered: directives.some(({ kind }) => kind === 'filter'),
  };
};

const makeMedium = (made: MadeByJob): MediaPart => {
  switch (made.kind) {
    case 'tune': {
      const data = wavFile(playTune(made.text, made.seconds), tuneRate).toString('base64');
      return { kind: 'media', mimeType: 'audio/wav', data };
    }
    case 'film':
      return { kind: 'media', mimeType: 'video/mp4', data: mp4Video(made.side, made.parts).toString('base64') };
  }
};

const finished = ({ steps, made, status, usage, reference }: InteractionJob): Interacted => ({
  steps: made === null ? steps : [...steps, { kind: 'model_output', content: [makeMedium(made)] }],
  status,
  usage,
  reference,
});

const measuredNothing: Interacted['usage'] = [{ unit: 'input_text_tokens', quantity: 0, confirmed: true }];

const cancelledEnd = ({ reference }: InteractionJob): Interacted => ({
  steps: [],
  status: 'cancelled',
  usage: measuredNothing,
  reference,
});

/**
 * Interactions of the models that do not generate text: tunes, videos, transcripts and agents, done at the first question unless the
 * input says otherwise. A job holds all that there is to know of it, so that any process can ask for it.
 */
export const sandboxInteractions = (world: SandboxWorld): Required<ProviderJobs<InteractionCall, Interacted>> => {
  const cancelled = new Set<string>();
  return {
    start: (call: InteractionCall, context: CallContext) => {
      const directives = parseDirectives(inputText(call), 'interaction');
      return conduct({ world, context, directives }, async () => ({ job: encodeJob(await begin(call, directives)) }));
    },
    poll: (text: string, context: CallContext) =>
      conduct({ world, context, directives: [] }, () => {
        const job = decodeJob(text);
        if (cancelled.has(job.id)) return { kind: 'done' as const, result: cancelledEnd(job) };
        if (job.polls > 0) return { kind: 'running' as const, job: encodeJob({ ...job, polls: job.polls - 1 }) };
        if (job.filtered) throw new NotExecuted({ reason: 'failed', cause: new Error('the content was refused') });
        return { kind: 'done' as const, result: finished(job) };
      }),
    cancel: (text: string, context: CallContext) =>
      conduct({ world, context, directives: [] }, () => {
        if (cancelled.size >= cancelledMax) throw new NotExecuted({ reason: 'unavailable' });
        cancelled.add(decodeJob(text).id);
      }),
  };
};
