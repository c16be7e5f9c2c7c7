import assert from 'node:assert/strict';
import type { CallContext, JobProgress } from '@tollgate/provider';
import type { ProviderCase, ProviderMethod } from '../provider-case.ts';
import { answered, checkSecrets, runCall } from '../provider-run.ts';
import type { ProviderUnderTest } from '../provider-under-test.ts';

/** A kind of job: how one is begun, and asked for. */
export interface AskingForJob {
  readonly prefix: string;
  readonly needs: readonly ProviderMethod[];
  readonly begin: (underTest: ProviderUnderTest, scenario: 'poll_lost' | 'poll_refused') => Promise<string>;
  readonly poll: (underTest: ProviderUnderTest, job: string, context: CallContext) => Promise<JobProgress<unknown>>;
}

/** Polls after which a job that goes on counts as one without end. */
const pollsMax = 20;

const pollCase = (
  scenario: 'poll_lost' | 'poll_refused',
  title: string,
  { prefix, needs, begin, poll }: AskingForJob,
): ProviderCase => ({
  title: `${prefix}${title}`,
  promise: 'P29',
  needs,
  run: async (underTest) => {
    let job = await begin(underTest, scenario);
    const first = await runCall(underTest, {}, (context) => poll(underTest, job, context));
    assert.equal(first.answer, undefined, 'the question was answered');
    checkSecrets(first.failure, underTest.secrets);
    const reason = first.failure instanceof Error && 'reason' in first.failure ? first.failure.reason : null;
    assert.ok(!['failed', 'invalid_request', 'input_limit'].includes(String(reason)), `called ${String(reason)}`);
    for (let polls = 0; polls < pollsMax; polls += 1) {
      const asked = job;
      const progress = answered(await runCall(underTest, {}, (context) => poll(underTest, asked, context)));
      if (progress.kind === 'done') return;
      job = progress.job ?? job;
    }
    throw new assert.AssertionError({ message: 'a job has no end' });
  },
});

/** What a question for a job says of it that is not answered: nothing, so that its hold is not released. */
export const pollCases = (asking: AskingForJob): readonly ProviderCase[] => [
  pollCase('poll_lost', 'does not take a question that was not answered for a job that failed', asking),
  pollCase('poll_refused', 'does not take a question that was refused for a job that failed', asking),
];
