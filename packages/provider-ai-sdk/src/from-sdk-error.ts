import {
  asObject,
  isCertainStatus,
  isLastingRefusal,
  isNotExecuted,
  NotExecuted,
  readRetryAfterMs,
  readRefusalDetail,
  readRetryDelayMs,
  reasonOfStatus,
  UnknownOutcome,
  type Attempt,
  type NotExecutedReason,
  type UntrustedObject,
  type UpstreamIds,
} from '@tollgate/provider';
import { errorIdsOf } from './response-ids.ts';
import { hasMarker, speaksForUpstream } from './sdk-error.ts';
import { innerErrorOf, readUpstreamError, type UpstreamError } from './upstream-error.ts';

/** What a failed model call came to, and how it is recorded; no attempt where nothing was sent. */
export interface FailedCall {
  readonly failure: NotExecuted | UnknownOutcome;
  readonly attempt: (Pick<Attempt, 'status' | 'outcome'> & UpstreamIds) | null;
}

/** Thrown by models before they send anything. */
const beforeSending: readonly (readonly [name: string, reason: NotExecutedReason])[] = [
  ['AI_LoadAPIKeyError', 'unavailable'],
  ['AI_LoadSettingError', 'unavailable'],
  ['AI_NoSuchModelError', 'unavailable'],
  ['AI_UnsupportedFunctionalityError', 'unsupported'],
  ['AI_InvalidPromptError', 'invalid_request'],
  ['AI_InvalidArgumentError', 'invalid_request'],
  ['AI_NoSuchProviderReferenceError', 'invalid_request'],
  ['AI_TooManyEmbeddingValuesForCallError', 'unsupported'],
];

/** Codes of a connection that was never made, so that nothing can have been sent. */
const notConnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ConnectionRefused',
]);
/** A chain of causes that is longer is not followed. */
const causesMax = 8;

const wasNotConnected = (error: unknown): boolean => {
  let current = asObject(error);
  for (let depth = 0; current !== undefined && depth < causesMax; depth += 1) {
    if (typeof current['code'] === 'string' && notConnected.has(current['code'])) return true;
    current = asObject(current['cause']);
  }
  return false;
};

const inputLimitCodes = new Set([
  'context_length_exceeded',
  'exceed_context_size_error',
  'max_tokens_exceeded',
  'request_too_large',
  'string_above_max_length',
  'tokens_limit_reached',
]);
/** Upstreams without such a code say it in words; the words choose the reason and go no further. */
const inputLimitWords =
  /context (length|window|size)|maximum (input|prompt) length|prompt is too long|token count .{0,40}exceeds/i;
/** A refusal that speaks of the host's account, not of the client's request. */
const accountCodes = new Set([
  'api_key_invalid',
  'billing_not_active',
  'failed_precondition',
  'insufficient_quota',
  'invalid_api_key',
]);
const accountWords = /credit balance|api key not valid/i;

/** Codes by which an error inside a stream says what an HTTP status would have said. */
const statusOfCode: { readonly [code: string]: number } = {
  api_error: 500,
  authentication_error: 401,
  context_length_exceeded: 400,
  insufficient_quota: 429,
  invalid_api_key: 401,
  invalid_argument: 400,
  invalid_request_error: 400,
  model_not_found: 404,
  overloaded_error: 529,
  permission_error: 403,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  resource_exhausted: 429,
  unavailable: 503,
};

const badRequestReason = ({ status, codes, message }: UpstreamError): NotExecutedReason => {
  if (codes.some((code) => accountCodes.has(code)) || accountWords.test(message)) return 'unavailable';
  const tooLarge = status === 413 || codes.some((code) => inputLimitCodes.has(code)) || inputLimitWords.test(message);
  return tooLarge ? 'input_limit' : 'invalid_request';
};

const certainReason = (error: UpstreamError, status: number): NotExecutedReason => {
  const reason = reasonOfStatus(status);
  return reason === 'bad_request' ? badRequestReason(error) : reason;
};

