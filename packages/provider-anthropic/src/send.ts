import {
  attemptOfUnanswered,
  exchange,
  failureOfUnanswered,
  waitToRepeat,
  type WireBody,
  type WireHeaders,
  type WireOutcome,
} from '@tollgate/provider-http';
import {
  answerIdOf,
  isCertainStatus,
  parseJson,
  readRetryAfterMs,
  readUpstreamIds,
  UnknownOutcome,
  type Attempt,
  type CallContext,
  type NotExecuted,
  type UpstreamIds,
} from '@tollgate/provider';
import type { AnswerStream } from './answer-stream.ts';
import { fromAnthropicError, parseErrorBody, readUpstreamError } from './from-anthropic-error.ts';
import { servicePath, type Upstream } from './upstream.ts';

/** One step against the upstream, which may take several upstream requests. */
export interface WireCall {
  readonly method: 'GET' | 'POST';
  /** Below the version: `messages`. */
  readonly path: string;
  readonly body?: WireBody | undefined;
  readonly context: CallContext;
  /** When the whole call is over, this step included. */
  readonly deadlineMs: number;
  /** Makes what takes the answer where it comes as a stream of events; anew for each upstream request. */
  readonly openStream?: (() => AnswerStream) | undefined;
}

/** A 2xx answer: parsed, or as the stream that took it. */
export type WireAnswer =
  | { readonly kind: 'json'; readonly json: unknown }
  | { readonly kind: 'streamed'; readonly stream: AnswerStream };

/**
 * Returns a 2xx answer, or throws `NotExecuted` or `UnknownOutcome`. Repeats only what certainly did not run, and records
 * every upstream request.
 */
export const send = async (upstream: Upstream, call: WireCall): Promise<WireAnswer> => {
  for (let attempt = 1; ; attempt += 1) {
    const { outcome, json, stream } = await wireCall(upstream, call);
    if (outcome.kind === 'streamed' && stream !== undefined) return { kind: 'streamed', stream };
    if (outcome.kind === 'answered' && outcome.status < 300) return { kind: 'json', json };
    const failure = failureOf(upstream, outcome);
    if (!mayBeRepeated(outcome)) throw failure;
    await waitToRepeat(upstream, { failure, attempt, deadlineMs: call.deadlineMs, signal: call.context.signal });
  }
};

interface WireReply {
  readonly outcome: WireOutcome;
  readonly json: unknown;
  readonly stream: AnswerStream | undefined;
}

/** Makes one upstream request and puts it on the record, however it ends. */
const wireCall = async (upstream: Upstream, call: WireCall): Promise<WireReply> => {
  const startedAtMs = upstream.now();
  const stream = call.openStream?.();
  const outcome = settleStream(stream, await exchangeOnce(upstream, call, stream));
  const json = outcome.kind === 'answered' && outcome.status < 300 ? parseJson(outcome.body) : undefined;
  const ids = idsOf(outcome, stream?.answerId() ?? answerIdOf(json));
  const durationMs = upstream.now() - startedAtMs;
  call.context.recordAttempt({ startedAtMs, durationMs, ...attemptOf(outcome, stream), ...ids });
  return { outcome, json, stream };
};

const exchangeOnce = (upstream: Upstream, call: WireCall, stream: AnswerStream | undefined): Promise<WireOutcome> => {
  const { method, path, body, context, deadlineMs } = call;
  const options = {
    dispatcher: upstream.dispatcher,
    request: {
      origin: upstream.origin,
      path: servicePath(upstream, path),
      method,
      headers: headersOf(upstream, call),
    },
    signal: context.signal,
    limits: {
      timeoutMs: Math.max(1, deadlineMs - upstream.now()),
      responseBytesMax: upstream.limits.responseBytesMax,
    },
  };
  const withBody = body === undefined ? options : { ...options, body };
  return exchange(stream === undefined ? withBody : { ...withBody, onChunk: stream.take, streams: isEventStream });
};

/** A gateway in between may answer a call for a stream with one JSON text. */
const isEventStream = (headers: WireHeaders): boolean => {
  const type = headers['content-type'];
  return typeof type === 'string' && type.toLowerCase().startsWith('text/event-stream');
};

const headersOf = (upstream: Upstream, { body, openStream }: WireCall): Readonly<Record<string, string>> => {
  const headers = {
    accept: openStream === undefined ? 'application/json' : 'text/event-stream',
    ...upstream.headers,
  };
  return body === undefined ? headers : { 'content-type': 'application/json', ...headers };
};

/** A connection that is lost after the last event has lost nothing; what came before it is read all the same. */
const settleStream = (stream: AnswerStream | undefined, outcome: WireOutcome): WireOutcome =>
  outcome.kind === 'lost' && outcome.status !== null && stream?.ended() === true
    ? { kind: 'streamed', status: outcome.status, headers: outcome.headers }
    : outcome;

const idsOf = (outcome: WireOutcome, answerId: string | undefined): UpstreamIds =>
  outcome.kind === 'not_sent' ? {} : readUpstreamIds(outcome.headers, answerId);

const attemptOf = (outcome: WireOutcome, stream: AnswerStream | undefined): Pick<Attempt, 'status' | 'outcome'> => {
  if (outcome.kind === 'not_sent' || outcome.kind === 'lost') return attemptOfUnanswered(outcome);
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

/** What an upstream request that brought no 2xx answer failed with. */
const failureOf = (upstream: Upstream, outcome: WireOutcome): NotExecuted | UnknownOutcome => {
  if (outcome.kind === 'streamed') return new UnknownOutcome('unreadable_answer');
  if (outcome.kind !== 'answered') return failureOfUnanswered(outcome);
  const error = readUpstreamError(outcome.status, parseErrorBody(outcome.body, upstream.apiKey));
  return fromAnthropicError(error, readRetryAfterMs(outcome.headers, upstream.now()));
};

/** Statuses after which the same request may be taken: too many of them, out of service, overloaded. */
const passing: ReadonlySet<number> = new Set([429, 503, 529]);

/** A refused connection, or a status that passes, unless the upstream says that it does not. */
const mayBeRepeated = (outcome: WireOutcome): boolean => {
  if (outcome.kind === 'not_sent') return outcome.why === 'refused';
  if (outcome.kind !== 'answered' || outcome.headers['x-should-retry'] === 'false') return false;
  return passing.has(outcome.status);
};
