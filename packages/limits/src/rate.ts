import type { LimitReport } from '@tollgate/engine';
import type { LimitBucket } from './limit-buckets.ts';

/** How much of a limit may be used at once, as the time in which it comes back. */
export interface Burst {
  /** Of requests; tokens always have the whole minute, as one request may take most of it. */
  readonly requestsMs: number;
}

const minuteUs = 60_000_000;
const usPerMs = 1_000;

/**
 * A rate is kept as one time, to the microsecond: the one at which all that was taken has come back (the generic cell rate
 * algorithm, whose theoretical arrival time this is). Taking puts it off, and it may lie ahead by a burst at the most.
 */
export const incrementUs = (limit: number, cost: number): number => Math.ceil((cost * minuteUs) / limit);

/** How far ahead the time may lie. One request always fits, however short the burst. */
export const burstUs = ({ amount, limit }: Pick<LimitBucket, 'amount' | 'limit'>, { requestsMs }: Burst): number =>
  amount === 'tokens' ? minuteUs : Math.max(requestsMs * usPerMs, incrementUs(limit, 1));

/** The time after a cost was taken. */
export const takenUs = ({ limit, cost }: Pick<LimitBucket, 'limit' | 'cost'>, backUs: number, nowUs: number): number =>
  Math.max(backUs, nowUs) + incrementUs(limit, cost);

/** Whether a cost is more than the limit ever has. */
export const isTooLarge = (bucket: Pick<LimitBucket, 'amount' | 'limit' | 'cost'>, burst: Burst): boolean =>
  incrementUs(bucket.limit, bucket.cost) > burstUs(bucket, burst);

/** How long to wait until a cost fits; 0 where it does now. */
export const waitUs = (bucket: LimitBucket, burst: Burst, backUs: number, nowUs: number): number =>
  Math.max(0, takenUs(bucket, backUs, nowUs) - nowUs - burstUs(bucket, burst));

/** What is left of a limit. */
export const reportOf = (
  { level, limit }: LimitBucket,
  amount: LimitReport['amount'],
  leftUs: number,
  aheadUs: number,
): LimitReport => ({
  level,
  amount,
  limit,
  remaining: Math.max(0, Math.floor((leftUs * limit) / minuteUs + 1e-6)),
  resetMs: Math.ceil(aheadUs / usPerMs),
});
