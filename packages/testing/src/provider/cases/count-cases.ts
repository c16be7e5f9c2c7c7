import assert from 'node:assert/strict';
import type { Usage } from '@tollgate/provider';
import { checkUsage } from '../generation-checks.ts';
import type { ProviderCase } from '../provider-case.ts';
import { answered, baseCall, checkSecrets, refusalOf, runCall, type ProviderRun } from '../provider-run.ts';
import type { CountScenario, ProviderUnderTest } from '../provider-under-test.ts';

const runCount = async (
  underTest: ProviderUnderTest,
  scenario: CountScenario,
  signal?: AbortSignal,
): Promise<ProviderRun<readonly Usage[]>> => {
  const { provider, arrangeCount } = underTest;
  assert.ok(provider.countTokens !== undefined && arrangeCount !== undefined, 'the provider counts');
  const countTokens = provider.countTokens.bind(provider);
  const call = arrangeCount(scenario, baseCall);
  return runCall(underTest, { signal }, (context) => countTokens(call, context));
};

/** What counting owes: it estimates the input of a call and costs nothing. */
export const countCases: readonly ProviderCase[] = [
  {
    title: 'counting: counts the input, and only the input',
    promise: 'P26',
    needs: ['countTokens'],
    run: async (underTest) => {
      const before = underTest.upstreamRequests();
      const run = await runCount(underTest, 'counted');
      const usage = answered(run);
      checkUsage(usage);
      assert.ok(
        usage.some(({ quantity }) => quantity > 0),
        'nothing was counted',
      );
      assert.ok(
        usage.every(({ unit }) => /^(input|cached|tool_use_input)_/.test(unit)),
        'output was counted',
      );
      assert.equal(run.attempts.length, underTest.upstreamRequests() - before);
    },
  },
  {
    title: 'counting: fails in its own words',
    promise: 'P14',
    needs: ['countTokens'],
    run: async (underTest) => {
      const run = await runCount(underTest, 'unavailable');
      assert.equal(refusalOf(run).reason, 'unavailable');
      checkSecrets(run.failure, underTest.secrets);
    },
  },
  {
    title: 'counting: sends nothing for a call that is already given up',
    promise: 'P21',
    needs: ['countTokens'],
    run: async (underTest) => {
      const before = underTest.upstreamRequests();
      const run = await runCount(underTest, 'counted', AbortSignal.abort());
      assert.equal(run.answer, undefined, 'the call was answered');
      assert.equal(underTest.upstreamRequests(), before);
    },
  },
];
