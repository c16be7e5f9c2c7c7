import type { Provider } from '@tollgate/provider';
import {
  balance,
  byModel,
  withBudget,
  withCircuitBreaker,
  withConcurrency,
  withFallback,
  withHedging,
  withModelNames,
  withRetry,
} from '@tollgate/provider-routing';

// #region whole
/** Models of one vendor have one provider; all others go to two regions, and as a fallback to a more expensive vendor. */
export const manyProviders = (vendor: Provider, west: Provider, east: Provider, reserve: Provider): Provider => {
  const regions = balance([
    { provider: withCircuitBreaker(west), weight: 2 },
    { provider: withCircuitBreaker(east), weight: 1 },
  ]);
  const open = withFallback([regions, withModelNames(reserve, { 'open-small': 'reserve/small-2' })]);
  return byModel({
    members: [vendor, open],
    choose: (upstreamModel) => (upstreamModel.startsWith('vendor-') ? vendor : open),
  });
};
// #endregion whole

// #region table
export const byTable = (google: Provider, openai: Provider): Provider =>
  byModel({ 'gemini-flash': google, 'gpt-small': openai });
// #endregion table

// #region bounds
export const bounded = (provider: Provider): Provider =>
  withRetry(withConcurrency(provider, { inFlightMax: 200, waitingMax: 1_000, waitMsMax: 2_000 }), {
    attemptsMax: 3,
    waitMs: 200,
    waitMsMax: 2_000,
  });
// #endregion bounds

// #region breaker
export const perModel = (provider: Provider): Provider =>
  withCircuitBreaker(provider, { failuresMax: 5, openMs: 30_000, probesMax: 1, per: 'model' });
// #endregion breaker

// #region speed
/** A second provider is asked beside a slow one. */
export const hedged = (first: Provider, second: Provider): Provider =>
  withHedging([first, second], { afterMs: { percentile: 95, elseMs: 4_000 } });

/** A provider that is silent for five seconds is given up for the next one. */
export const startsInTime = (first: Provider, second: Provider): Provider =>
  withFallback([first, second], { firstPieceMs: 5_000 });
// #endregion speed

// #region order
/** The prompts of one project find the same cache. */
export const sticky = (west: Provider, east: Provider): Provider =>
  balance([{ provider: withCircuitBreaker(west) }, { provider: withCircuitBreaker(east) }], {
    order: { kind: 'sticky', to: 'project' },
  });

/** The region that answers sooner gets more calls. */
export const fastest = (west: Provider, east: Provider): Provider =>
  balance([{ provider: west }, { provider: east }], { order: { kind: 'latency' }, fallback: true });
// #endregion order

// #region budget
/** At most 50 of the host's currency a day at this provider; then the reserve. */
export const withinBudget = (provider: Provider, reserve: Provider): Provider =>
  withFallback([
    withBudget(provider, {
      windowMs: 86_400_000,
      micros: 50_000_000,
      costs: { '*': { input_text_tokens: 2.5, cached_input_tokens: 0.25, output_text_tokens: 10 } },
    }),
    reserve,
  ]);
// #endregion budget
