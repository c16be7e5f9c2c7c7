import {
  NotExecuted,
  type BatchCall,
  type BatchResult,
  type BatchResultItem,
  type CallContext,
  type ProviderJobs,
} from '@tollgate/provider';
import { scriptedGeneration, type ScriptedAnswer } from './scripted-step.ts';

type Ask = (context: CallContext) => Promise<ScriptedAnswer>;

/** The job holds all that a poll must know, so that any process can ask for it. */
const jobOf = ({ items }: BatchCall): string =>
  `batch ${JSON.stringify(
    items.map((item) => [
      item.key,
      item.kind,
      item.kind === 'embedding' && item.call.input.kind === 'texts' ? item.call.input.texts.length : 1,
    ]),
  )}`;

const toItem = ([key, kind, inputs]: readonly [string, string, number]): BatchResultItem => {
  if (kind === 'generation') return { key, kind, generation: scriptedGeneration };
  const usage = [{ unit: 'embedding_tokens', quantity: 3 * inputs, confirmed: true } as const];
  return { key, kind: 'embedding', embeddings: { vectors: Array.from({ length: inputs }, () => [0.5, 0.5]), usage } };
};

const itemsOf = (job: string): readonly BatchResultItem[] => {
  if (!job.startsWith('batch '))
    throw new NotExecuted({ reason: 'failed', cause: new Error('a job that was never begun') });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `jobOf` alone
  return (JSON.parse(job.slice('batch '.length)) as readonly (readonly [string, string, number])[]).map(toItem);
};

/** Whole batches of a provider that does what a test wrote down; every item is answered unless a step says otherwise. */
export const scriptedBatches = (
  askToStart: Ask,
  askForJob: Ask,
  begun: () => void,
): {
  readonly batches: ProviderJobs<BatchCall, BatchResult>;
  readonly log: { readonly started: readonly BatchCall[]; readonly cancelled: readonly string[] };
} => {
  const started: BatchCall[] = [];
  const cancelled: string[] = [];
  const batches: ProviderJobs<BatchCall, BatchResult> = {
    start: async (call, context) => {
      if (context.signal.aborted) throw new NotExecuted({ reason: 'cancelled' });
      started.push(call);
      begun();
      await askToStart(context);
      return { job: jobOf(call) };
    },
    poll: async (job, context) => {
      const { jobProgress, batchItems } = await askForJob(context);
      const items = itemsOf(job);
      if (jobProgress?.kind === 'running') return jobProgress;
      return { kind: 'done', result: { items: batchItems ?? items } };
    },
    cancel: async (job, context) => {
      await askForJob(context);
      cancelled.push(job);
    },
  };
  return { batches, log: { started, cancelled } };
};
