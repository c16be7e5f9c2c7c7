import { isNotExecuted, NotExecuted, type NotExecutedReason, type Provider } from '@tollgate/provider';
import type { Invocation } from './invocation.ts';

/** Reasons that say nothing against asking another provider: nothing ran, and the content was not refused. */
export const elsewhereReasons: ReadonlySet<NotExecutedReason> = new Set(['rate_limited', 'unavailable', 'failed']);

/** Whether another call may be made after this failure: certain non-execution, nothing handed over, and a caller waits for it. */
export const mayAskAgain = (failure: unknown, { begun, signal }: Invocation<unknown>): failure is NotExecuted =>
  isNotExecuted(failure) && elsewhereReasons.has(failure.reason) && !begun() && !signal.aborted;

/**
 * Asks one member after another until one answers. Goes on only where it is certain that nothing ran, so that at most one of
 * them ever executes the call.
 */
export const askInOrder = async <Answer>(
  members: readonly Provider[],
  invocation: Invocation<Answer>,
): Promise<Answer> => {
  const failures: NotExecuted[] = [];
  for (const member of members.filter(invocation.offers)) {
    try {
      return await invocation.ask(member);
    } catch (failure) {
      if (!mayAskAgain(failure, invocation)) throw toldInstead(failure, failures, invocation);
      failures.push(failure);
    }
  }
  throw together(failures);
};

/**
 * A member that refuses the content after another was out of reach has not spoken for that other one: the client is asked to
 * come back. Whatever else a member says is passed on.
 */
const toldInstead = (failure: unknown, before: readonly NotExecuted[], { begun }: Invocation<unknown>): unknown => {
  const refused = isNotExecuted(failure) && (failure.reason === 'invalid_request' || failure.reason === 'input_limit');
  return refused && !begun() && before.length > 0 ? together([...before, failure]) : failure;
};

const byUrgency = ['rate_limited', 'unavailable', 'failed'] as const;

/** One failure for all of them: the reason that most invites to come back, and the earliest time to do so. */
const together = (failures: readonly NotExecuted[]): NotExecuted => {
  const [only] = failures;
  if (failures.length === 1 && only !== undefined) return only;
  const reason = byUrgency.find((wanted) => failures.some((failure) => failure.reason === wanted)) ?? 'unavailable';
  const waits = failures.flatMap(({ retryAfterMs }) => retryAfterMs ?? []);
  const later = waits.length === 0 ? {} : { retryAfterMs: Math.min(...waits) };
  return new NotExecuted({ reason, cause: new AggregateError(failures, 'no provider executed the call'), ...later });
};
