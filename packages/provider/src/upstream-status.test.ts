import { expect, test } from 'vitest';
import { isCertainStatus, reasonOfStatus } from './upstream-status.ts';

test.each([302, 400, 401, 403, 404, 409, 413, 422, 429, 500, 501, 503, 529])('takes %i for certain', (status) => {
  expect(isCertainStatus(status)).toBe(true);
});

test.each([200, 299, 408, 499, 502, 504, 505, 520, 599])('leaves %i in doubt', (status) => {
  expect(isCertainStatus(status)).toBe(false);
});

test.each([
  [400, 'bad_request'],
  [413, 'bad_request'],
  [422, 'bad_request'],
  [429, 'rate_limited'],
  [409, 'failed'],
  [425, 'failed'],
  [500, 'failed'],
  [501, 'failed'],
  [302, 'unavailable'],
  [401, 'unavailable'],
  [404, 'unavailable'],
  [503, 'unavailable'],
  [529, 'unavailable'],
])('tells of %i why nothing ran: %s', (status, reason) => {
  expect(reasonOfStatus(status)).toBe(reason);
});
