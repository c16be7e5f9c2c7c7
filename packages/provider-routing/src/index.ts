export { balance, type BalancedProvider, type BalanceOptions } from './balance.ts';
export type { BalanceOrder, LatencyOrder, StickyOrder } from './balance-order.ts';
export { byModel, type ByModelOptions, type ModelChoice, type ModelTable } from './by-model.ts';
export { withCircuitBreaker, type CircuitBreakerOptions } from './with-circuit-breaker.ts';
export { withConcurrency, type ConcurrencyOptions } from './with-concurrency.ts';
export { withFallback, type FallbackOptions } from './with-fallback.ts';
export { withHedging, type HedgePercentile, type HedgingOptions } from './with-hedging.ts';
export { withModelNames } from './with-model-names.ts';
export { withRetry, type RetryOptions } from './with-retry.ts';
