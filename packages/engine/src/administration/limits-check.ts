import { nullable, optionsCheck, whole } from '@tollgate/contract/configuration';
import type { LimitsRecord } from '@tollgate/storage';
import type { CallerLimits } from '../ports/caller-limits.ts';

/** The highest limit that a record holds; the host's claim of a caller is bounded alike. */
export const rateMax = 1_000_000_000;

const rate = whole({ min: 1, max: rateMax });

/** What a limiter allows an account, a project or a key, or null for none of their own. */
export const limitsCheck = nullable(
  optionsCheck<CallerLimits>({ requestsPerMinute: rate, tokensPerMinute: rate, concurrentRequests: rate }),
);

/**
 * Without members that are undefined, which JSON cannot keep, and null where none is left, so that none has one form. Without limits
 * undefined: they stay.
 */
export const keptLimits = (limits: CallerLimits | null | undefined): LimitsRecord | null | undefined => {
  if (limits === null || limits === undefined) return limits;
  const given = Object.entries(limits).filter(([, limit]) => limit !== undefined);
  return given.length === 0 ? null : Object.fromEntries(given);
};
