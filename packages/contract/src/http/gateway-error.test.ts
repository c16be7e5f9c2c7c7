import { expect, test } from 'vitest';
import { errorTable } from './error-code.ts';
import { GatewayError, isGatewayError } from './gateway-error.ts';

test('carries the table message unless a detail replaces it', () => {
  expect(new GatewayError('not_found').message).toBe(errorTable.not_found.message);
  const error = new GatewayError('invalid_request', { detail: 'The field seed is missing or null.' });
  expect(error.message).toBe('The field seed is missing or null.');
  expect(error.detail).toBe(error.message);
});

test('carries the request id, the wait and the cause', () => {
  const cause = new Error('secret');
  const error = new GatewayError('service_unavailable', { requestId: 'r', retryAfterMs: 1500, cause });
  expect(error).toMatchObject({ code: 'service_unavailable', requestId: 'r', retryAfterMs: 1500, cause });
  expect(error.message).not.toContain('secret');
});

test('has no request id and no cause when none is given', () => {
  const error = new GatewayError('not_found');
  expect(error.requestId).toBeUndefined();
  expect('cause' in error).toBe(false);
});

test('is reported by name and code, not by its class', () => {
  const fromAnotherCopy = Object.assign(new Error('x'), { name: 'GatewayError', code: 'not_found' });
  expect(isGatewayError(fromAnotherCopy)).toBe(true);
  expect(isGatewayError(new GatewayError('not_found'))).toBe(true);
});

test.each([
  ['another error', new Error('not_found')],
  ['an unknown code', { name: 'GatewayError', code: 'toString' }],
  ['a code that is no text', { name: 'GatewayError', code: 404 }],
  ['a code alone', { code: 'not_found' }],
  ['null', null],
  ['text', 'GatewayError'],
])('is not mistaken for %s', (_, value) => {
  expect(isGatewayError(value)).toBe(false);
});
