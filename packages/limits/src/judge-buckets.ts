import type { LimitReport, LimitVerdict } from '@tollgate/engine';
import type { LimitBucket } from './limit-buckets.ts';
import { burstUs, isTooLarge, reportOf, waitUs, type Burst } from './rate.ts';

/** A limit that a question falls under, and what is known of it. */
export interface KnownBucket {
  readonly bucket: LimitBucket;
  readonly state: {
    /** When all that was taken has come back. */
    readonly backUs: number;
    /** Requests and sessions that run. */
    readonly running: number;
  };
}

/** How buckets are judged. */
export interface Judging {
  readonly burst: Burst;
  readonly concurrencyRetryMs: number;
}

const usPerMs = 1_000;

/** How long until the request fits into one limit; 0 where it does. */
const waitMsOf = ({ burst, concurrencyRetryMs }: Judging, { bucket, state }: KnownBucket, nowUs: number): number => {
  if (bucket.amount === 'concurrency') return state.running < bucket.limit ? 0 : concurrencyRetryMs;
  return waitUs(bucket, burst, state.backUs, nowUs) / usPerMs;
};

/** What a caller reads of its limits. */
export const reportsOf = ({ burst }: Judging, known: readonly KnownBucket[], nowUs: number): readonly LimitReport[] =>
  known.flatMap(({ bucket, state }) => {
    if (bucket.amount === 'concurrency') return [];
    const aheadUs = Math.max(0, state.backUs - nowUs);
    return [reportOf(bucket, bucket.amount, burstUs(bucket, burst) - aheadUs, aheadUs)];
  });

/** The first limit that is smaller than the request alone. */
export const tooLargeOf = ({ burst }: Judging, buckets: readonly LimitBucket[]): LimitBucket | null =>
  buckets.find((bucket) => bucket.amount !== 'concurrency' && isTooLarge(bucket, burst)) ?? null;

/** The refusal of a request that is more than a limit ever has. */
export const tooLargeVerdict = (
  { level, amount, limit }: LimitBucket,
  reports: readonly LimitReport[],
): LimitVerdict => ({
  kind: 'too_large',
  level,
  amount,
  limit,
  retryAfterMs: 0,
  reports,
});

/** A refusal and the limit that made it. */
export interface JudgedRefusal {
  readonly bucket: LimitBucket;
  readonly refusal: Exclude<LimitVerdict, { readonly kind: 'admitted' }>;
}

/** The limit that the request waits for longest, so that one repeat is enough; null where it fits into all. */
export const refusalOf = (judging: Judging, known: readonly KnownBucket[], nowUs: number): JudgedRefusal | null => {
  let longest: { readonly bucket: LimitBucket; readonly waitMs: number } | null = null;
  for (const one of known) {
    const waitMs = waitMsOf(judging, one, nowUs);
    if (waitMs > (longest?.waitMs ?? 0)) longest = { bucket: one.bucket, waitMs };
  }
  if (longest === null) return null;
  const { bucket, waitMs } = longest;
  const { level, amount, limit } = bucket;
  const retryAfterMs = Math.ceil(waitMs);
  return {
    bucket,
    refusal: { kind: 'limited', level, amount, limit, retryAfterMs, reports: reportsOf(judging, known, nowUs) },
  };
};
