import { asUpstreamId, type Attempt, type Usage } from '@tollgate/provider';
import type { AttemptRecord, UsageRecord } from '@tollgate/storage';

const isCounted = ({ quantity }: Usage): boolean => Number.isSafeInteger(quantity) && quantity > 0;

/** Lower bounds as they are kept: one sum for each unit, without what is no count. Null where nothing is known. */
export const leastRecords = (usage: readonly Usage[]): readonly UsageRecord[] | null => {
  const sums = new Map<string, number>();
  for (const meter of usage.filter(isCounted)) {
    const sum = (sums.get(meter.unit) ?? 0) + meter.quantity;
    if (Number.isSafeInteger(sum)) sums.set(meter.unit, sum);
  }
  return sums.size === 0 ? null : Array.from(sums, ([unit, quantity]) => ({ unit, quantity }));
};

/** An attempt as it is kept: the provider's own name on it, and no id of the upstream that could not be stored and printed. */
export const keptAttempt = (provider: string, attempt: Attempt): AttemptRecord => {
  const { startedAtMs, durationMs, status, outcome } = attempt;
  const upstreamId = asUpstreamId(attempt.upstreamId);
  const answerId = asUpstreamId(attempt.answerId);
  const usageAtLeast = leastRecords(attempt.usageAtLeast ?? []);
  const kept: { -readonly [Name in keyof AttemptRecord]: AttemptRecord[Name] } = {
    provider: attempt.provider ?? provider,
    startedAtMs,
    durationMs,
    status,
    outcome,
  };
  if (upstreamId !== undefined) kept.upstreamId = upstreamId;
  if (answerId !== undefined) kept.answerId = answerId;
  if (attempt.abandoned === true) kept.abandoned = true;
  if (usageAtLeast !== null) kept.usageAtLeast = usageAtLeast;
  return kept;
};

/** What of a lower bound no attempt says of itself. */
const unnoted = (attempts: readonly AttemptRecord[], usage: readonly Usage[]): readonly UsageRecord[] | null => {
  const noted = attempts.flatMap(({ usageAtLeast = [] }) => usageAtLeast);
  const rest = (leastRecords(usage) ?? []).flatMap(({ unit, quantity }) => {
    const own = noted.reduce((sum, each) => (each.unit === unit ? sum + each.quantity : sum), 0);
    return quantity > own ? [{ unit, quantity: quantity - own }] : [];
  });
  return rest.length === 0 ? null : rest;
};

/**
 * Notes what a call used at the least, on the last of its attempts whose outcome is unknown; where all are known, on the last. What
 * abandoned attempts say of themselves is part of it, and is not noted twice.
 */
export const noteUsageAtLeast = (attempts: AttemptRecord[], usage: readonly Usage[]): void => {
  const usageAtLeast = unnoted(attempts, usage);
  const unknown = attempts.findLastIndex(({ outcome, abandoned }) => outcome === 'unknown' && abandoned !== true);
  const place = unknown === -1 ? attempts.length - 1 : unknown;
  const attempt = attempts[place];
  if (usageAtLeast !== null && attempt !== undefined) attempts[place] = { ...attempt, usageAtLeast };
};
