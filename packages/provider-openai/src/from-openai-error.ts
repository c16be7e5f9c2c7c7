import {
  asArray,
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
} from '@tollgate/provider';
import { fieldOfParam } from './refused-field.ts';

/** An upstream's error, for the log only. */
export interface UpstreamError {
  readonly status: number;
  /** The error's code and type as the upstream spells them, in lower case. */
  readonly codes: readonly string[];
  readonly message: string;
  /** The setting that it names. */
  readonly field?: CallField | undefined;
}

/** What of an upstream's error text goes to the log. */
const messageCharactersMax = 1_000;

/** Reads an error body; servers of this family wrap it differently, some in an array, and proxies write plain text. */
export const readUpstreamError = (status: number, body: unknown): UpstreamError => {
  if (typeof body === 'string') return { status, codes: [], message: body.slice(0, messageCharactersMax) };
  const outer = asObject(body) ?? asObject(asArray(body)[0]);
  const error = asObject(outer?.['error']) ?? outer ?? {};
  const details = asArray(error['details']).map((detail) => asObject(detail)?.['reason']);
  const codes = [error['code'], error['type'], error['status'], ...details].flatMap((code) => asText(code) ?? []);
  const message = asText(error['message']) ?? asText(outer?.['error']) ?? asText(error['detail']) ?? '';
  const param = asText(error['param']);
  const field = param === undefined ? undefined : fieldOfParam(param);
  return {
    status,
    codes: codes.map((code) => code.toLowerCase()),
    message: message.slice(0, messageCharactersMax),
    field,
  };
};

const inputLimitCodes = new Set([
  'context_length_exceeded',
  'exceed_context_size_error',
  'max_tokens_exceeded',
  'request_too_large',
  'string_above_max_length',
  'tokens_limit_reached',
]);
/** Servers without such a code say it in words; the words choose the code and go no further. */
const inputLimitWords = /context (length|window|size)|maximum (input|prompt) length|prompt is too long/i;
const credentialCodes = new Set(['api_key_invalid', 'invalid_api_key', 'insufficient_quota', 'billing_not_active']);

const badRequestReason = ({ status, codes, message }: UpstreamError): NotExecutedReason => {
  if (codes.some((code) => credentialCodes.has(code))) return 'unavailable';
  const tooLarge = status === 413 || codes.some((code) => inputLimitCodes.has(code)) || inputLimitWords.test(message);
  return tooLarge ? 'input_limit' : 'invalid_request';
};

const certainReason = (error: UpstreamError): NotExecutedReason => {
  const reason = reasonOfStatus(error.status);
  return reason === 'bad_request' ? badRequestReason(error) : reason;
};

/** The error of an answer whose status is not 2xx. `cause` carries the upstream's words to the log. */
export const fromOpenaiError = (
  error: UpstreamError,
  retryAfterMs: number | undefined,
): NotExecuted | UnknownOutcome => {
  if (!isCertainStatus(error.status)) return new UnknownOutcome(`status_${error.status}`, error);
  const later = retryAfterMs === undefined ? {} : { retryAfterMs };
  const reason = certainReason(error);
  const lasting = isLastingRefusal(error.status, reason) || error.codes.includes('insufficient_quota');
  return new NotExecuted({
    reason,
    lasting,
    field: error.field,
    detail: readRefusalDetail(reason, error.codes, error.message),
    cause: error,
    ...later,
  });
};

/** Error codes by which an `error` inside a 200 says for certain what an HTTP status would have said. */
const statusOfCode: { readonly [code: string]: number } = {
  invalid_request_error: 400,
  context_length_exceeded: 400,
  invalid_api_key: 401,
  authentication_error: 401,
  insufficient_quota: 429,
  rate_limit_exceeded: 429,
  rate_limit_error: 429,
  model_not_found: 404,
};

/** The error of a 2xx answer that holds an `error` and no choices; undefined where it holds none. */
export const fromErrorInAnswer = (
  body: unknown,
  apiKey: string | undefined,
): NotExecuted | UnknownOutcome | undefined => {
  const answer = asObject(body);
  const inner = answer?.['error'];
  if (answer === undefined || inner === undefined || inner === null) return undefined;
  if (asArray(answer['choices']).length > 0) return undefined;
  const numeric = asObject(inner)?.['code'];
  // In the manner of a body that came as an error: what the upstream repeats of the key does not go to the log.
  const cut = parseErrorBody(JSON.stringify({ error: inner }), apiKey);
  const { codes } = readUpstreamError(200, cut);
  const named = codes.map((code) => statusOfCode[code]).find((status) => status !== undefined);
  const status = typeof numeric === 'number' && numeric >= 400 && numeric < 430 ? numeric : named;
  const error = readUpstreamError(status ?? 200, cut);
  if (status === undefined) return new UnknownOutcome('upstream_error', error);
  return fromOpenaiError(error, undefined);
};

/** Parses an error body; what is no JSON stays a text. The host's key is cut out, since upstreams repeat it. */
export const parseErrorBody = (text: string, apiKey: string | undefined): unknown => {
  const cut = apiKey === undefined || apiKey === '' ? text : text.replaceAll(apiKey, '[key]');
  return parseJson(cut) ?? cut;
};
