import { isNotExecuted, NotExecuted, type NotExecutedReason, type Provider } from '@tollgate/provider';
import type { Invocation } from './invocation.ts';

/** Reasons that speak of the upstream and not of the call: it is busy, out of reach or failing. */
const upstreamReasons: ReadonlySet<NotExecutedReason> = new Set(['rate_limited', 'unavailable', 'failed']);

/** Whether it speaks of the upstream's health: a refused content, a provider that cannot express it, and the host's credentials do not. */
export const isUpstreamFailure = ({ reason, lasting }: NotExecuted): boolean => upstreamReasons.has(reason) && !lasting;

/** A call, as far as it says whether another one may be made for it. */
export type Openness = Pick<Invocation<unknown>, 'begun' | 'signal'>;

/** Whether a caller waits for another call, and nothing was handed over. */
const isOpen = ({ begun, signal }: Openness): boolean => !begun() && !signal.aborted;

/** Whether the same provider may be asked again: nothing ran, and it may do better a little later. */
export const mayRepeat = (failure: unknown, invocation: Openness): failure is NotExecuted =>
  isNotExecuted(failure) && isUpstreamFailure(failure) && isOpen(invocation);

/** Whether another provider may be asked: nothing ran, and the content itself was not refused. */
export const mayAskElsewhere = (failure: unknown, invocation: Openness): failure is NotExecuted =>
  isNotExecuted(failure) &&
  (upstreamReasons.has(failure.reason) || failure.reason === 'unsupported') &&
  isOpen(invocation);

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
      if (!mayAskElsewhere(failure, invocation)) throw toldInstead(failure, failures, invocation);
      failures.push(failure);
    }
  }
  throw together(failures);
};

/**
 * A member that refuses the content after another was out of reach has not spoken for that other one: the client is asked to
 * come back. It has spoken for those that cannot express the call. Whatever else a member says is passed on.
 */
export const toldInstead = (failure: unknown, before: readonly NotExecuted[], { begun }: Openness): unknown => {
  const refused = isNotExecuted(failure) && (failure.reason === 'invalid_request' || failure.reason === 'input_limit');
  const wasOut = before.some(({ reason }) => reason !== 'unsupported');
  return refused && !begun() && wasOut ? together([...before, failure]) : failure;
};

const byUrgency = ['rate_limited', 'unavailable', 'failed'] as const;

/**
 * One failure for all of them: the reason that most invites to come back, and the earliest time to do so. Where none of them can
 * express the call, the first one's refusal, which names its field.
 */
export const together = (failures: readonly NotExecuted[]): NotExecuted => {
  const [only] = failures;
  if (only !== undefined && failures.every(({ reason }) => reason === 'unsupported')) return only;
  if (failures.length === 1 && only !== undefined) return only;
  const reason = byUrgency.find((wanted) => failures.some((failure) => failure.reason === wanted)) ?? 'unavailable';
  const waits = failures.flatMap(({ retryAfterMs }) => retryAfterMs ?? []);
  const later = waits.length === 0 ? {} : { retryAfterMs: Math.min(...waits) };
  const lasting = failures.length > 0 && failures.every((failure) => failure.lasting);
  return new NotExecuted({
    reason,
    lasting,
    cause: new AggregateError(failures, 'no provider executed the call'),
    ...later,
  });
};
