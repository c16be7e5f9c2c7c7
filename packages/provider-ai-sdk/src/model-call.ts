import { NotExecuted, UnknownOutcome, type CallContext, type UpstreamIds } from '@tollgate/provider';
import type { FailedCall } from './from-sdk-error.ts';
import { responseIdsOf } from './response-ids.ts';

/** What goes to a model with every call, beside what the call says. */
export interface Sending {
  readonly abortSignal: AbortSignal;
  /** Those of the gateway, such as the context of a trace; a model over HTTP sends them to its upstream. */
  readonly headers: Record<string, string>;
}

export interface ModelCall<Answer> {
  readonly context: CallContext;
  readonly now: () => number;
  readonly run: (sending: Sending) => Promise<Answer>;
  readonly toFailure: (error: unknown) => FailedCall;
  /** What the upstream calls a request whose answer comes in pieces, as far as it has said so; without it the answer tells. */
  readonly ids?: () => UpstreamIds;
}

/**
 * Calls a model once and puts the call on the record, however it ends. Stops waiting when the gateway gives up, also for a
 * model that does not heed its signal.
 */
export const callModel = async <Answer>(call: ModelCall<Answer>): Promise<Answer> => {
  const { context, now } = call;
  if (context.signal.aborted) throw new NotExecuted({ reason: 'cancelled' });
  const startedAtMs = now();
  const record = (attempt: NonNullable<FailedCall['attempt']>): void =>
    context.recordAttempt({ startedAtMs, durationMs: Math.max(0, now() - startedAtMs), ...attempt });
  try {
    const answer = await raceAbort(context.signal, (abortSignal) =>
      call.run({ abortSignal, headers: { ...context.upstreamHeaders } }),
    );
    record({ status: 200, outcome: 'answered', ...(call.ids?.() ?? responseIdsOf(answer)) });
    return answer;
  } catch (cause) {
    const { failure, attempt } = call.toFailure(cause);
    if (attempt !== null) record({ ...attempt, ...call.ids?.() });
    throw failure;
  }
};

/** The model gets a signal of its own, because `fetch` leaves listeners on the one it is given. */
const raceAbort = async <Answer>(
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> => {
  const controller = new AbortController();
  const given = Promise.withResolvers<never>();
  const onAbort = (): void => {
    given.reject(new UnknownOutcome('aborted'));
    controller.abort(signal.reason);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([run(controller.signal), given.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
};
