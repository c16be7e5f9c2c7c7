import assert from 'node:assert/strict';
import type {
  BatchCall,
  BatchResult,
  BatchResultItem,
  CallContext,
  JobProgress,
  ProviderJobs,
} from '@tollgate/provider';
import { checkEmbeddings, checkGeneration } from '../generation-checks.ts';
import type { ProviderCase } from '../provider-case.ts';
import { answered, baseCall, freeze, runCall, type ProviderRun, type Watching } from '../provider-run.ts';
import { pollCases } from './poll-cases.ts';
import type { BatchScenario, ProviderUnderTest } from '../provider-under-test.ts';

const itemOf = (key: string, text: string): BatchCall['items'][number] => ({
  key,
  kind: 'generation',
  call: { ...baseCall, operationId: `55555555-${key}`, contents: [{ role: 'user', parts: [{ kind: 'text', text }] }] },
});

const baseBatchCall: BatchCall = {
  operationId: '55555555-5555-4555-8555-555555555555',
  upstreamModel: 'model-under-test',
  displayName: 'Night',
  items: [itemOf('first', 'A lighthouse.'), itemOf('second', 'A harbour at night.')],
};

/** Polls after which a job that goes on counts as one without end. */
const pollsMax = 20;

const jobsOf = ({ provider }: ProviderUnderTest): ProviderJobs<BatchCall, BatchResult> => {
  assert.ok(provider.batches !== undefined, 'the provider takes batches');
  return provider.batches;
};

/** Arranges the scenario and begins a batch, with a call that the provider may not change. */
export const runBatch = (
  underTest: ProviderUnderTest,
  scenario: BatchScenario,
  watching: Watching = {},
): Promise<ProviderRun<{ readonly job: string }>> => {
  assert.ok(underTest.arrangeBatch !== undefined, 'batches can be arranged');
  const call = freeze(underTest.arrangeBatch(scenario, baseBatchCall));
  return runCall(underTest, watching, (context: CallContext) => jobsOf(underTest).start(call, context));
};

const begun = async (underTest: ProviderUnderTest, scenario: BatchScenario): Promise<string> => {
  const { job } = answered(await runBatch(underTest, scenario));
  assert.ok(typeof job === 'string' && job !== '', 'a job is named by a text');
  return job;
};

/** Begins a batch and asks until it is done; returns what it came to and how often it was still running. */
const askToTheEnd = async (underTest: ProviderUnderTest, scenario: BatchScenario) => {
  let job = await begun(underTest, scenario);
  for (let running = 0; running < pollsMax; running += 1) {
    const progress: JobProgress<BatchResult> = answered(
      await runCall(underTest, {}, (context) => jobsOf(underTest).poll(job, context)),
    );
    if (progress.kind === 'done')
      return { items: new Map(progress.result.items.map((item) => [item.key, item])), running };
    job = progress.job ?? job;
  }
  throw new assert.AssertionError({ message: 'a job has no end' });
};

const checkItem = (item: BatchResultItem | undefined): void => {
  assert.ok(item !== undefined, 'nothing is said of an item');
  if (item.kind === 'generation') checkGeneration(item.generation);
  else if (item.kind === 'embedding') checkEmbeddings(item.embeddings, 1);
  else throw new assert.AssertionError({ message: `an item is ${item.kind}` });
};

/** What taking whole batches owes beside the conduct of its beginning. */
export const batchCases: readonly ProviderCase[] = [
  {
    title: 'batches: names a job by which each item is found by its key, with its usage',
    promise: 'P30',
    needs: ['batches'],
    run: async (underTest) => {
      const { items } = await askToTheEnd(underTest, 'done');
      assert.deepEqual([...items.keys()].toSorted(), ['first', 'second']);
      for (const item of items.values()) {
        checkItem(item);
        assert.ok(item.kind === 'generation' && item.generation.usage.length > 0, 'an item is not measured');
      }
    },
  },
  {
    title: 'batches: says that a job goes on until it is done',
    promise: 'P28',
    needs: ['batches'],
    run: async (underTest) => {
      assert.equal((await askToTheEnd(underTest, 'running')).running, 2);
    },
  },
  {
    title: 'batches: tells an item that failed, and returns the others',
    promise: 'P30',
    needs: ['batches'],
    run: async (underTest) => {
      const { items } = await askToTheEnd(underTest, 'item_failed');
      checkItem(items.get('first'));
      assert.equal(items.get('second')?.kind, 'failed');
    },
  },
  ...pollCases({
    prefix: 'batches: ',
    needs: ['batches'],
    begin: begun,
    poll: (underTest, job, context) => jobsOf(underTest).poll(job, context),
  }),
];
