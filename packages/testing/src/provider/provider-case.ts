import assert from 'node:assert/strict';
import { BrokenPromise, settledWithin } from '../broken-promise.ts';
import { isPrintedBy } from './printed-secrets.ts';
import { brokenPromise, proving, type PromiseId } from './provider-promises.ts';
import type { ProviderUnderTest } from './provider-under-test.ts';

/** What a provider may have. */
export type ProviderMethod =
  | 'generate'
  | 'generateStream'
  | 'embed'
  | 'countTokens'
  | 'files'
  | 'videos'
  | 'interactions'
  | 'batches'
  | 'caches';

/** What a case may be about beside methods. */
export type ProviderNeed = ProviderMethod | 'impatient';

/** One rule for providers, and how it is seen to be kept. */
export interface ProviderCase {
  readonly title: string;
  /** What the case proves. */
  readonly promise: PromiseId;
  /** The rule is about these; without one of them the case is skipped. */
  readonly needs: readonly ProviderNeed[];
  readonly run: (underTest: ProviderUnderTest) => Promise<void>;
}

const arrangements = {
  generate: 'arrange',
  generateStream: 'arrangeStream',
  embed: 'arrangeEmbed',
  countTokens: 'arrangeCount',
  files: 'arrangeFile',
  videos: 'arrangeVideo',
  interactions: 'arrangeInteraction',
  batches: 'arrangeBatch',
  caches: 'arrangeCache',
} as const satisfies { readonly [M in ProviderMethod]: keyof ProviderUnderTest };

/** Why a case about this does not apply; undefined where it does. */
const lacks = (underTest: ProviderUnderTest, need: ProviderNeed): string | undefined => {
  if (need === 'impatient')
    return underTest.impatient === null ? 'the provider has no time limit of its own' : undefined;
  const isPresent = underTest.provider[need] !== undefined;
  const arrangement = arrangements[need];
  // A method that cannot be arranged would go untested, and an arrangement without its method is a method that got lost.
  if (need !== 'generate' || isPresent)
    assert.equal(underTest[arrangement] !== undefined, isPresent, `${arrangement} is there exactly where ${need} is`);
  return isPresent ? undefined : `the provider has no ${need}`;
};

/** Why a case does not apply to a provider; undefined where it does. */
export const whySkipped = ({ needs }: ProviderCase, underTest: ProviderUnderTest): string | undefined =>
  needs.map((need) => lacks(underTest, need)).find((why) => why !== undefined);

/** Longest run of a case, all of its calls together; below the limit that vitest has for a test. */
const caseMsMax = 4_500;

/** Runs a case to its end; returns what it failed with. */
const failureOf = async (
  { run }: ProviderCase,
  underTest: ProviderUnderTest,
): Promise<{ readonly cause: unknown } | null> =>
  settledWithin(
    caseMsMax,
    run(underTest).then(
      () => null,
      (cause: unknown) => ({ cause }),
    ),
  ).catch((cause: unknown) => {
    throw brokenPromise('P32', cause);
  });

/** Runs a case that applies. A failure names the promise that is broken. */
export const runProviderCase = async (providerCase: ProviderCase, underTest: ProviderUnderTest): Promise<void> => {
  const isPrinted = await isPrintedBy(underTest.secrets, async () => {
    const failure = await failureOf(providerCase, underTest);
    if (failure === null) return;
    const { cause } = failure;
    throw cause instanceof BrokenPromise ? cause : brokenPromise(providerCase.promise, cause);
  });
  proving('P18', () => assert.ok(!isPrinted, 'a key or words of the upstream are printed'));
};
