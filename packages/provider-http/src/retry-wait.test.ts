import { expect, test } from 'vitest';
import { NotExecuted, UnknownOutcome } from '@tollgate/provider';
import { retryWaitMs } from './retry-wait.ts';

const limits = { attemptsMax: 4, waitMsMax: 1_000 };
const asks = (retryAfterMs: number): NotExecuted => new NotExecuted({ reason: 'rate_limited', retryAfterMs });
const busy = new NotExecuted({ reason: 'rate_limited' });

test('waits twice as long each time, as long as attempts are left', () => {
  expect([1, 2, 3, 4].map((attempt) => retryWaitMs(limits, { failure: busy, attempt }))).toEqual([
    200,
    400,
    800,
    undefined,
  ]);
});

test('waits as long as the upstream asks, unless that is longer than the limit', () => {
  expect([0, 1_000, 1_001].map((ms) => retryWaitMs(limits, { failure: asks(ms), attempt: 1 }))).toEqual([
    0,
    1_000,
    undefined,
  ]);
});

test.each([
  new NotExecuted({ reason: 'invalid_request' }),
  new NotExecuted({ reason: 'input_limit' }),
  new NotExecuted({ reason: 'unsupported' }),
  new NotExecuted({ reason: 'cancelled' }),
  new NotExecuted({ reason: 'unavailable', lasting: true }),
  new NotExecuted({ reason: 'rate_limited', lasting: true, retryAfterMs: 0 }),
])('never repeats what is refused again: $reason', (refusal) => {
  expect(retryWaitMs(limits, { failure: refusal, attempt: 1, isPassing: true })).toBeUndefined();
});

test.each(['rate_limited', 'unavailable', 'failed'] as const)('repeats what may pass: %s', (reason) => {
  expect(retryWaitMs(limits, { failure: new NotExecuted({ reason }), attempt: 2, isPassing: true })).toBe(400);
});

test.each(['unavailable', 'failed'] as const)('does not repeat what is %s unless it is said to pass', (reason) => {
  expect(retryWaitMs(limits, { failure: new NotExecuted({ reason }), attempt: 1 })).toBeUndefined();
});

test('never makes another call after one that may have run', () => {
  expect(
    retryWaitMs(limits, { failure: new UnknownOutcome('timed_out'), attempt: 1, isPassing: true }),
  ).toBeUndefined();
});
