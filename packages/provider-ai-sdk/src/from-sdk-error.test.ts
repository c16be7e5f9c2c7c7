import {
  APICallError,
  InvalidArgumentError,
  InvalidPromptError,
  InvalidResponseDataError,
  LoadAPIKeyError,
  NoSuchModelError,
  TooManyEmbeddingValuesForCallError,
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider';
import { NotExecuted, UnknownOutcome } from '@tollgate/provider';
import { describe, expect, test } from 'vitest';
import { asLost, fromCallError, fromStreamError, type FailedCall } from './from-sdk-error.ts';

const nowMs = Date.parse('2026-11-20T10:00:00Z');

const apiError = (statusCode: number | undefined, error: object = {}, rest: object = {}): APICallError =>
  new APICallError({
    message: 'words of the upstream',
    url: 'https://upstream.test/?key=secret',
    requestBodyValues: { messages: ['words of the client'] },
    ...(statusCode === undefined ? {} : { statusCode }),
    responseHeaders: {},
    responseBody: JSON.stringify({ error: { message: 'words of the upstream', ...error } }),
    ...rest,
  });

const told = ({ failure, attempt }: FailedCall): readonly unknown[] => [
  failure instanceof NotExecuted ? failure.reason : failure.detail,
  attempt,
];

const statuses: readonly (readonly [status: number, error: object, reason: string, outcome: string])[] = [
  [400, {}, 'invalid_request', 'refused'],
  [422, {}, 'invalid_request', 'refused'],
  [400, { code: 'context_length_exceeded' }, 'input_limit', 'refused'],
  [400, { message: 'The input token count (9) exceeds the maximum' }, 'input_limit', 'refused'],
  [413, {}, 'input_limit', 'refused'],
  [400, { status: 'INVALID_ARGUMENT', details: [{ reason: 'API_KEY_INVALID' }] }, 'unavailable', 'refused'],
  [400, { type: 'invalid_request_error', message: 'Your credit balance is too low' }, 'unavailable', 'refused'],
  [401, {}, 'unavailable', 'refused'],
  [402, {}, 'unavailable', 'refused'],
  [403, {}, 'unavailable', 'refused'],
  [404, {}, 'unavailable', 'refused'],
  [409, {}, 'failed', 'refused'],
  [429, {}, 'rate_limited', 'refused'],
  [500, {}, 'failed', 'refused'],
  [503, {}, 'unavailable', 'refused'],
  [529, {}, 'unavailable', 'refused'],
  [408, {}, 'status_408', 'unknown'],
  [499, {}, 'status_499', 'unknown'],
  [502, {}, 'status_502', 'unknown'],
  [504, {}, 'status_504', 'unknown'],
  [200, {}, 'unreadable_answer', 'unknown'],
];

const isLasting = (status: number, error: object = {}): unknown => {
  const { failure } = fromCallError(apiError(status, error), nowMs);
  return failure instanceof NotExecuted && failure.lasting;
};

describe('an answer of HTTP', () => {
  test('says of credentials, account, model and address that they stay refused, and of nothing else', () => {
    expect([401, 402, 403, 404].map((status) => isLasting(status))).toEqual([true, true, true, true]);
    expect([400, 409, 413, 422, 429, 500, 503, 529].filter((status) => isLasting(status))).toEqual([]);
    expect(isLasting(429, { code: 'insufficient_quota' })).toBe(true);
  });
  test.each(statuses)('%i %j is %s', (status, error, reason, outcome) => {
    expect(told(fromCallError(apiError(status, error), nowMs))).toEqual([reason, { status, outcome }]);
  });
});

const waits: readonly (readonly [title: string, rest: object, retryAfterMs: number | undefined])[] = [
  ['seconds', { responseHeaders: { 'retry-after': '3' } }, 3_000],
  ['milliseconds', { responseHeaders: { 'retry-after': '3', 'retry-after-ms': '250' } }, 250],
  ['a date', { responseHeaders: { 'retry-after': 'Fri, 20 Nov 2026 10:00:05 GMT' } }, 5_000],
  ['details of the error', { responseBody: '{"error":{"details":[{"retryDelay":"1.5s"}]}}' }, 1_500],
  ['more than a day', { responseHeaders: { 'retry-after': '999999' } }, 86_400_000],
  ['no time', { responseHeaders: { 'retry-after': 'soon' } }, undefined],
];

test.each(waits)('says when to come back: %s', (_title, rest, retryAfterMs) => {
  const { failure } = fromCallError(apiError(429, {}, rest), nowMs);
  expect(failure).toMatchObject({ reason: 'rate_limited', retryAfterMs });
});

const model = { provider: 'p', modelId: 'm' };
const before: readonly (readonly [title: string, error: Error, reason: string])[] = [
  ['no key', new LoadAPIKeyError({ message: 'words' }), 'unavailable'],
  ['no such model', new NoSuchModelError({ modelId: 'm', modelType: 'languageModel' }), 'unavailable'],
  ['no such functionality', new UnsupportedFunctionalityError({ functionality: 'f' }), 'unsupported'],
  ['a prompt', new InvalidPromptError({ prompt: [], message: 'words' }), 'invalid_request'],
  ['an option', new InvalidArgumentError({ argument: 'a', message: 'words' }), 'invalid_request'],
  [
    'too many values',
    new TooManyEmbeddingValuesForCallError({ ...model, maxEmbeddingsPerCall: 1, values: ['a', 'b'] }),
    'unsupported',
  ],
];

test.each(before)('knows that nothing was sent: %s', (_title, error, reason) => {
  expect(told(fromCallError(error, nowMs))).toEqual([reason, null]);
});

test('knows that a connection was never made', () => {
  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  const error = apiError(undefined, {}, { responseBody: undefined, cause: refused });
  expect(told(fromCallError(error, nowMs))).toEqual(['unavailable', { status: null, outcome: 'not_sent' }]);
});

const unknown: readonly (readonly [title: string, error: unknown])[] = [
  [
    'a connection that was lost',
    apiError(undefined, {}, { cause: Object.assign(new Error('x'), { code: 'ECONNRESET' }) }),
  ],
  ['an error of nobody', new Error('words')],
  ['an error with a status that is not the upstream’s', Object.assign(new Error('words'), { statusCode: 400 })],
  ['an answer that cannot be read', new InvalidResponseDataError({ data: {} })],
  ['a word', 'words'],
];

test.each(unknown)('takes %s for unknown', (_title, error) => {
  expect(told(fromCallError(error, nowMs))).toEqual(['connection_lost', { status: null, outcome: 'unknown' }]);
});

test('trusts errors of the AI Gateway', () => {
  const error = Object.assign(new Error('words'), { [Symbol.for('vercel.ai.gateway.error')]: true, statusCode: 429 });
  expect(told(fromCallError(error, nowMs))).toEqual(['rate_limited', { status: 429, outcome: 'refused' }]);
});

test('takes a refusal of a continuation for unknown, because the answer had begun', () => {
  const error = apiError(429, {}, { requestBodyValues: { continuationToken: 't' } });
  expect(told(fromCallError(error, nowMs))).toEqual(['part_executed', { status: 429, outcome: 'unknown' }]);
});

test('shows neither the words of the upstream nor those of the client', () => {
  const { failure } = fromCallError(apiError(400), nowMs);
  expect(`${failure.message} ${JSON.stringify(failure)}`).not.toMatch(/words|secret/);
  expect(JSON.stringify(failure.cause)).toMatch(/words of the upstream/);
  expect(JSON.stringify(failure.cause)).not.toMatch(/client|secret/);
});

const inStream: readonly (readonly [title: string, error: unknown, reason: string, outcome: string])[] = [
  ['a status', { message: 'm', statusCode: 429 }, 'rate_limited', 'refused'],
  ['a code', { message: 'm', code: 'context_length_exceeded' }, 'input_limit', 'refused'],
  ['a type', { message: 'm', type: 'overloaded_error' }, 'unavailable', 'refused'],
  ['a doubtful status', { message: 'm', statusCode: 504 }, 'status_504', 'unknown'],
  ['words alone', { message: 'rate limit' }, 'upstream_error', 'unknown'],
];

test.each(inStream)('reads an error that a stream began with: %s', (_title, error, reason, outcome) => {
  expect(told(fromStreamError(error, false))).toEqual([reason, { status: 200, outcome }]);
});

test('takes every error after content for unknown', () => {
  expect(told(fromStreamError({ statusCode: 429 }, true))).toEqual([
    'upstream_error',
    { status: 200, outcome: 'unknown' },
  ]);
});

test('makes nothing certain of a call whose answer had begun', () => {
  const lost = asLost({ failure: new NotExecuted({ reason: 'unavailable' }), attempt: null });
  expect(told(lost)).toEqual(['connection_lost', { status: 200, outcome: 'unknown' }]);
  const aborted = new UnknownOutcome('aborted');
  expect(asLost({ failure: aborted, attempt: null }).failure).toBe(aborted);
});
