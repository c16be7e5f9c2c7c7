import {
  attemptOfUnanswered,
  exchange,
  failureOfUnanswered,
  type WireBody,
  type WireExchange,
  type WireHeaders,
  type WireOutcome,
  type WireRequest,
} from '@tollgate/provider-http';
import {
  answerIdOf,
  isCertainStatus,
  parseJson,
  readRetryAfterMs,
  readUpstreamIds,
  UnknownOutcome,
  withUsageAtLeast,
  type Attempt,
  type CallContext,
  type NotExecuted,
  type UpstreamIds,
} from '@tollgate/provider';
import type { AnswerStream } from './answer-stream.ts';
import { fromOpenaiError, parseErrorBody, readUpstreamError } from './from-openai-error.ts';
import type { Upstream } from './upstream.ts';

export interface WireCall {
  readonly body: WireBody;
  readonly timeoutMs: number;
  readonly context: CallContext;
  /** Below the base address, as in `chat/completions`. */
  readonly path: string;
  /** The gateway's own id of the call, which the upstream may write beside the call on its bill. */
  readonly operationId: string;
  /** JSON where it is left out. */
  readonly contentType?: string;
  /** Takes the answer where it comes as a stream. */
  readonly stream?: AnswerStream;
  /** Whether an answer of these headers is one for `stream` (default: a stream of events is). */
  readonly streams?: (headers: WireHeaders) => boolean;
}

/** How one upstream request ended, with the body of a 2xx answer that came in one piece, parsed. */
export interface WireReply {
  readonly outcome: WireOutcome;
  readonly json: unknown;
}

/** Makes one upstream request and puts it on the record, however it ends. */
export const wireCall = async (upstream: Upstream, call: WireCall): Promise<WireReply> => {
  const startedAtMs = upstream.now();
  const outcome = settleStream(call.stream, await exchange(toExchange(upstream, call)));
  const json = outcome.kind === 'answered' && outcome.status < 300 ? parseJson(outcome.body) : undefined;
  const answerId = call.stream?.answerId() ?? answerIdOf(json);
  const attempt = { ...attemptOf(outcome, call.stream), ...idsOf(outcome, answerId) };
  call.context.recordAttempt({ startedAtMs, durationMs: upstream.now() - startedAtMs, ...attempt });
  return { outcome, json };
};

const idsOf = (outcome: WireOutcome, answerId: string | undefined): UpstreamIds =>
  outcome.kind === 'not_sent' ? {} : readUpstreamIds(outcome.headers, answerId);

const requestOf = (upstream: Upstream, { path, operationId, contentType, context }: WireCall): WireRequest => {
  const request = upstream.request(path, operationId);
  const { upstreamHeaders } = context;
  if (contentType === undefined && upstreamHeaders === undefined) return request;
  const headers = { ...upstreamHeaders, ...request.headers };
  return { ...request, headers: contentType === undefined ? headers : { ...headers, 'content-type': contentType } };
};

const toExchange = (upstream: Upstream, call: WireCall): WireExchange => ({
  dispatcher: upstream.dispatcher,
  request: requestOf(upstream, call),
  ...exchangeOf(upstream, call),
});

const exchangeOf = (
  upstream: Upstream,
  { body, context, stream, streams = isEventStream, timeoutMs }: WireCall,
): Omit<WireExchange, 'dispatcher' | 'request'> => ({
  body,
  signal: context.signal,
  limits: { timeoutMs, responseBytesMax: upstream.limits.responseBytesMax },
  ...(stream === undefined ? {} : { onChunk: stream.take, streams }),
});

/** Some servers answer a call for a stream with one JSON text. */
const isEventStream = (headers: WireHeaders): boolean => {
  const type = headers['content-type'];
  return typeof type === 'string' && type.toLowerCase().startsWith('text/event-stream');
};

/** A connection that is lost after the last event has lost nothing. */
const settleStream = (stream: AnswerStream | undefined, outcome: WireOutcome): WireOutcome =>
  outcome.kind === 'lost' && outcome.status !== null && stream?.ended() === true
    ? { kind: 'streamed', status: outcome.status, headers: outcome.headers }
    : outcome;

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

/** What a stream had said of its usage before it was lost was certainly used. */
const failed = (failure: NotExecuted | UnknownOutcome, stream: AnswerStream | undefined): WireReading => ({
  kind: 'failed',
  failure: withUsageAtLeast(failure, stream?.usageAtLeast() ?? []),
});

/** What an upstream request came to: the body of a 2xx answer, or a failure. */
export type WireReading =
  | { readonly kind: 'body'; readonly body: unknown }
  | { readonly kind: 'failed'; readonly failure: NotExecuted | UnknownOutcome };

export const readOutcome = (upstream: Upstream, { outcome, json }: WireReply, stream?: AnswerStream): WireReading => {
  switch (outcome.kind) {
    case 'lost':
    case 'not_sent':
      return failed(failureOfUnanswered(outcome), stream);
    case 'streamed': {
      const end = stream?.conclude();
      if (end === undefined) return failed(new UnknownOutcome('unreadable_answer'), stream);
      return end.kind === 'whole' ? { kind: 'body', body: end.body } : failed(end.failure, stream);
    }
    case 'answered':
      break;
  }
  if (outcome.status < 300) return { kind: 'body', body: json };
  const error = readUpstreamError(outcome.status, parseErrorBody(outcome.body, upstream.apiKey));
  return { kind: 'failed', failure: fromOpenaiError(error, readRetryAfterMs(outcome.headers, upstream.now())) };
};

/** A refused connection, or a 429, unless it says that the quota is used up: then it is still used up after a wait. */
export const mayBeRepeated = (outcome: WireOutcome): boolean => {
  if (outcome.kind === 'not_sent') return outcome.why === 'refused';
  return outcome.kind === 'answered' && outcome.status === 429 && !outcome.body.includes('insufficient_quota');
};
