import { NotExecuted, type Attempt, type CallContext } from '@tollgate/provider';
import { fromOpenaiError, isCertain, parseErrorBody, readUpstreamError } from './from-openai-error.ts';
import { postJson, type WireOutcome } from './post-json.ts';
import { readRetryAfterMs } from './retry-after.ts';
import { UnknownOutcome } from './unknown-outcome.ts';
import type { Upstream } from './upstream.ts';

export interface WireCall {
  /** JSON text as bytes: as a string it would be in memory twice. */
  readonly body: Buffer;
  readonly timeoutMs: number;
  readonly context: CallContext;
}

/** Makes one wire call and puts it on the record, however it ends. */
export const wireCall = async (upstream: Upstream, call: WireCall): Promise<WireOutcome> => {
  const startedAtMs = upstream.now();
  const outcome = await postJson({
    dispatcher: upstream.dispatcher,
    request: { ...upstream.request, body: call.body },
    signal: call.context.signal,
    limits: { timeoutMs: call.timeoutMs, responseBytesMax: upstream.limits.responseBytesMax },
  });
  call.context.recordAttempt({ startedAtMs, durationMs: upstream.now() - startedAtMs, ...attemptOf(outcome) });
  return outcome;
};

const attemptOf = (outcome: WireOutcome): Pick<Attempt, 'status' | 'outcome'> => {
  if (outcome.kind === 'not_sent') return { status: null, outcome: 'not_sent' };
  if (outcome.kind === 'lost') return { status: outcome.status, outcome: 'unknown' };
  const { status } = outcome;
  if (status < 300) return { status, outcome: 'answered' };
  return { status, outcome: isCertain(status) ? 'refused' : 'unknown' };
};

/** The text of a 2xx answer, or what the wire call failed with. */
export const readOutcome = (upstream: Upstream, outcome: WireOutcome): string | NotExecuted | UnknownOutcome => {
  if (outcome.kind === 'lost') return new UnknownOutcome(outcome.detail, outcome.cause);
  if (outcome.kind === 'not_sent') {
    return new NotExecuted({ reason: outcome.why === 'aborted' ? 'cancelled' : 'unavailable', cause: outcome.cause });
  }
  if (outcome.status < 300) return outcome.body;
  const error = readUpstreamError(outcome.status, parseErrorBody(outcome.body, upstream.apiKey));
  return fromOpenaiError(error, readRetryAfterMs(outcome.headers, upstream.now()));
};

/** Wait before the second wire call where the upstream names none; doubles with each further one. */
const waitMsFirst = 200;

export interface FailedCall {
  readonly outcome: WireOutcome;
  readonly failure: NotExecuted | UnknownOutcome;
  /** Counts from 1. */
  readonly attempt: number;
}

/** How long to wait before another wire call; undefined where there must be none, as after anything that may have run. */
export const retryWaitMs = (upstream: Upstream, { outcome, failure, attempt }: FailedCall): number | undefined => {
  if (failure instanceof UnknownOutcome || attempt >= upstream.retry.attemptsMax) return undefined;
  const refused = outcome.kind === 'not_sent' && outcome.why === 'refused';
  if (!refused && !asksToComeBack(outcome)) return undefined;
  const waitMs = failure.retryAfterMs ?? waitMsFirst * 2 ** (attempt - 1);
  return waitMs <= upstream.retry.waitMsMax ? waitMs : undefined;
};

/** A 429, unless it says that the quota is used up: then it is still used up after a wait. */
const asksToComeBack = (outcome: WireOutcome): boolean =>
  outcome.kind === 'answered' && outcome.status === 429 && !outcome.body.includes('insufficient_quota');
