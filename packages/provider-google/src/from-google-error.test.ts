import { isNotExecuted, readRetryAfterMs } from '@tollgate/provider';
import { expect, test } from 'vitest';
import {
  fromErrorInAnswer,
  fromGoogleError,
  isLostFile,
  parseErrorBody,
  readUpstreamError,
} from './from-google-error.ts';
import { failedWork } from './operation-error.ts';

const body = (status: string, message = 'words', details: readonly object[] = []): unknown => ({
  error: { code: 0, status, message, details },
});

const meaning = (status: number, error: unknown, retryAfterMs?: number): unknown => {
  const failure = fromGoogleError(readUpstreamError(status, error), retryAfterMs);
  if (!isNotExecuted(failure)) return failure.message;
  return failure.retryAfterMs === undefined ? failure.reason : [failure.reason, failure.retryAfterMs];
};

const isLasting = (status: number, error: unknown = {}): unknown => {
  const failure = fromGoogleError(readUpstreamError(status, error));
  return isNotExecuted(failure) && failure.lasting;
};

test('says of credentials, account, model and address that they stay refused, and of nothing else', () => {
  expect([301, 401, 403, 404].map((status) => isLasting(status))).toEqual([true, true, true, true]);
  expect(isLasting(400, body('INVALID_ARGUMENT', 'x', [{ reason: 'API_KEY_INVALID' }]))).toBe(true);
  expect([400, 409, 413, 429, 500, 503].filter((status) => isLasting(status))).toEqual([]);
});

test.each([
  [400, body('INVALID_ARGUMENT'), 'invalid_request'],
  [400, body('FAILED_PRECONDITION', 'User location is not supported for the API use.'), 'unavailable'],
  [400, body('INVALID_ARGUMENT', 'x', [{ reason: 'API_KEY_INVALID' }]), 'unavailable'],
  [400, body('INVALID_ARGUMENT', 'API key expired. Please renew the API key.'), 'unavailable'],
  [400, body('INVALID_ARGUMENT', 'The input token count (9) exceeds the maximum number of tokens'), 'input_limit'],
  [400, body('INVALID_ARGUMENT', 'Request payload size exceeds the limit: 20971520 bytes.'), 'input_limit'],
  [400, body('OUT_OF_RANGE'), 'invalid_request'],
  [413, {}, 'input_limit'],
  [401, body('UNAUTHENTICATED'), 'unavailable'],
  [402, {}, 'unavailable'],
  [403, body('PERMISSION_DENIED'), 'unavailable'],
  [404, body('NOT_FOUND'), 'unavailable'],
  [409, body('ABORTED'), 'failed'],
  [429, body('RESOURCE_EXHAUSTED'), 'rate_limited'],
  [499, body('CANCELLED'), 'outcome unknown: status_499'],
  [408, {}, 'outcome unknown: status_408'],
  [500, body('INTERNAL'), 'failed'],
  [501, body('UNIMPLEMENTED'), 'failed'],
  [502, {}, 'outcome unknown: status_502'],
  [503, body('UNAVAILABLE'), 'unavailable'],
  [504, body('DEADLINE_EXCEEDED'), 'outcome unknown: status_504'],
])('takes %i %j for %s', (status, error, expected) => {
  expect(meaning(status, error)).toBe(expected);
});

test.each([
  [[{ retryDelay: '3s' }], undefined, 3_000],
  [[{ retryDelay: '1.25s' }], 60_000, 1_250],
  [[{ retryDelay: 'soon' }], 2_000, 2_000],
  [[{ retryDelay: '999999999s' }], undefined, 86_400_000],
])('reads when to come back from %j, or else from the header', (details, header, expected) => {
  expect(meaning(429, body('RESOURCE_EXHAUSTED', 'x', details), header)).toEqual(['rate_limited', expected]);
});

test.each([
  ['2', 2_000],
  ['0.5', 500],
  ['Fri, 20 Nov 2026 10:00:05 GMT', 5_000],
  ['never', undefined],
])('reads the header %s', (value, expected) => {
  const nowMs = Date.parse('2026-11-20T10:00:00Z');
  expect(readRetryAfterMs({ 'retry-after': value }, nowMs)).toBe(expected);
});

const inAnswer = (answer: unknown, hasBegun: boolean): unknown => {
  const failure = fromErrorInAnswer(answer, hasBegun, '');
  return isNotExecuted(failure) ? failure.reason : failure?.message;
};

