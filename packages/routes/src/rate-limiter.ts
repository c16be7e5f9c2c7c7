import type { RouteId } from '@tollgate/contract';

export interface RateQuestion {
  readonly keyId: string;
  readonly projectId: string;
  readonly accountId: string;
  readonly route: RouteId;
}

/** Refuses with 429 before anything is registered. Without one no call is refused for its rate (limits:rate:*). */
export type RateLimiter = (
  question: RateQuestion,
) => Promise<{ readonly kind: 'ok' } | { readonly kind: 'limited'; readonly retryAfterMs: number }>;
