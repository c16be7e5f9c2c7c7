import type { Provider } from '@tollgate/provider';
import { balance, withCircuitBreaker, withConcurrency, withFallback } from '@tollgate/provider-routing';
import { openaiProvider } from 'tollgate';
import type { Upstream } from './start-upstream.ts';

/** Names are how attempts tell upstreams apart. One wire call each: who is asked next is decided here, not there. */
const providerOf = (name: string, { baseUrl }: Upstream): Provider =>
  openaiProvider({ name, baseUrl, retry: { attemptsMax: 1 } });

export interface Upstreams {
  readonly cheap: Upstream;
  readonly large: Upstream;
  readonly small: Upstream;
}

/** How many failures in a row it takes until the cheap one is left alone for a while. */
export const failuresMax = 2;

/** The cheap one first, as long as it does its work; otherwise two others share what comes, two calls to one. */
export const manyProviders = ({ cheap, large, small }: Upstreams): Provider =>
  withConcurrency(
    withFallback([
      withCircuitBreaker(providerOf('cheap', cheap), { failuresMax, openMs: 60_000 }),
      balance(
        [
          { provider: providerOf('large', large), weight: 2 },
          { provider: providerOf('small', small), weight: 1 },
        ],
        { fallback: true },
      ),
    ]),
    { inFlightMax: 100, waitingMax: 1_000 },
  );
