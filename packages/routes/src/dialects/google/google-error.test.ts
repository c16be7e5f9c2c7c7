import { errorTable } from '@tollgate/contract';
import { expect, test } from 'vitest';
import { googleError, toGoogleError } from './google-error.ts';

test('tells an error by number and status name, with the code of the contract in its details', () => {
  const body = JSON.stringify({ error: { code: 'request_failed', message: 'It failed.', request_id: 'r-1' } });
  expect(JSON.parse(toGoogleError(502, body))).toEqual({
    error: {
      code: 502,
      message: 'It failed.',
      status: 'INTERNAL',
      details: [{ reason: 'request_failed', request_id: 'r-1' }],
    },
  });
});

test('tells an error that has a message alone without details', () => {
  expect(JSON.parse(toGoogleError(404, '{"error":"Not found."}'))).toEqual({
    error: { code: 404, message: 'Not found.', status: 'NOT_FOUND' },
  });
});

test('has a status name for every error of the contract', () => {
  for (const [code, { status, message }] of Object.entries(errorTable)) {
    const told: unknown = JSON.parse(googleError({ status, message, code, requestId: null }));
    expect(told, code).toMatchObject({ error: { code: status, status: expect.stringMatching(/^[A-Z_]+$/) } });
  }
});
