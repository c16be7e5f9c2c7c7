import { isNotExecuted } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { fromErrorInAnswer, fromOpenaiError, parseErrorBody, readUpstreamError } from './from-openai-error.ts';

const outcomeOf = (status: number, body: unknown = {}): string => {
  const failure = fromOpenaiError(readUpstreamError(status, body), undefined);
  return isNotExecuted(failure) ? failure.reason : failure.detail;
};

const isLasting = (status: number, body: unknown = {}): unknown => {
  const failure = fromOpenaiError(readUpstreamError(status, body), undefined);
  return isNotExecuted(failure) && failure.lasting;
};

test('says of credentials, account, model and address that they stay refused, and of nothing else', () => {
  expect([301, 401, 402, 403, 404].map((status) => isLasting(status))).toEqual([true, true, true, true, true]);
  expect([400, 409, 413, 422, 429, 500, 503, 529].filter((status) => isLasting(status))).toEqual([]);
  expect(isLasting(429, { error: { code: 'insufficient_quota' } })).toBe(true);
  expect(isLasting(400, { error: { code: 'invalid_api_key' } })).toBe(true);
});

test.each([
  [301, 'unavailable'],
  [400, 'invalid_request'],
  [401, 'unavailable'],
  [402, 'unavailable'],
  [403, 'unavailable'],
  [404, 'unavailable'],
  [408, 'status_408'],
  [409, 'failed'],
  [413, 'input_limit'],
  [422, 'invalid_request'],
  [429, 'rate_limited'],
  [499, 'status_499'],
  [500, 'failed'],
  [502, 'status_502'],
  [503, 'unavailable'],
  [504, 'status_504'],
  [524, 'status_524'],
  [529, 'unavailable'],
])('takes status %i as %s', (status, outcome) => {
  expect(outcomeOf(status)).toBe(outcome);
});

test.each([
  { error: { code: 'context_length_exceeded', message: 'x' } },
  { error: { type: 'exceed_context_size_error', code: 400 } },
  { object: 'error', message: "This model's maximum context length is 4096 tokens.", code: 400 },
  { error: 'the prompt is too long' },
])('tells an input that is too large by %j', (body) => {
  expect(outcomeOf(400, body)).toBe('input_limit');
});

test('takes a 400 about the host key as unavailable, not as the fault of the client', () => {
  const google = [{ error: { code: 400, status: 'INVALID_ARGUMENT', details: [{ reason: 'API_KEY_INVALID' }] } }];
  expect(outcomeOf(400, google)).toBe('unavailable');
});

test('keeps the words of the upstream and the key out of the message', () => {
  const body = parseErrorBody('{"error":{"message":"Incorrect API key: sk-1","code":"invalid_api_key"}}', 'sk-1');
  const failure = fromOpenaiError(readUpstreamError(401, body), undefined);
  expect(failure.message).toBe('not executed: unavailable');
  expect(failure.cause).toEqual({ status: 401, codes: ['invalid_api_key'], message: 'Incorrect API key: [key]' });
});

test('keeps a plain text for the log, without the key', () => {
  const error = readUpstreamError(400, parseErrorBody('model not loaded for sk-1', 'sk-1'));
  expect(error).toEqual({ status: 400, codes: [], message: 'model not loaded for [key]' });
});

test.each([
  [{ error: { code: 429, message: 'slow down' } }, 'rate_limited'],
  [{ error: { code: 402 }, choices: [] }, 'unavailable'],
  [{ error: { type: 'invalid_request_error' } }, 'invalid_request'],
  [{ error: { code: 'context_length_exceeded', type: 'invalid_request_error' } }, 'input_limit'],
  [{ error: { code: 502 } }, 'upstream_error'],
  [{ error: { code: 408 } }, 'status_408'],
  [{ error: { message: 'something' } }, 'upstream_error'],
  [{ error: 'something' }, 'upstream_error'],
])('takes an answer with %j as %s', (body, outcome) => {
  const failure = fromErrorInAnswer(body, undefined);
  if (failure === undefined) throw new Error('no failure was found');
  expect(isNotExecuted(failure) ? failure.reason : failure.detail).toBe(outcome);
});

test.each([{}, { error: null, choices: [{}] }, { error: { code: 429 }, choices: [{}] }, undefined])(
  'finds no error in the answer %j',
  (body) => {
    expect(fromErrorInAnswer(body, undefined)).toBeUndefined();
  },
);

test('cuts the key out of an error inside an answer', () => {
  const failure = fromErrorInAnswer({ error: { code: 401, message: 'the key sk-1 is bad' } }, 'sk-1');
  expect(failure?.cause).toMatchObject({ message: 'the key [key] is bad' });
});

const fieldOf = (status: number, body: unknown): unknown => {
  const failure = fromOpenaiError(readUpstreamError(status, body), undefined);
  return isNotExecuted(failure) ? failure.field : failure;
};

const refusal = (param: unknown, code = 'unsupported_value'): object => ({
  error: {
    message: `Unsupported value: '${String(param)}' does not support 0.1 with this model. Your key is sk-proj-abc.`,
    type: 'invalid_request_error',
    param,
    code,
  },
});

test.each([
  ['temperature', 'temperature'],
  ['top_p', 'topP'],
  ['messages[1].content[0].image_url', 'contents'],
  ['messages.[0].role', 'contents'],
  ['tools[0].function.parameters', 'tools'],
  ['response_format.json_schema.schema', 'responseFormat'],
  ['reasoning_effort', 'thinking'],
  // The gateway sets it itself.
  ['max_completion_tokens', undefined],
  ['model', undefined],
  ['org-secret.temperature', undefined],
  ['toString', undefined],
  [`messages${'.x'.repeat(200)}`, undefined],
  [null, undefined],
  [7, undefined],
])('reads of a refusal that names %j the setting %s', (param, field) => {
  expect(fieldOf(400, refusal(param))).toBe(field);
});

test.each([
  [{ code: 'image_parse_error' }, 'image_unreadable'],
  [{ code: 'image_too_large' }, 'image_too_large'],
  [{ code: 'unsupported_image_media_type' }, 'media_type'],
  [{ code: 'content_policy_violation' }, 'content_policy'],
  [{ code: 'invalid_function_parameters' }, 'function_schema'],
  [
    { message: "An assistant message with 'tool_calls' must be followed by tool messages responding to each." },
    'function_results',
  ],
  [{ code: 'invalid_value', message: 'Not a value.' }, undefined],
])('tells clients of %j: %s', (error, detail) => {
  const failure = fromOpenaiError(readUpstreamError(400, { error }), undefined);
  expect(failure).toMatchObject({ reason: 'invalid_request' });
  expect('reason' in failure ? failure.detail : null).toBe(detail);
});
