import { isRecord } from '@tollgate/contract';
import type { LimitVerdict } from '../ports/usage-limiter.ts';
import { isAskedWait, retryAfterMsDefault } from '../workers/ask-in-time.ts';

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
  return isAskedWait(told['retryAfterMs']) ? value : { ...value, retryAfterMs: retryAfterMsDefault };
};