const fromStatus = (error: UpstreamError, status: number, retryAfterMs: number | undefined): FailedCall => {
  if (!isCertainStatus(status)) {
    return {
      failure: new UnknownOutcome(status < 300 ? 'unreadable_answer' : `status_${status}`, error),
      attempt: { status, outcome: 'unknown' },
    };
  }
  const later = retryAfterMs === undefined ? {} : { retryAfterMs };
  const reason = certainReason(error, status);
  const lasting = isLastingRefusal(status, reason) || error.codes.includes('insufficient_quota');
  const detail = readRefusalDetail(reason, error.codes, error.message);
  return {
    failure: new NotExecuted({ reason, lasting, detail, cause: error, ...later }),
    attempt: { status, outcome: 'refused' },
  };
};

const delayOf = (thrown: UntrustedObject | undefined): number | undefined =>
  readRetryDelayMs(innerErrorOf(thrown)?.['details']);

const asStatus = (value: number | null): number | null =>
  value !== null && value >= 100 && value < 600 ? value : null;

/** Some models make several HTTP calls for one answer: where a later one fails, the ones before have run. */
const isContinuation = (error: unknown): boolean =>
  asObject(asObject(error)?.['requestBodyValues'])?.['continuationToken'] !== undefined;

/** Reads what a model threw instead of answering. Whatever is not known to be certain is unknown. */
export const fromCallError = (error: unknown, nowMs: number): FailedCall => {
  if (isNotExecuted(error)) return { failure: error, attempt: null };
  if (error instanceof UnknownOutcome) return { failure: error, attempt: { status: null, outcome: 'unknown' } };
  const upstream = readUpstreamError(error);
  const before = beforeSending.find(([name]) => hasMarker(error, name));
  if (before !== undefined) {
    const [, reason] = before;
    // What is missing before anything is sent is the host's to give.
    return { failure: new NotExecuted({ reason, lasting: reason === 'unavailable', cause: upstream }), attempt: null };
  }
  const status = asStatus(upstream.status);
  if (isContinuation(error)) {
    return { failure: new UnknownOutcome('part_executed', upstream), attempt: { status, outcome: 'unknown' } };
  }
  if (speaksForUpstream(error) && status !== null) {
    const thrown = asObject(error);
    const headers = asObject(thrown?.['responseHeaders']) ?? {};
    const { failure, attempt } = fromStatus(upstream, status, readRetryAfterMs(headers, nowMs) ?? delayOf(thrown));
    return { failure, attempt: attempt === null ? null : { ...attempt, ...errorIdsOf(error) } };
  }
  if (wasNotConnected(error)) {
    return {
      failure: new NotExecuted({ reason: 'unavailable', cause: upstream }),
      attempt: { status: null, outcome: 'not_sent' },
    };
  }
  return { failure: new UnknownOutcome('connection_lost', upstream), attempt: { status: null, outcome: 'unknown' } };
};

/**
 * Reads an error that a stream carried. Before any content it says what a status would have said; after some, the model
 * has run and may bill.
 */
export const fromStreamError = (error: unknown, hasContent: boolean): FailedCall => {
  const upstream = readUpstreamError(error);
  const named = upstream.codes.map((code) => statusOfCode[code]).find((status) => status !== undefined);
  const status = asStatus(upstream.status !== null && upstream.status >= 300 ? upstream.status : (named ?? null));
  if (hasContent || status === null) {
    return { failure: new UnknownOutcome('upstream_error', upstream), attempt: { status: 200, outcome: 'unknown' } };
  }
  const failed = fromStatus({ ...upstream, status }, status, delayOf(asObject(error)));
  return {
    ...failed,
    attempt: { status: 200, outcome: failed.failure instanceof NotExecuted ? 'refused' : 'unknown' },
  };
};

/** A failure of a call whose answer had begun: whatever it says, the model has run. */
export const asLost = ({ failure }: FailedCall): FailedCall => ({
  failure: failure instanceof UnknownOutcome ? failure : new UnknownOutcome('connection_lost', failure),
  attempt: { status: 200, outcome: 'unknown' },
});
