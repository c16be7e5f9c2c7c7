import { settledWithin } from '../broken-promise.ts';
import { runProviderCase, whySkipped } from './provider-case.ts';
import { providerCases } from './provider-cases.ts';
import type { ProviderUnderTest } from './provider-under-test.ts';
import { skipTest, type TestRunner } from '../test-runner.ts';

/** How long an opening and a closing may take. */
const openMsMax = 30_000;
const closeMsMax = 5_000;

/**
 * Registers the tests that every provider must pass. There is no way to leave one out: a capability that an upstream lacks
 * is a method that its provider does not have, and the tests of it are skipped with that reason.
 */
export const describeProvider = (
  { describe, test }: TestRunner,
  name: string,
  create: () => Promise<ProviderUnderTest>,
): void => {
  describe(`${name} keeps the rules of a provider`, () => {
    for (const providerCase of providerCases) {
      const title = `${providerCase.promise}: ${providerCase.title}`;
      test(title, async (...[context]) => {
        const underTest = await settledWithin(openMsMax, create());
        try {
          const why = whySkipped(providerCase, underTest);
          if (why === undefined) await runProviderCase(providerCase, underTest);
          else skipTest(context, title, why);
        } finally {
          await settledWithin(closeMsMax, underTest.close());
        }
      });
    }
  });
};
