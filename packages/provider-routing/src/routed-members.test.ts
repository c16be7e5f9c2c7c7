import type { Provider } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { balance } from './balance.ts';
import { byModel } from './by-model.ts';
import { withBudget } from './with-budget.ts';
import { withCircuitBreaker } from './with-circuit-breaker.ts';
import { withConcurrency } from './with-concurrency.ts';
import { withFallback } from './with-fallback.ts';
import { withHedging } from './with-hedging.ts';
import { withModelNames } from './with-model-names.ts';
import { withRetry } from './with-retry.ts';

const never = (): Promise<never> => Promise.reject(new Error('not asked'));
const jobs = { start: never, poll: never, cancel: never };

/** Has every member of the interface: one that is added does not compile until it stands here, and then has to be routed. */
const whole: Required<Provider> = {
  name: 'whole',
  generate: never,
  generateStream: never,
  embed: never,
  moderate: never,
  countTokens: never,
  files: { upload: never, state: never, remove: never },
  videos: jobs,
  batches: jobs,
  caches: { create: never, extend: never, remove: never },
  stores: { create: never, imports: { start: never, poll: never }, removeDocument: never, remove: never },
  interactions: jobs,
  live: { connect: never },
  takesInteraction: () => true,
  runsTool: () => true,
  takesServiceTier: () => true,
  close: () => Promise.resolve(),
};

test.each<readonly [string, (provider: Provider) => Provider]>([
  ['byModel', (provider) => byModel({ model: provider })],
  ['withFallback', (provider) => withFallback([provider])],
  ['withHedging', (provider) => withHedging([provider], { afterMs: 1_000 })],
  ['balance', (provider) => balance([{ provider }])],
  ['withRetry', (provider) => withRetry(provider)],
  ['withCircuitBreaker', (provider) => withCircuitBreaker(provider)],
  ['withConcurrency', (provider) => withConcurrency(provider, { inFlightMax: 1 })],
  ['withModelNames', (provider) => withModelNames(provider, {})],
  ['withBudget', (provider) => withBudget(provider, { windowMs: 1_000, units: { images: 1 } })],
])('%s has every member that its provider has', (_, combine) => {
  expect(Object.keys(combine(whole)).toSorted()).toEqual(Object.keys(whole).toSorted());
  expect(Object.keys(combine({ name: 'nothing' }))).toEqual(['name']);
});
