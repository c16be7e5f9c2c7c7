import { NotExecuted, type Interacted, type JobProgress, type Provider } from '@tollgate/provider';
import type { ProviderFault } from '../provider-fault.ts';

type Jobs = NonNullable<Provider['interactions']>;

const carrying =
  (change: (jobs: Jobs) => Partial<Jobs>): ProviderFault['wrap'] =>
  (right) =>
    right.interactions === undefined
      ? right
      : { ...right, interactions: { ...right.interactions, ...change(right.interactions) } };

const answering = (change: (progress: JobProgress<Interacted>) => JobProgress<Interacted>) =>
  carrying(({ poll }) => ({ poll: async (job, context) => change(await poll(job, context)) }));

const result = (change: (result: Interacted) => Interacted) =>
  answering((progress) => (progress.kind === 'done' ? { kind: 'done', result: change(progress.result) } : progress));

const found = 'interactions: names a job by which its steps are found, with their measure';

/** What only carrying out interactions can do wrong. */
export const interactionFaults: readonly ProviderFault[] = [
  {
    name: 'names no job of an interaction',
    failsCase: found,
    wrap: carrying(({ start }) => ({
      start: async (call, context) => {
        await start(call, context);
        return { job: '' };
      },
    })),
  },
  {
    name: 'loses the steps of an interaction',
    failsCase: found,
    wrap: result((right) => ({ ...right, steps: [] })),
  },
  {
    name: 'ends an interaction before the upstream does',
    failsCase: 'interactions: says that a job goes on until it is done',
    wrap: answering((progress) =>
      progress.kind === 'done'
        ? progress
        : { kind: 'done', result: { steps: [], status: 'completed', usage: [], reference: null } },
    ),
  },
  {
    name: 'calls an interaction complete that waits',
    failsCase: 'interactions: waits for the functions that the model calls',
    wrap: result((right) => ({ ...right, status: 'completed' })),
  },
  {
    name: 'invents a measure of an interaction',
    failsCase: 'interactions: measures nothing by itself where the upstream says nothing',
    wrap: result((right) =>
      right.usage.length > 0
        ? right
        : { ...right, usage: [{ unit: 'output_text_tokens', quantity: 1, confirmed: true }] },
    ),
  },
  {
    name: 'asks for ever for an interaction that failed',
    failsCase: 'interactions: tells a job that failed as certain non-execution, in its own words',
    wrap: carrying(({ poll }) => ({
      poll: (job, context) => poll(job, context).catch(() => ({ kind: 'running' as const })),
    })),
  },
  {
    name: 'takes a lost question for an interaction that failed',
    failsCase: 'interactions: does not take a question that was not answered for a job that failed',
    wrap: carrying(({ poll }) => ({
      poll: (job, context) =>
        poll(job, context).catch((cause: unknown) => {
          throw new NotExecuted({ reason: 'failed', cause });
        }),
    })),
  },
  {
    name: 'takes a refused question for a interaction that failed',
    failsCase: 'interactions: does not take a question that was refused for a job that failed',
    wrap: carrying(({ poll }) => ({
      poll: (job, context) =>
        poll(job, context).catch((cause: unknown) => {
          throw new NotExecuted({ reason: 'failed', cause });
        }),
    })),
  },
];