test.each([
  [{ error: { code: 400, status: 'INVALID_ARGUMENT' } }, 'invalid_request'],
  [[{ error: { code: 503, status: 'UNAVAILABLE' } }], 'unavailable'],
  [{ error: { status: 'RESOURCE_EXHAUSTED' } }, 'rate_limited'],
  [{ error: { code: 504 } }, 'outcome unknown: status_504'],
  [{ error: { message: 'something' } }, 'outcome unknown: upstream_error'],
  [{ error: 'something' }, 'outcome unknown: upstream_error'],
  [{ candidates: [] }, undefined],
  [{ error: null }, undefined],
])('takes %j inside an answer for %s', (answer, expected) => {
  expect(inAnswer(answer, false)).toBe(expected);
});

test('knows of no error that it bills nothing once an answer has begun', () => {
  expect(inAnswer({ error: { code: 400 } }, true)).toBe('outcome unknown: upstream_error');
});

test('cuts the key out of what goes to the log', () => {
  const text = JSON.stringify(body('INVALID_ARGUMENT', 'the key k-1 is bad'));
  expect(readUpstreamError(400, parseErrorBody(text, 'k-1')).message).toBe('the key [key] is bad');
  expect(parseErrorBody('<html>', '')).toBe('<html>');
  const inside = fromErrorInAnswer(JSON.parse(text), false, 'k-1');
  expect([inside?.cause, failedWork({ message: 'the key k-1 is bad' }, 'k-1').cause]).toMatchObject([
    { message: 'the key [key] is bad' },
    { message: 'the key [key] is bad' },
  ]);
});

test.each([
  [403, 'You do not have permission to access the File abc or it may not exist.', true],
  [404, 'File files/abc not found', true],
  [403, 'The caller does not have permission', false],
  [400, 'File is not in an ACTIVE state', false],
])('takes %i "%s" for a lost file: %s', (status, message, expected) => {
  expect(isLostFile(fromGoogleError(readUpstreamError(status, body('X', message))))).toBe(expected);
});

const fieldOf = (error: object): unknown => {
  const failure = fromGoogleError(
    readUpstreamError(400, { error: { code: 400, status: 'INVALID_ARGUMENT', ...error } }),
  );
  return isNotExecuted(failure) ? failure.field : failure;
};

const violation = (field: unknown): object => ({
  message: `Invalid value at '${String(field)}' (TYPE_INT32), projects/123456/keys/abc`,
  details: [
    { '@type': 'type.googleapis.com/google.rpc.Help' },
    {
      '@type': 'type.googleapis.com/google.rpc.BadRequest',
      fieldViolations: [{ field, description: 'Invalid value' }],
    },
  ],
});

test.each([
  ['generation_config.top_k', 'topK'],
  ['generationConfig.topP', 'topP'],
  ['GenerateContentRequest.generation_config.temperature', 'temperature'],
  ['generation_config.thinking_config.thinking_budget', 'thinking'],
  ['contents[0].parts[1].inline_data.mime_type', 'contents'],
  ['tools[0].function_declarations[0].parameters', 'tools'],
  ['generation_config.max_output_tokens', undefined],
  ['generation_config', undefined],
  ['projects/123456', undefined],
  [undefined, undefined],
  [7, undefined],
])('reads of a violation of %j the setting %s', (field, expected) => {
  expect(fieldOf(violation(field))).toBe(expected);
});

test.each([
  ['* GenerateContentRequest.generation_config.temperature: must be in the range [0.0, 2.0].\n', 'temperature'],
  ['topK is not supported', 'topK'],
  ['top_k is unsupported by models/abc', 'topK'],
  ['Please ensure that topK is lower.', undefined],
  ['Request contains an invalid argument.', undefined],
])('reads of the sentence %j the setting %s', (message, expected) => {
  expect(fieldOf({ message })).toBe(expected);
});

test.each([[null], ['text'], [[null, 'x', 7]], [{ fieldViolations: 'x' }]])(
  'reads no setting of details %j',
  (details) => {
    expect(fieldOf({ message: 'x', details })).toBeUndefined();
  },
);

test('keeps a plain text for the log, without the key', () => {
  const error = readUpstreamError(400, parseErrorBody('no service for k-1 here', 'k-1'));
  expect(error).toMatchObject({ status: 400, message: 'no service for [key] here' });
});

test.each([
  ['Unable to process input image. Please retry.', 'image_unreadable'],
  ['The document has no pages.', 'document_unreadable'],
  ['Unsupported MIME type: application/zip', 'media_type'],
  ['Please ensure that the number of function response parts is equal to that of the calls.', 'function_results'],
  ['Invalid value.', undefined],
])('tells clients of %j: %s', (message, detail) => {
  const given = { error: { code: 400, status: 'INVALID_ARGUMENT', message } };
  const failure = fromGoogleError(readUpstreamError(400, given));
  expect(failure).toMatchObject({ reason: 'invalid_request' });
  expect('reason' in failure ? failure.detail : null).toBe(detail);
});
