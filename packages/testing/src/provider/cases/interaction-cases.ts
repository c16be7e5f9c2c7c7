import assert from 'node:assert/strict';
import type { CallContext, Interacted, InteractionCall, JobProgress, ProviderJobs } from '@tollgate/provider';
import { checkUsage } from '../generation-checks.ts';
import type { ProviderCase } from '../provider-case.ts';
import {
  answered,
  checkSecrets,
  freeze,
  refusalOf,
  runCall,
  type ProviderRun,
  type Watching,
} from '../provider-run.ts';
import { pollCases } from './poll-cases.ts';
import type { InteractionScenario, ProviderUnderTest } from '../provider-under-test.ts';

type Jobs = ProviderJobs<InteractionCall, Interacted>;

const baseInteractionCall: InteractionCall = {
  operationId: '55555555-5555-4555-8555-555555555555',
  upstreamModel: 'model-under-test',
  upstreamKind: 'model',
  input: [{ kind: 'user_input', content: [{ kind: 'text', text: 'Why is the sea salt?' }] }],
  history: [],
  previousReference: null,
  systemInstruction: 'Be brief.',
  tools: [{ kind: 'function', name: 'get_weather', parameters: { type: 'object', properties: {} } }],
  format: { kind: 'text' },
  sampling: {},
  outputTokensMax: 1_000,
};

/** Polls after which a job that goes on counts as one without end. */
const pollsMax = 20;

const jobsOf = ({ provider }: ProviderUnderTest): Jobs => {
  assert.ok(provider.interactions !== undefined, 'the provider carries out interactions');
  return provider.interactions;
};

/** Arranges the scenario and begins an interaction, with a call that the provider may not change. */
export const runInteraction = (
  underTest: ProviderUnderTest,
  scenario: InteractionScenario,
  watching: Watching = {},
): Promise<ProviderRun<{ readonly job: string }>> => {
  assert.ok(underTest.arrangeInteraction !== undefined, 'interactions can be arranged');
  const call = freeze(underTest.arrangeInteraction(scenario, baseInteractionCall));
  assert.ok(underTest.provider.takesInteraction?.(call.upstreamModel) ?? true, 'the provider takes the model');
  return runCall(underTest, watching, (context: CallContext) => jobsOf(underTest).start(call, context));
};

const begun = async (underTest: ProviderUnderTest, scenario: InteractionScenario): Promise<string> => {
  const { job } = answered(await runInteraction(underTest, scenario));
  assert.ok(typeof job === 'string' && job !== '', 'a job is named by a text');
  return job;
};

const ask = (underTest: ProviderUnderTest, job: string): Promise<ProviderRun<JobProgress<Interacted>>> =>
  runCall(underTest, {}, (context) => jobsOf(underTest).poll(job, context));

/** Asks until the job is done; returns what it came to and how often it was still running. */
const askToTheEnd = async (underTest: ProviderUnderTest, begunJob: string) => {
  let job = begunJob;
  for (let running = 0; running < pollsMax; running += 1) {
    const progress = answered(await ask(underTest, job));
    if (progress.kind === 'done') return { result: progress.result, running };
    assert.ok(progress.afterMs === undefined || progress.afterMs >= 0, 'a wait is a time');
    job = progress.job ?? job;
  }
  throw new assert.AssertionError({ message: 'a job has no end' });
};

const resultOf = async (underTest: ProviderUnderTest, scenario: InteractionScenario): Promise<Interacted> =>
  (await askToTheEnd(underTest, await begun(underTest, scenario))).result;

const isObject = (text: string): boolean => {
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value);
};

/** What carrying out interactions owes beside the conduct of its beginning. */
export const interactionCases: readonly ProviderCase[] = [
  {
    title: 'interactions: names a job by which its steps are found, with their measure',
    promise: 'P28',
    needs: ['interactions'],
    run: async (underTest) => {
      const before = underTest.upstreamRequests();
      const { attempts } = await runInteraction(underTest, 'done');
      assert.equal(attempts.length, underTest.upstreamRequests() - before);
      const { steps, status, usage } = await resultOf(underTest, 'done');
      assert.equal(status, 'completed');
      const outputs = steps.filter((step) => step.kind === 'model_output' && step.content.length > 0);
      assert.ok(outputs.length > 0, 'nothing came out');
      checkUsage(usage);
      assert.ok(
        usage.some(({ quantity }) => quantity > 0),
        'nothing is measured',
      );
    },
  },
  {
    title: 'interactions: says that a job goes on until it is done',
    promise: 'P28',
    needs: ['interactions'],
    run: async (underTest) => {
      const { running } = await askToTheEnd(underTest, await begun(underTest, 'running'));
      assert.equal(running, 2);
    },
  },
  {
    title: 'interactions: waits for the functions that the model calls',
    promise: 'P30',
    needs: ['interactions'],
    run: async (underTest) => {
      const { steps, status } = await resultOf(underTest, 'requires_action');
      assert.equal(status, 'requires_action');
      const calls = steps.filter((step) => step.kind === 'function_call');
      assert.ok(calls.length > 0, 'no function is called');
      for (const call of calls) {
        assert.ok(call.id !== '' && call.name !== '', 'a call has no name');
        assert.ok(isObject(call.arguments), 'arguments are no object');
      }
    },
  },
  {
    title: 'interactions: measures nothing by itself where the upstream says nothing',
    promise: 'P30',
    needs: ['interactions'],
    run: async (underTest) => {
      const { usage } = await resultOf(underTest, 'missing_usage');
      assert.ok(
        usage.every(({ confirmed }) => !confirmed),
        'a measure is invented',
      );
    },
  },
  {
    title: 'interactions: tells a job that failed as certain non-execution, in its own words',
    promise: 'P29',
    needs: ['interactions'],
    run: async (underTest) => {
      const run = await ask(underTest, await begun(underTest, 'job_failed'));
      const refusal = refusalOf(run);
      assert.equal(refusal.reason, 'failed');
      checkSecrets(refusal, underTest.secrets);
      assert.ok(run.attempts.length > 0, 'no attempt is recorded');
    },
  },
  ...pollCases({
    prefix: 'interactions: ',
    needs: ['interactions'],
    begin: begun,
    poll: (underTest, job, context) => jobsOf(underTest).poll(job, context),
  }),
];
