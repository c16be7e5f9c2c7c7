import { expect, test } from 'vitest';
import { NotExecuted, UnknownOutcome } from '@tollgate/provider';
import { failureOfUnanswered } from './unanswered-call.ts';

const cause = new Error('why');

test.each([
  ['aborted', 'cancelled'],
  ['timed_out', 'unavailable'],
  ['unreachable', 'unavailable'],
  ['refused', 'unavailable'],
  ['body_unfinished', 'unavailable'],
  ['body_unreadable', 'failed'],
] as const)('nothing ran where a call was not sent: %s', (why, reason) => {
  const failure = failureOfUnanswered({ kind: 'not_sent', why, cause });
  expect(failure).toBeInstanceOf(NotExecuted);
  expect(failure).toMatchObject({ reason, cause });
});

test('a lost call may have run', () => {
  const failure = failureOfUnanswered({ kind: 'lost', detail: 'connection_lost', status: null, headers: {}, cause });
  expect(failure).toBeInstanceOf(UnknownOutcome);
  expect(failure).toMatchObject({ detail: 'connection_lost', cause });
});
