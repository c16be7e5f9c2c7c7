import type { BatchResultItem, GeneratedVideos, Interacted, JobProgress, Usage } from '@tollgate/provider';
import type { Random } from '../torture/random.ts';
import type { Execution, Journal } from './journal.ts';
import type { JobFamily, ReferenceAnswer, ReferenceCall, RecordedVideo } from './reference-wire.ts';

type Start = Extract<ReferenceCall, { readonly kind: 'start' }>;

interface Item {
  readonly key: string;
  readonly execution: Execution;
}

interface Job {
  readonly id: string;
  readonly family: JobFamily;
  readonly execution: Execution;
  readonly items: readonly Item[];
  pollsLeft: number;
  cancelled: boolean;
}

export interface ReferenceJobs {
  /** The job that was begun; the one before is not reported, and goes on all the same. */
  begin(start: Start, execution: Execution): { readonly job: string };
  poll(job: string): ReferenceAnswer;
  cancel(job: string): ReferenceAnswer;
  /** Jobs of videos, and the bytes of each. */
  videos(): readonly string[];
  media(id: string): Buffer;
}

const pollsMax = 4;
const afterMsMax = 400;
const videoSeconds = 8;
const mediaBytes = 120_000;
const imageBytes = 24_000;

export const tokens = (random: Random): readonly Usage[] => [
  { unit: 'input_text_tokens', quantity: 1 + random.below(900), confirmed: true },
  { unit: 'output_text_tokens', quantity: 1 + random.below(300), confirmed: true },
];

const usageOf = (family: JobFamily, random: Random): readonly Usage[] => {
  switch (family) {
    case 'video':
      return [{ unit: 'video_seconds', quantity: videoSeconds, confirmed: true }];
    case 'import':
      return [{ unit: 'indexing_tokens', quantity: 1 + random.below(20), confirmed: true }];
    case 'interaction':
      return tokens(random);
    // Of a batch its items say what they used.
    case 'batch':
      return [];
  }
};

/** Each item is an execution of its own; the upstream runs them all as soon as it has them. */
const beginItems = ({ items }: Start, journal: Journal, random: Random): readonly Item[] =>
  items.map(({ key, id }) => {
    const execution = journal.open(id, 'generate');
    if (execution.fate === 'refused') execution.refusals += 1;
    else {
      execution.count += 1;
      execution.usage = execution.fate === 'unmeasured' ? null : tokens(random);
    }
    return { key, execution };
  });

const itemResult = ({ key, execution }: Item): BatchResultItem => {
  if (execution.count === 0) return { key, kind: 'failed', reason: 'invalid_request' };
  if (!execution.billed) return { key, kind: 'cancelled' };
  const usage = execution.usage ?? [];
  const text = `answer to ${execution.key}`;
  return { key, kind: 'generation', generation: { text, functionCalls: [], finish: 'stop', usage } };
};

const interacted = ({ id, execution, cancelled }: Job): Interacted => ({
  steps: [
    {
      kind: 'model_output',
      content: [
        { kind: 'text', text: `answer to ${execution.key}` },
        { kind: 'media', mimeType: 'image/png', data: Buffer.alloc(imageBytes, id).toString('base64') },
      ],
    },
  ],
  status: cancelled ? 'cancelled' : 'completed',
  usage: execution.usage ?? [],
  reference: id,
});

type Videos = Pick<GeneratedVideos, 'usage'> & { readonly videos: readonly RecordedVideo[] };

const resultOf = (job: Job): unknown => {
  const { id, family, execution } = job;
  const usage = execution.usage ?? [];
  switch (family) {
    case 'video':
      return { videos: [{ media: id, reference: id }], usage } satisfies Videos;
    case 'batch':
      return { items: job.items.map(itemResult) };
    case 'interaction':
      return interacted(job);
    case 'import':
      return { reference: id, usage };
  }
};

const unbill = (executions: readonly Execution[]): void => {
  for (const execution of executions) execution.billed = false;
};

/** Work that the reference upstream does in its own time. Its names are its own: a caller that begins the same thing again gets another job. */
export const createReferenceJobs = (journal: Journal, random: Random): ReferenceJobs => {
  const jobs = new Map<string, Job>();
  const progress = (job: Job): ReferenceAnswer => {
    if (job.pollsLeft > 0) {
      job.pollsLeft -= 1;
      const value: JobProgress<never> = { kind: 'running', afterMs: random.below(afterMsMax) };
      return { kind: 'answered', value };
    }
    if (job.execution.fate !== 'failing') return { kind: 'answered', value: { kind: 'done', result: resultOf(job) } };
    unbill([job.execution, ...job.items.map(({ execution }) => execution)]);
    return { kind: 'not_executed', reason: 'failed' };
  };
  return {
    begin: (start, execution) => {
      const id = `job-${jobs.size + 1}`;
      const isSilent = execution.fate === 'unmeasured' && start.family !== 'batch';
      execution.usage = isSilent ? null : usageOf(start.family, random);
      const items = beginItems(start, journal, random);
      const { family } = start;
      jobs.set(id, { id, family, execution, items, pollsLeft: random.below(pollsMax), cancelled: false });
      return { job: id };
    },
    poll: (id) => {
      const job = jobs.get(id);
      return job === undefined ? { kind: 'not_executed', reason: 'failed' } : progress(job);
    },
    cancel: (id) => {
      const job = jobs.get(id);
      if (job !== undefined && !job.cancelled) {
        job.cancelled = true;
        // The second half had not begun.
        if (job.pollsLeft > 0) unbill(job.items.slice(job.items.length / 2).map(({ execution }) => execution));
        job.pollsLeft = 0;
      }
      return { kind: 'answered', value: null };
    },
    videos: () => [...jobs.values()].flatMap(({ id, family }) => (family === 'video' ? [id] : [])),
    media: (id) => Buffer.alloc(mediaBytes, id),
  };
};
