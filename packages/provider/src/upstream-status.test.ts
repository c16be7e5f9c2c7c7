import { expect, test } from 'vitest';
import { isCertainStatus, isLastingRefusal, reasonOfStatus } from './upstream-status.ts';

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

test.each([302, 401, 402, 403, 404, 405])('says that %i comes again until a person changes something', (status) => {
  expect(isLastingRefusal(status, 'unavailable')).toBe(true);
});

test.each([
  [400, 'invalid_request'],
  [409, 'failed'],
  [429, 'rate_limited'],
  [500, 'failed'],
  [503, 'unavailable'],
  [529, 'unavailable'],
] as const)('leaves it open whether %i comes again', (status, reason) => {
  expect(isLastingRefusal(status, reason)).toBe(false);
});
