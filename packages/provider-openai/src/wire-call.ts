import {
  isCertainStatus,
  NotExecuted,
  parseJson,
  readRetryAfterMs,
  UnknownOutcome,
  type Attempt,
  type CallContext,
  type NotExecutedReason,
  type WireBody,
} from '@tollgate/provider';
import type { AnswerStream } from './answer-stream.ts';
import { fromOpenaiError, parseErrorBody, readUpstreamError } from './from-openai-error.ts';
import { postJson, type PostOptions, type WireOutcome } from './post-json.ts';
import type { Upstream } from './upstream.ts';

export interface WireCall {
  readonly body: WireBody;
  readonly timeoutMs: number;
  readonly context: CallContext;
  /** Below the base address, as in `chat/completions`. */
  readonly path: string;
  /** Takes the answer where it comes as a stream of events. */
  readonly stream?: AnswerStream;
}

/** Makes one wire call and puts it on the record, however it ends. */
export const wireCall = async (upstream: Upstream, call: WireCall): Promise<WireOutcome> => {
  const startedAtMs = upstream.now();
  const outcome = settleStream(call.stream, await postJson(toPost(upstream, call)));
  const { status, outcome: known } = attemptOf(outcome, call.stream);
  call.context.recordAttempt({ startedAtMs, durationMs: upstream.now() - startedAtMs, status, outcome: known });
  return outcome;
};

const toPost = (upstream: Upstream, { body, context, path, stream, timeoutMs }: WireCall): PostOptions => ({
  dispatcher: upstream.dispatcher,
  request: upstream.request(path),
  body,
  signal: context.signal,
  limits: { timeoutMs, responseBytesMax: upstream.limits.responseBytesMax },
  ...(stream === undefined ? {} : { takeEvents: stream.take }),
});

/** A connection that is lost after the last event has lost nothing. */
const settleStream = (stream: AnswerStream | undefined, outcome: WireOutcome): WireOutcome =>
  outcome.kind === 'lost' && outcome.status !== null && stream?.ended() === true
    ? { kind: 'streamed', status: outcome.status, headers: {} }
    : outcome;

const attemptOf = (outcome: WireOutcome, stream: AnswerStream | undefined): Pick<Attempt, 'status' | 'outcome'> => {
  if (outcome.kind === 'not_sent') return { status: null, outcome: 'not_sent' };
  if (outcome.kind === 'lost') return { status: outcome.status, outcome: 'unknown' };
  const { status } = outcome;
  if (outcome.kind === 'streamed') return { status, outcome: streamedOutcome(stream) };
  if (status < 300) return { status, outcome: 'answered' };
  return { status, outcome: isCertainStatus(status) ? 'refused' : 'unknown' };
};

const streamedOutcome = (stream: AnswerStream | undefined): Attempt['outcome'] => {
  const end = stream?.conclude();
  if (end?.kind === 'whole') return 'answered';
  return end === undefined || end.failure instanceof UnknownOutcome ? 'unknown' : 'refused';
};

/** What a wire call came to: the body of a 2xx answer, or a failure. */
export type WireReading =
  | { readonly kind: 'body'; readonly body: unknown }
  | { readonly kind: 'failed'; readonly failure: NotExecuted | UnknownOutcome };

const reasonOf = (why: Extract<WireOutcome, { kind: 'not_sent' }>['why']): NotExecutedReason => {
  if (why === 'aborted') return 'cancelled';
  return why === 'body_unreadable' ? 'failed' : 'unavailable';
};

export const readOutcome = (upstream: Upstream, outcome: WireOutcome, stream?: AnswerStream): WireReading => {
  switch (outcome.kind) {
    case 'lost':
      return { kind: 'failed', failure: new UnknownOutcome(outcome.detail, outcome.cause) };
    case 'not_sent': {
      return { kind: 'failed', failure: new NotExecuted({ reason: reasonOf(outcome.why), cause: outcome.cause }) };
    }
    case 'streamed': {
      const end = stream?.conclude();
      if (end === undefined) return { kind: 'failed', failure: new UnknownOutcome('unreadable_answer') };
      return end.kind === 'whole' ? { kind: 'body', body: end.body } : end;
    }
    case 'answered':
      break;
  }
  if (outcome.status < 300) return { kind: 'body', body: parseJson(outcome.body) };
  const error = readUpstreamError(outcome.status, parseErrorBody(outcome.body, upstream.apiKey));
  return { kind: 'failed', failure: fromOpenaiError(error, readRetryAfterMs(outcome.headers, upstream.now())) };
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
