import { runProviderCase, whySkipped } from './provider-case.ts';
import { providerCases } from './provider-cases.ts';
import type { ProviderUnderTest } from './provider-under-test.ts';
import { skipTest, type TestRunner } from '../test-runner.ts';

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
        const underTest = await create();
        try {
          const why = whySkipped(providerCase, underTest);
          if (why === undefined) await runProviderCase(providerCase, underTest);
          else skipTest(context, title, why);
        } finally {
          await underTest.close();
        }
      });
    }
  });
};
