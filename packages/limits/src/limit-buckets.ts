import type { AccessIds, LevelLimits, LimitedAmount, LimitLevel, LimitQuestion } from '@tollgate/engine';
import { checkLimits } from './check-limits.ts';

/** One limit of one caller, and what a request takes of it. */
export interface LimitBucket {
  /** Tells it from every other: level, id of the record and amount. */
  readonly id: string;
  readonly level: LimitLevel;
  readonly amount: LimitedAmount;
  readonly limit: number;
  readonly cost: number;
}

/** The limits that a host gives callers by itself. */
export type LimitsOf = (caller: AccessIds) => LevelLimits | null | undefined;

const levels = [
  ['key', 'keyId'],
  ['project', 'projectId'],
  ['account', 'accountId'],
] as const satisfies readonly (readonly [LimitLevel, keyof AccessIds])[];

const amounts = [
  ['requests', 'requestsPerMinute'],
  ['tokens', 'tokensPerMinute'],
  ['concurrency', 'concurrentRequests'],
] as const;

/** A limit of 0 would never admit anything, and no wait would help: a key that may do nothing is switched off instead. */
const checkLimit = (limit: number, level: LimitLevel, member: string): number => {
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw new RangeError(`${member} of the ${level} is ${limit}; accepted is a whole number from 1`);
  return limit;
};

/** Every limit that a question falls under; a limit of the caller's records stands before the same one of the host's function. */
export const bucketsOf = (
  { caller, limits, takes }: LimitQuestion,
  limitsOf: LimitsOf | null,
): readonly LimitBucket[] => {
  const given = limitsOf?.(caller) ?? null;
  if (given !== null) checkLimits(given);
  const buckets: LimitBucket[] = [];
  for (const [level, name] of levels) {
    const own = limits?.[level];
    const other = given?.[level];
    if ((own === undefined || own === null) && (other === undefined || other === null)) continue;
    for (const [amount, member] of amounts) {
      const limit = own?.[member] ?? other?.[member];
      if (limit === undefined || takes[amount] === 0) continue;
      const id = `${level}:${caller[name]}:${amount}`;
      buckets.push({ id, level, amount, limit: checkLimit(limit, level, member), cost: takes[amount] });
    }
  }
  return buckets;
};
