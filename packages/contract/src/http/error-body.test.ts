import { expect, test } from 'vitest';
import { ErrorObject, ErrorText } from './error-body.ts';

const error = { code: 'request_failed', message: 'No.' };
const requestId = '0190a5b2-7c7e-7c3a-9d0e-3a1f5b6c7d8e';

test('has an object form whose request id is optional [errors:format:object]', () => {
  expect(ErrorObject.safeParse({ error }).success).toBe(true);
  expect(ErrorObject.safeParse({ error: { ...error, request_id: requestId } }).success).toBe(true);
  expect(ErrorObject.safeParse({ error: { ...error, request_id: 'none' } }).success).toBe(false);
  expect(ErrorObject.safeParse({ error: { ...error, param: 'temperature' } }).success).toBe(true);
  expect(ErrorObject.safeParse({ error: { ...error, param: 'x'.repeat(65) } }).success).toBe(false);
  expect(ErrorObject.safeParse({ error: 'No.' }).success).toBe(false);
});

test('has a text form [errors:format:string]', () => {
  expect(ErrorText.safeParse({ error: 'No.' }).success).toBe(true);
  expect(ErrorText.safeParse({ error }).success).toBe(false);
});
