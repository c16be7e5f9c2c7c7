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
  asObject,
  asUpstreamId,
  type Attempt,
  type CallContext,
  type NotExecuted,
  parseJson,
  readRetryAfterMs,
  readUpstreamIds,
  type UnknownOutcome,
  type UpstreamIds,
} from '@tollgate/provider';
import { EventTooLargeError } from '@tollgate/sse';
import { fromGoogleError, isCertain, parseErrorBody, readUpstreamError } from './from-google-error.ts';
import type { Upstream } from './upstream.ts';

/** One step against the upstream, which may take several upstream requests. */
export interface WireCall {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** From the origin's root, query included. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: WireBody;
  readonly context: CallContext;
  /** When the whole call is over, this step included. */
  readonly deadlineMs: number;
  /** Takes the bytes of a 2xx answer as they come. */
  readonly onChunk?: OnChunk;
  /** What the content of a 2xx answer says of the attempt (default: answered). */
  readonly verdict?: () => Attempt['outcome'];
  /** The id of an answer that `onChunk` takes, where it has come. */
  readonly answerId?: () => string | undefined;
}

export interface WireAnswer {
  readonly headers: WireHeaders;
  /** The body, parsed; undefined where it is no JSON, or was taken as it came. */
  readonly json: unknown;
}

/**
 * Returns a 2xx answer, or throws `NotExecuted` or `UnknownOutcome`. Repeats only what certainly did not run, and records
 * every upstream request.
 */
export const send = async (upstream: Upstream, call: WireCall): Promise<WireAnswer> => {
  for (let attempt = 1; ; attempt += 1) {
    const { outcome, json } = await wireCall(upstream, call);
    if (outcome.kind === 'streamed') return { headers: outcome.headers, json };
    if (outcome.kind === 'answered' && outcome.status < 300) return { headers: outcome.headers, json };
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
  const outcome = await exchange({
    dispatcher: upstream.dispatcher,
    request: { origin: upstream.origin, path: call.path, method: call.method, headers: headersOf(upstream, call) },
    signal: call.context.signal,
    limits: {
      timeoutMs: Math.max(1, call.deadlineMs - startedAtMs),
      responseBytesMax: upstream.limits.responseBytesMax,
    },
    ...(call.body === undefined ? {} : { body: call.body }),
    ...(call.onChunk === undefined ? {} : { onChunk: call.onChunk }),
  });
  const durationMs = upstream.now() - startedAtMs;
  const json = outcome.kind === 'answered' && outcome.status < 300 ? parseJson(outcome.body) : undefined;
  const attempt = attemptOf(outcome, call.verdict);
  call.context.recordAttempt({ startedAtMs, durationMs, ...attempt, ...idsOf(outcome, json, call) });
  return { outcome: tellTooLarge(outcome), json };
};

/** An answer names itself; what is made in its own time (a video, a batch, a file) has a resource name instead. */
const idsOf = (outcome: WireOutcome, json: unknown, call: WireCall): UpstreamIds => {
  if (outcome.kind === 'not_sent') return {};
  const answerId = call.answerId?.() ?? answerIdOf(json) ?? asUpstreamId(asObject(json)?.['name']);
  return readUpstreamIds(outcome.headers, answerId);
};

/** An event that is larger than its limit is unreadable to its receiver, for a reason that has a name. */
const tellTooLarge = (outcome: WireOutcome): WireOutcome =>
  outcome.kind === 'lost' && outcome.cause instanceof EventTooLargeError
    ? { ...outcome, detail: 'response_too_large' }
    : outcome;

const headersOf = (upstream: Upstream, call: WireCall): Record<string, string> => ({
  ...call.context.upstreamHeaders,
  ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
  accept: 'application/json',
  ...upstream.headers,
  ...call.headers,
});

const attemptOf = (outcome: WireOutcome, verdict: WireCall['verdict']): Pick<Attempt, 'status' | 'outcome'> => {
  if (outcome.kind === 'not_sent' || outcome.kind === 'lost') return attemptOfUnanswered(outcome);
  const { status } = outcome;
  if (status < 300) return { status, outcome: verdict?.() ?? 'answered' };
  return { status, outcome: isCertain(status) ? 'refused' : 'unknown' };
};

/** What an upstream request that brought no 2xx answer failed with. */
const failureOf = (
  upstream: Upstream,
  outcome: Exclude<WireOutcome, { kind: 'streamed' }>,
): NotExecuted | UnknownOutcome => {
  if (outcome.kind !== 'answered') return failureOfUnanswered(outcome);
  const error = readUpstreamError(outcome.status, parseErrorBody(outcome.body, upstream.apiKey));
  return fromGoogleError(error, readRetryAfterMs(outcome.headers, upstream.now()));
};

/** A refused connection; too many requests, unless a quota of the day is used up; overloaded; or two requests that met. */
const mayBeRepeated = (outcome: WireOutcome): boolean => {
  if (outcome.kind === 'not_sent') return outcome.why === 'refused';
  if (outcome.kind !== 'answered') return false;
  if (outcome.status === 429) return !outcome.body.includes('PerDay');
  return outcome.status === 503 || outcome.status === 409;
};
