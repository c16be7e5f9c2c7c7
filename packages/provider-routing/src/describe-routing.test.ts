import type { Provider } from '@tollgate/provider';
import { scriptedUnderTest } from '@tollgate/testing/fakes';
import { describeProvider } from '@tollgate/testing/provider';
import { describe, test } from 'vitest';
import { balance } from './balance.ts';
import { byModel } from './by-model.ts';
import { withBudget } from './with-budget.ts';
import { withCircuitBreaker } from './with-circuit-breaker.ts';
import { withConcurrency } from './with-concurrency.ts';
import { withFallback } from './with-fallback.ts';
import { withHedging } from './with-hedging.ts';
import { withModelNames } from './with-model-names.ts';
import { withRetry } from './with-retry.ts';

/** A member without any method is passed over. */
const incapable: Provider = { name: 'incapable' };

const combinators: Readonly<Record<string, (scripted: Provider) => Provider>> = {
  byModel: (scripted) => byModel({ 'model-under-test': scripted, other: incapable }),
  withFallback: (scripted) => withFallback([incapable, scripted]),
  'withFallback with a limit on the first piece': (scripted) =>
    withFallback([incapable, scripted], { firstPieceMs: 60_000 }),
  withHedging: (scripted) => withHedging([incapable, scripted, { name: 'other' }], { afterMs: 60_000 }),
  balance: (scripted) => balance([{ provider: incapable, weight: 9 }, { provider: scripted }]),
  'balance by what stays together': (scripted) =>
    balance([{ provider: incapable }, { provider: scripted }], { order: { kind: 'sticky' } }),
  'balance by latency': (scripted) =>
    balance([{ provider: incapable }, { provider: scripted }], { order: { kind: 'latency' } }),
  withBudget: (scripted) =>
    withBudget(scripted, { windowMs: 86_400_000, units: { output_text_tokens: 1_000_000_000 } }),
  withRetry: (scripted) => withRetry(scripted, { attemptsMax: 1 }),
  withCircuitBreaker: (scripted) => withCircuitBreaker(scripted),
  withConcurrency: (scripted) => withConcurrency(scripted, { inFlightMax: 1, waitingMax: 1 }),
  withModelNames: (scripted) => withModelNames(scripted, { 'model-under-test': 'renamed' }),
  'all of them together': (scripted) =>
    byModel({
      'model-under-test': withConcurrency(
        withFallback([
          incapable,
          balance([{ provider: withCircuitBreaker(withRetry(withModelNames(scripted, {}), { attemptsMax: 1 })) }]),
        ]),
        { inFlightMax: 2 },
      ),
    }),
};

for (const [name, combine] of Object.entries(combinators)) {
  describeProvider({ describe, test }, name, () => Promise.resolve(scriptedUnderTest(combine)));
}
