import {
  asArray,
  asObject,
  asText,
  isLastingRefusal,
  NotExecuted,
  parseJson,
  readRetryDelayMs,
  readRefusalDetail,
  UnknownOutcome,
  type CallField,
  type NotExecutedReason,
} from '@tollgate/provider';
import { fieldOfError } from './refused-field.ts';

/** An upstream's error, for the log and for decisions; never for a client. */
export interface UpstreamError {
  readonly status: number;
  /** The error's status name and the reasons of its details, as the upstream spells them. */
  readonly codes: readonly string[];
  readonly message: string;
  readonly retryDelayMs?: number | undefined;
  /** The setting that it names. */
  readonly field?: CallField | undefined;
}

/** What of an upstream's error text goes to the log. */
const messageCharactersMax = 1_000;

/** Reads an error body; a proxy's may be no JSON, and a stream's may be an array. */
export const readUpstreamError = (status: number, body: unknown): UpstreamError => {
  if (typeof body === 'string') return { status, codes: [], message: body.slice(0, messageCharactersMax) };
  const outer = asObject(body) ?? asObject(asArray(body)[0]);
  const error = asObject(outer?.['error']) ?? outer ?? {};
  const details = asArray(error['details']).map((detail) => asObject(detail) ?? {});
  const retryDelayMs = readRetryDelayMs(details);
  const message = (asText(error['message']) ?? '').slice(0, messageCharactersMax);
  const field = fieldOfError(details, message);
  return {
    status,
    codes: [error['status'], ...details.map((detail) => detail['reason'])].flatMap((code) => asText(code) ?? []),
    message,
    retryDelayMs,
    field,
  };
};

/**
 * Whether an answer of this status (not 2xx) says for certain that nothing ran, or that it failed and bills nothing. 408,
 * 499, 502, 504 and unknown 5xx do not tell whether the model ran.
 */
export const isCertain = (status: number): boolean =>
  (status < 500 && status !== 408 && status !== 499) || [500, 501, 503].includes(status);

/** Codes of a 400 that speak of the host's account and not of the request. */
const accountCodes = new Set(['API_KEY_INVALID', 'API_KEY_EXPIRED', 'BILLING_DISABLED', 'SERVICE_DISABLED']);
const accountWords = /api key|billing|location is not supported/i;
const inputLimitWords = /token count|number of tokens|payload size|request size|input length|too (?:large|long)/i;

const badRequestReason = ({ status, codes, message }: UpstreamError): NotExecutedReason => {
  const account = codes.some((code) => accountCodes.has(code)) || accountWords.test(message);
  if (account) return 'unavailable';
  return status === 413 || inputLimitWords.test(message) ? 'input_limit' : 'invalid_request';
};

const certainReason = (error: UpstreamError): NotExecutedReason => {
  switch (error.status) {
    case 400:
    case 413:
    case 416:
    case 422:
      return badRequestReason(error);
    case 429:
      return 'rate_limited';
    case 409:
    case 500:
    case 501:
      return 'failed';
    default:
      // What is left speaks of the host's credentials, its base address, its model name, or of an upstream that is down.
      return 'unavailable';
  }
};

/** What an error of the upstream means. `cause` carries its words to the log. */
export const fromGoogleError = (error: UpstreamError, retryAfterMs?: number): NotExecuted | UnknownOutcome => {
  if (!isCertain(error.status)) return new UnknownOutcome(`status_${error.status}`, error);
  const waitMs = error.retryDelayMs ?? retryAfterMs;
  const later = waitMs === undefined ? {} : { retryAfterMs: waitMs };
  const reason = certainReason(error);
  const lasting = isLastingRefusal(error.status, reason);
  return new NotExecuted({
    reason,
    lasting,
    field: error.field,
    detail: readRefusalDetail(reason, error.codes, error.message),
    cause: error,
    ...later,
  });
};

/** HTTP statuses of the names, for an error that comes without its number. */
const statusOfName: Readonly<Record<string, number>> = {
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  OUT_OF_RANGE: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  ALREADY_EXISTS: 409,
  ABORTED: 409,
  RESOURCE_EXHAUSTED: 429,
  CANCELLED: 499,
  INTERNAL: 500,
  UNIMPLEMENTED: 501,
  UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
};

/**
 * The error inside a 200 answer; undefined where there is none. Once something of the answer has come, the upstream has
 * worked, and no error tells that it bills nothing.
 */
export const fromErrorInAnswer = (
  body: unknown,
  hasBegun: boolean,
  apiKey: string,
): NotExecuted | UnknownOutcome | undefined => {
  const outer = asObject(body) ?? asObject(asArray(body)[0]);
  const inner = outer?.['error'];
  if (inner === undefined || inner === null) return undefined;
  const code = asObject(inner)?.['code'];
  const named = statusOfName[asText(asObject(inner)?.['status']) ?? ''];
  const status = typeof code === 'number' && Number.isInteger(code) && code >= 400 && code < 600 ? code : named;
  const error = readUpstreamError(status ?? 200, withoutKey(outer, apiKey));
  return hasBegun || status === undefined ? new UnknownOutcome('upstream_error', error) : fromGoogleError(error);
};

/** Parses an error body; what is no JSON stays a text. The host's key is cut out, since upstreams repeat it. */
export const parseErrorBody = (text: string, apiKey: string): unknown => {
  const cut = apiKey === '' ? text : text.replaceAll(apiKey, '[key]');
  return parseJson(cut) ?? cut;
};

/** The same for an error that was read already. */
export const withoutKey = (body: unknown, apiKey: string): unknown => parseErrorBody(JSON.stringify(body), apiKey);

/** A refusal that speaks of a file: the upstream's copy has expired, was removed, or belongs to another account. */
export const isLostFile = (failure: unknown): boolean => {
  const error = asObject(failure instanceof NotExecuted ? failure.cause : undefined);
  const lost = error?.['status'] === 403 || error?.['status'] === 404;
  return lost && /\bfiles?\b/i.test(asText(error?.['message']) ?? '');
};
