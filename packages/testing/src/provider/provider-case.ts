import assert from 'node:assert/strict';
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

/** One rule for providers, and how it is seen to be kept. */
export interface ProviderCase {
  readonly title: string;
  /** The rule is about these; without one of them there is nothing to see. */
  readonly needs: readonly ProviderMethod[];
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

/** A method that cannot be arranged would go untested, and an arrangement without its method is a method that got lost. */
const has = (underTest: ProviderUnderTest, method: ProviderMethod): boolean => {
  const present = underTest.provider[method] !== undefined;
  const arrangement = arrangements[method];
  if (method !== 'generate' || present) {
    assert.equal(underTest[arrangement] !== undefined, present, `${arrangement} is there exactly where ${method} is`);
  }
  return present;
};

/** Runs a case as far as the provider has what it is about. */
export const runProviderCase = async ({ needs, run }: ProviderCase, underTest: ProviderUnderTest): Promise<void> => {
  if (needs.every((method) => has(underTest, method))) await run(underTest);
};
