import { isRecord } from '@tollgate/contract';
import type { LimitVerdict } from '../ports/usage-limiter.ts';

/** Wait of a refused client where the limiter names none that can be meant. */
const retryAfterMsDefault = 1_000;

/** A longer wait of a limiter is taken for a mistake: a day. */
const retryAfterMsMax = 24 * 3_600_000;

const isWait = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= retryAfterMsMax;

const isOneOf = (value: unknown, ...words: readonly string[]): boolean =>
  typeof value === 'string' && words.includes(value);

/** What is behind the type is code of the host: null where it returned no verdict. */
export const readVerdict = (value: LimitVerdict): LimitVerdict | null => {
  const told: unknown = value;
  if (!isRecord(told)) return null;
  if (told['kind'] === 'admitted')
    return isRecord(told['ticket']) && typeof told['ticket']['release'] === 'function' ? value : null;
  const isRefusal =
    isOneOf(told['kind'], 'limited', 'too_large') &&
    isOneOf(told['level'], 'key', 'project', 'account') &&
    isOneOf(told['amount'], 'requests', 'tokens', 'concurrency') &&
    typeof told['limit'] === 'number';
  if (!isRefusal || value.kind === 'admitted') return null;
  return isWait(told['retryAfterMs']) ? value : { ...value, retryAfterMs: retryAfterMsDefault };
};
