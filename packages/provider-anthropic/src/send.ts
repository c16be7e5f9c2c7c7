import {
  attemptOfUnanswered,
  exchange,
  failureOfUnanswered,
  waitToRepeat,
  type OnChunk,
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
  type Attempt,
  type CallContext,
  type NotExecuted,
  type UnknownOutcome,
  type UpstreamIds,
} from '@tollgate/provider';
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
  /** Makes what takes the answer as it comes; anew for each upstream request. */
  readonly openTaker?: (() => AnswerTaker) | undefined;
}

/** Takes an answer while it comes. */
export interface AnswerTaker {
  /** The media type of the answers that it takes, of which one of another type is read whole; null takes each. */
  readonly mediaType: string | null;
  /** A longer answer is not read to its end. */
  readonly bytesMax: number;
  readonly take: OnChunk;
  /** Whether all has come, or what ends it; a connection that is cut afterwards loses nothing. */
  readonly ended: () => boolean;
  /** What the content of the answer says of the attempt. */
  readonly verdict: () => Attempt['outcome'];
  readonly answerId: () => string | undefined;
}

/** A 2xx answer: parsed, or what its taker took. */
export type WireAnswer = { readonly kind: 'json'; readonly json: unknown } | { readonly kind: 'taken' };

/**
 * Returns a 2xx answer, or throws `NotExecuted` or `UnknownOutcome`. Repeats only what certainly did not run, and records
 * every upstream request.
 */
export const send = async (upstream: Upstream, call: WireCall): Promise<WireAnswer> => {
  for (let attempt = 1; ; attempt += 1) {
    const { outcome, json } = await wireCall(upstream, call);
    if (outcome.kind === 'streamed') return { kind: 'taken' };
    if (outcome.kind === 'answered' && outcome.status < 300) return { kind: 'json', json };
    const failure = failureOf(upstream, outcome);
    if (!mayBeRepeated(outcome)) throw failure;
    const { deadlineMs, context } = call;
    await waitToRepeat(upstream, { failure, attempt, isPassing: true, deadlineMs, signal: context.signal });
  }
};

interface WireReply {
  readonly outcome: WireOutcome;
  readonly json: unknown;
}

/** Makes one upstream request and puts it on the record, however it ends. */
const wireCall = async (upstream: Upstream, call: WireCall): Promise<WireReply> => {
  const startedAtMs = upstream.now();
  const taker = call.openTaker?.();
  const outcome = settleTaken(taker, await exchangeOnce(upstream, call, taker));
  const json = outcome.kind === 'answered' && outcome.status < 300 ? parseJson(outcome.body) : undefined;
  const ids = idsOf(outcome, taker?.answerId() ?? answerIdOf(json));
  const durationMs = upstream.now() - startedAtMs;
  call.context.recordAttempt({ startedAtMs, durationMs, ...attemptOf(outcome, taker), ...ids });
  return { outcome, json };
};

const exchangeOnce = (upstream: Upstream, call: WireCall, taker: AnswerTaker | undefined): Promise<WireOutcome> => {
  const { method, path, body, context, deadlineMs } = call;
  const options = {
    dispatcher: upstream.dispatcher,
    request: {
      origin: upstream.origin,
      path: servicePath(upstream, path),
      method,
      headers: headersOf(upstream, call, taker),
    },
    signal: context.signal,
    limits: {
      timeoutMs: Math.max(1, deadlineMs - upstream.now()),
      responseBytesMax: taker?.bytesMax ?? upstream.limits.responseBytesMax,
    },
  };
  const withBody = body === undefined ? options : { ...options, body };
  if (taker === undefined) return exchange(withBody);
  return exchange({ ...withBody, onChunk: taker.take, streams: (headers) => isOfType(headers, taker.mediaType) });
};

/** A gateway in between may answer a call for a stream with one JSON text. */
const isOfType = (headers: WireHeaders, mediaType: string | null): boolean => {
  if (mediaType === null) return true;
  const type = headers['content-type'];
  return typeof type === 'string' && type.toLowerCase().startsWith(mediaType);
};

const headersOf = (
  upstream: Upstream,
  { body, context }: Pick<WireCall, 'body' | 'context'>,
  taker: AnswerTaker | undefined,
): Readonly<Record<string, string>> => {
  const accept = taker === undefined ? 'application/json' : (taker.mediaType ?? '*/*');
  const headers = { ...context.upstreamHeaders, accept, ...upstream.headers };
  return body === undefined ? headers : { 'content-type': 'application/json', ...headers };
};

/** A connection that is lost after the last event has lost nothing; what came before it is read all the same. */
const settleTaken = (taker: AnswerTaker | undefined, outcome: WireOutcome): WireOutcome =>
  outcome.kind === 'lost' && outcome.status !== null && taker?.ended() === true
    ? { kind: 'streamed', status: outcome.status, headers: outcome.headers }
    : outcome;

const idsOf = (outcome: WireOutcome, answerId: string | undefined): UpstreamIds =>
  outcome.kind === 'not_sent' ? {} : readUpstreamIds(outcome.headers, answerId);

const attemptOf = (outcome: WireOutcome, taker: AnswerTaker | undefined): Pick<Attempt, 'status' | 'outcome'> => {
  if (outcome.kind === 'not_sent' || outcome.kind === 'lost') return attemptOfUnanswered(outcome);
  const { status } = outcome;
  if (outcome.kind === 'streamed') return { status, outcome: taker?.verdict() ?? 'unknown' };
  if (status < 300) return { status, outcome: 'answered' };
  return { status, outcome: isCertainStatus(status) ? 'refused' : 'unknown' };
};

/** What an upstream request that brought no 2xx answer failed with. */
const failureOf = (
  upstream: Upstream,
  outcome: Exclude<WireOutcome, { kind: 'streamed' }>,
): NotExecuted | UnknownOutcome => {
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
