import { callable, checkConfiguration, optionsCheck, whole } from '@tollgate/contract/configuration';
import type { LimitQuestion, LimitVerdict, UsageLimiter } from '@tollgate/engine';
import { createBoundedBuckets, type BoundedBuckets, type BucketState } from './bounded-buckets.ts';
import { bucketsOf, type LimitBucket, type LimitsOf } from './limit-buckets.ts';
import { concurrencyRetryMsDefault, limitsChecks, minuteMs, type LimitsOptions } from './limits-options.ts';
import { refusalOf, reportsOf, tooLargeOf, tooLargeVerdict, type Judging } from './judge-buckets.ts';
import { incrementUs, takenUs } from './rate.ts';

export interface MemoryLimitsOptions extends LimitsOptions {
  /**
   * Limits of callers that are remembered (default 100,000, each some 200 bytes). Beyond it the one that was used longest ago is
   * forgotten, and begins anew.
   */
  readonly bucketsMax?: number;
  /** A clock that never goes back; by default `performance.now`. */
  readonly monotonicMs?: () => number;
}

const bucketsMaxDefault = 100_000;
const usPerMs = 1_000;

const optionsSound = optionsCheck<MemoryLimitsOptions>({
  ...limitsChecks,
  bucketsMax: whole({ min: 1, max: 10_000_000 }),
  monotonicMs: callable(),
});

interface Parts extends Judging {
  readonly buckets: BoundedBuckets;
  readonly limitsOf: LimitsOf | null;
  readonly nowUs: () => number;
}

/** A limit that the question falls under, with what is known of it. */
interface Found {
  readonly bucket: LimitBucket;
  readonly state: BucketState;
}

const take = ({ bucket, state }: Found, nowUs: number): void => {
  if (bucket.amount === 'concurrency') state.running += 1;
  else state.backUs = takenUs(bucket, state.backUs, nowUs);
};

/** More than was reserved is a debt, which the next requests wait for; less is given back. */
const settle = ({ bucket, state }: Found, tokens: number | null): void => {
  if (bucket.amount === 'concurrency') state.running -= 1;
  else if (bucket.amount === 'tokens' && tokens !== null)
    state.backUs += incrementUs(bucket.limit, tokens) - incrementUs(bucket.limit, bucket.cost);
};

const reserve = (parts: Parts, question: LimitQuestion): LimitVerdict => {
  const nowUs = parts.nowUs();
  const found = bucketsOf(question, parts.limitsOf).map((bucket) => ({ bucket, state: parts.buckets.find(bucket.id) }));
  const tooLarge = tooLargeOf(
    parts,
    found.map(({ bucket }) => bucket),
  );
  if (tooLarge !== null) return tooLargeVerdict(tooLarge, reportsOf(parts, found, nowUs));
  const refused = refusalOf(parts, found, nowUs);
  if (refused !== null) return refused.refusal;
  for (const one of found) take(one, nowUs);
  let isReleased = false;
  const release = ({ tokens }: { readonly tokens: number | null }): void => {
    if (isReleased) return;
    isReleased = true;
    for (const one of found) settle(one, tokens);
  };
  return { kind: 'admitted', ticket: { release }, reports: reportsOf(parts, found, nowUs) };
};

/** Limits by key, project and account in the memory of one process: several processes admit as much each. */
export const memoryLimits = (options: MemoryLimitsOptions = {}): UsageLimiter => {
  checkConfiguration('memoryLimits', optionsSound, options);
  const monotonicMs = options.monotonicMs ?? (() => performance.now());
  const parts: Parts = {
    buckets: createBoundedBuckets(options.bucketsMax ?? bucketsMaxDefault),
    burst: { requestsMs: options.requestsBurstMs ?? minuteMs },
    limitsOf: options.limitsOf ?? null,
    concurrencyRetryMs: options.concurrencyRetryMs ?? concurrencyRetryMsDefault,
    nowUs: () => Math.floor(monotonicMs() * usPerMs),
  };
  return { reserve: (question) => reserve(parts, question) };
};
