import type { RouteId } from '@tollgate/contract';

export interface RateQuestion {
  readonly keyId: string;
  readonly projectId: string;
  readonly accountId: string;
  readonly route: RouteId;
  /** Aborts when the gateway waits for the answer no longer (`limiterMs`). */
  readonly signal: AbortSignal;
}

// limits:rate:*
/** Refuses with 429 before anything is registered. Without one no call is refused for its rate. What becomes of a call whose limiter takes too long, throws or answers anything else is `onLimiterFailure`. */
export type RateLimiter = (
  question: RateQuestion,
) => Promise<{ readonly kind: 'ok' } | { readonly kind: 'limited'; readonly retryAfterMs: number }>;
