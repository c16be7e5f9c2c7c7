import { isNotExecuted } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { fromAnthropicError, fromErrorInAnswer, parseErrorBody, readUpstreamError } from './from-anthropic-error.ts';

const bodyOf = (type: string, message = 'm') => ({ type: 'error', error: { type, message } });

const told = (status: number, body: unknown): string | undefined => {
  const failure = fromAnthropicError(readUpstreamError(status, body), undefined);
  return isNotExecuted(failure) ? failure.reason : failure.message;
};

const isLasting = (status: number, body: unknown = {}): boolean => {
  const failure = fromAnthropicError(readUpstreamError(status, body), undefined);
  return isNotExecuted(failure) && failure.lasting;
};

test('says of credentials, account, model and address that they stay refused, and of nothing else', () => {
  expect([301, 401, 402, 403, 404].filter((status) => !isLasting(status))).toEqual([]);
  expect(isLasting(400, bodyOf('invalid_request_error', 'Your credit balance is too low to access the API.'))).toBe(
    true,
  );
  expect([400, 409, 413, 422, 429, 500, 503, 529].filter((status) => isLasting(status))).toEqual([]);
});

test.each([
  [400, bodyOf('invalid_request_error'), 'invalid_request'],
  [400, bodyOf('invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'), 'input_limit'],
  [
    400,
    bodyOf('invalid_request_error', 'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000'),
    'input_limit',
  ],
  [400, bodyOf('invalid_request_error', 'Your credit balance is too low to access the API.'), 'unavailable'],
  [401, bodyOf('authentication_error'), 'unavailable'],
  [402, bodyOf('billing_error'), 'unavailable'],
  [403, bodyOf('permission_error'), 'unavailable'],
  [404, bodyOf('not_found_error'), 'unavailable'],
  [413, bodyOf('request_too_large'), 'input_limit'],
  [422, 'a page', 'invalid_request'],
  [429, bodyOf('rate_limit_error'), 'rate_limited'],
  [500, bodyOf('api_error'), 'failed'],
  [503, 'a page', 'unavailable'],
  [529, bodyOf('overloaded_error'), 'unavailable'],
] as const)('knows of %d with %j for certain that nothing ran: %s', (status, body, reason) => {
  expect(told(status, body)).toBe(reason);
});

test.each([408, 499, 502, 504, 520])('does not know what became of a call after %d', (status) => {
  expect(told(status, bodyOf('timeout_error'))).toBe(`outcome unknown: status_${status}`);
});

test.each([
  ['messages.0.content.1.image.source.base64.data: too large', 'contents'],
  ['tools.0.custom.input_schema: JSON schema is invalid', 'tools'],
  ['tool_choice.name: not found', 'toolChoice'],
  ['`temperature` may only be set to 1 when thinking is enabled.', 'temperature'],
  ['output_config.format.schema: no additionalProperties', 'responseFormat'],
  ['output_config.effort: Input should be low', 'thinking'],
  ['system: text blocks must be non-empty', 'systemInstruction'],
  ['max_tokens: 900000 > 64000', undefined],
  ['Something about messages: no', undefined],
])('knows by %j which setting it is about', (message, field) => {
  expect(readUpstreamError(400, bodyOf('invalid_request_error', message)).field).toBe(field);
});

test('an error event before the message began is as certain as its status', () => {
  const failure = fromErrorInAnswer(bodyOf('overloaded_error'), false, 'key');
  expect(isNotExecuted(failure) && failure.reason).toBe('unavailable');
  expect(fromErrorInAnswer(bodyOf('timeout_error'), false, 'key')?.message).toBe('outcome unknown: status_504');
  expect(fromErrorInAnswer(bodyOf('toString'), false, 'key')?.message).toBe('outcome unknown: upstream_error');
  expect(fromErrorInAnswer(bodyOf('overloaded_error'), true, 'key')?.message).toBe('outcome unknown: upstream_error');
  expect(fromErrorInAnswer({ type: 'message' }, false, 'key')).toBeUndefined();
});

test('cuts the key of the host out of what is kept for the log', () => {
  expect(JSON.stringify(parseErrorBody('{"error":{"message":"bad key sk-1"}}', 'sk-1'))).not.toContain('sk-1');
});

test.each([
  ['messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 7 bytes > 5 bytes', 'image_too_large'],
  ['Could not process image', 'image_unreadable'],
  ['The PDF specified was not valid.', 'document_unreadable'],
  ['A maximum of 100 PDF pages may be provided.', 'document_too_large'],
  ['messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: a', 'function_results'],
  ['tools.0.custom.input_schema: JSON schema is invalid', 'function_schema'],
  ['messages: at least one message is required', undefined],
])('tells clients of %j: %s', (message, detail) => {
  const failure = fromAnthropicError(readUpstreamError(400, bodyOf('invalid_request_error', message)), undefined);
  expect(failure).toMatchObject({ reason: 'invalid_request' });
  expect('reason' in failure ? failure.detail : null).toBe(detail);
  expect(failure.message).not.toContain(message);
});
