import { runProviderCase } from './provider-case.ts';
import { providerCases } from './provider-cases.ts';
import type { ProviderUnderTest } from './provider-under-test.ts';
import type { TestRunner } from '../test-runner.ts';

/**
 * Registers the tests that every provider must pass. There is no way to leave one out: a capability that an upstream lacks
 * is a method that its provider does not have.
 */
export const describeProvider = (
  { describe, test }: TestRunner,
  name: string,
  create: () => Promise<ProviderUnderTest>,
): void => {
  describe(`${name} keeps the rules of a provider`, () => {
    for (const providerCase of providerCases) {
      test(providerCase.title, async () => {
        const underTest = await create();
        try {
          await runProviderCase(providerCase, underTest);
        } finally {
          await underTest.close();
        }
      });
    }
  });
};
