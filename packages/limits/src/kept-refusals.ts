import type { LimitVerdict } from '@tollgate/engine';
import type { LimitBucket } from './limit-buckets.ts';

type Refusal = Exclude<LimitVerdict, { readonly kind: 'admitted' }>;

interface Kept {
  readonly refusal: Refusal;
  readonly cost: number;
  readonly atMs: number;
  readonly untilMs: number;
}

/** Refusals that this process repeats for a moment without asking the database again. */
export interface KeptRefusals {
  readonly find: (buckets: readonly LimitBucket[]) => Refusal | null;
  readonly keep: (bucket: LimitBucket, refusal: Refusal) => void;
}

/** Refusals that are kept at the most. */
const refusalsMax = 10_000;

/**
 * A client that goes on after a refusal costs nothing but memory: it is refused again for `keptMs`, or until its wait is over if that
 * is sooner. A place or tokens that come back in that time are admitted that much later.
 */
export const createKeptRefusals = (monotonicMs: () => number, keptMs: number): KeptRefusals => {
  const refusals = new Map<string, Kept>();
  const findOne = ({ id, cost }: LimitBucket, nowMs: number): Refusal | null => {
    const kept = refusals.get(id);
    if (kept === undefined) return null;
    if (nowMs >= kept.untilMs) {
      refusals.delete(id);
      return null;
    }
    if (cost < kept.cost) return null;
    const retryAfterMs = Math.max(1, Math.ceil(kept.refusal.retryAfterMs - (nowMs - kept.atMs)));
    return { ...kept.refusal, retryAfterMs };
  };
  return {
    find: (buckets) => {
      if (refusals.size === 0) return null;
      const nowMs = monotonicMs();
      for (const bucket of buckets) {
        const refusal = findOne(bucket, nowMs);
        if (refusal !== null) return refusal;
      }
      return null;
    },
    keep: ({ id, cost }, refusal) => {
      const atMs = monotonicMs();
      const [oldest] = refusals.keys();
      if (refusals.size >= refusalsMax && oldest !== undefined) refusals.delete(oldest);
      refusals.set(id, { refusal, cost, atMs, untilMs: atMs + Math.min(keptMs, refusal.retryAfterMs) });
    },
  };
};
