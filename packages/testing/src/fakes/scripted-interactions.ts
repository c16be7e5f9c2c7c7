import {
  NotExecuted,
  type CallContext,
  type Interacted,
  type InteractionCall,
  type ProviderJobs,
} from '@tollgate/provider';
import type { ScriptedAnswer } from './scripted-step.ts';

type Ask = (context: CallContext) => Promise<ScriptedAnswer>;

/** What the scripted provider was asked for of interactions, in order. */
export interface ScriptedInteractionLog {
  readonly started: readonly InteractionCall[];
  readonly cancelled: readonly string[];
}

/** The models that do not generate text: their interactions are jobs. */
const taken = /^(?:lyria|antigravity|deep-research)|-omni-|-transcribe$/;

export const takesScriptedInteraction = (upstreamModel: string): boolean => taken.test(upstreamModel);

/** The job holds all that a poll must know, so that any process can ask for it. */
const prefix = 'interaction ';

const scriptedInteracted = (operationId: string): Interacted => ({
  steps: [{ kind: 'model_output', content: [{ kind: 'text', text: 'Scripted report.' }] }],
  status: 'completed',
  usage: [
    { unit: 'input_text_tokens', quantity: 10, confirmed: true },
    { unit: 'output_text_tokens', quantity: 5, confirmed: true },
  ],
  reference: `note of ${operationId}`,
});

/** Interactions of a provider that does what a test wrote down, as jobs. */
export const scriptedInteractions = (
  askToStart: Ask,
  askForJob: Ask,
  /** Told of every interaction that was not already given up. */
  begun: () => void,
): {
  readonly interactions: ProviderJobs<InteractionCall, Interacted>;
  readonly log: ScriptedInteractionLog;
} => {
  const started: InteractionCall[] = [];
  const cancelled: string[] = [];
  const interactions: ProviderJobs<InteractionCall, Interacted> = {
    start: async (call, context) => {
      if (!context.signal.aborted) {
        started.push(call);
        begun();
      }
      await askToStart(context);
      return { job: `${prefix}${call.operationId}` };
    },
    poll: async (job, context) => {
      const { jobProgress, interacted } = await askForJob(context);
      if (!job.startsWith(prefix))
        throw new NotExecuted({ reason: 'failed', cause: new Error('a job that was never begun') });
      if (jobProgress !== undefined) return jobProgress;
      return { kind: 'done', result: { ...scriptedInteracted(job.slice(prefix.length)), ...interacted } };
    },
    cancel: (job) => {
      cancelled.push(job);
      return Promise.resolve();
    },
  };
  return { interactions, log: { started, cancelled } };
};
