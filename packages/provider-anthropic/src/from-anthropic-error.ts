import {
  asObject,
  asText,
  isCertainStatus,
  isLastingRefusal,
  NotExecuted,
  parseJson,
  reasonOfStatus,
  readRefusalDetail,
  UnknownOutcome,
  type CallField,
  type NotExecutedReason,
  type UntrustedObject,
} from '@tollgate/provider';
import { fieldOfMessage } from './refused-field.ts';

/** An upstream's error, for the log only. */
export interface UpstreamError {
  readonly status: number;
  /** As the upstream spells it, in lower case: `overloaded_error`. */
  readonly type: string;
  readonly message: string;
  /** The setting that it names. */
  readonly field?: CallField | undefined;
}

/** What of an upstream's error text goes to the log. */
const messageCharactersMax = 1_000;

/** Reads an error body; a gateway in between may write plain text. */
export const readUpstreamError = (status: number, body: unknown): UpstreamError => {
  if (typeof body === 'string') return { status, type: '', message: body.slice(0, messageCharactersMax) };
  const outer = asObject(body) ?? {};
  const error = asObject(outer['error']) ?? outer;
  const message = (asText(error['message']) ?? '').slice(0, messageCharactersMax);
  return { status, type: (asText(error['type']) ?? '').toLowerCase(), message, field: fieldOfMessage(message) };
};

/** This upstream has no code for it; the words choose the reason and go no further. */
const inputLimitWords =
  /prompt is too long|context (?:limit|length|window)|too many (?:total )?tokens|request_too_large/i;
/** An account without credit gets a bad request. */
const accountWords = /credit balance|billing|organization has been disabled|api[- ]?key/i;

const badRequestReason = ({ status, type, message }: UpstreamError): NotExecutedReason => {
  if (status === 413 || type === 'request_too_large' || inputLimitWords.test(message)) return 'input_limit';
  return accountWords.test(message) ? 'unavailable' : 'invalid_request';
};

const certainReason = (error: UpstreamError): NotExecutedReason => {
  const reason = reasonOfStatus(error.status);
  return reason === 'bad_request' ? badRequestReason(error) : reason;
};

/** The error of an answer whose status is not 2xx. `cause` carries the upstream's words to the log. */
export const fromAnthropicError = (
  error: UpstreamError,
  retryAfterMs: number | undefined,
): NotExecuted | UnknownOutcome => {
  if (!isCertainStatus(error.status)) return new UnknownOutcome(`status_${error.status}`, error);
  const reason = certainReason(error);
  const options = {
    reason,
    lasting: isLastingRefusal(error.status, reason),
    field: error.field,
    detail: readRefusalDetail(reason, [], error.message),
    cause: error,
  };
  return new NotExecuted(retryAfterMs === undefined ? options : { ...options, retryAfterMs });
};

/** The status that an error without one would have had. */
const statusOfType: { readonly [type: string]: number } = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

/** The status that the type of an error stands for. */
const statusOfError = (type: string): number | undefined =>
  Object.hasOwn(statusOfType, type) ? statusOfType[type] : undefined;

/**
 * The error of a 2xx answer, such as an event `error` of a stream; undefined where it is none. Before the model began it is as certain as
 * its status would be; after that it has run, and may bill.
 */
export const fromErrorInAnswer = (
  body: UntrustedObject | undefined,
  hasBegun: boolean,
  apiKey: string,
): NotExecuted | UnknownOutcome | undefined => {
  if (body === undefined || body['type'] !== 'error') return undefined;
  // In the manner of a body that came as an error: what the upstream repeats of the key does not go to the log.
  const read = readUpstreamError(200, parseErrorBody(JSON.stringify(body), apiKey));
  const status = statusOfError(read.type);
  if (hasBegun || status === undefined) return new UnknownOutcome('upstream_error', read);
  return fromAnthropicError({ ...read, status }, undefined);
};

/** Parses an error body; what is no JSON stays a text. The host's key is cut out, since upstreams repeat it. */
export const parseErrorBody = (text: string, apiKey: string): unknown => {
  const cut = text.replaceAll(apiKey, '[key]');
  return parseJson(cut) ?? cut;
};
