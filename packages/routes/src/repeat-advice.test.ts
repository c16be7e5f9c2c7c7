import { errorTable, type ErrorCode } from '@tollgate/contract';
import { describe, expect, test } from 'vitest';
import { repeatHeaders } from './repeat-advice.ts';

// Sound: the table is a record by code.
const codes = Object.keys(errorTable) as readonly ErrorCode[];

const nothingRan: readonly ErrorCode[] = ['rate_limited', 'service_unavailable', 'access_or_service_unavailable'];
const neverAgain: readonly ErrorCode[] = [
  'request_in_progress',
  'ai_idempotency_conflict',
  'previous_request_failed',
  'settlement_pending',
  'result_expired',
  'request_failed',
  'quota_exceeded',
];

const laterOf = (code: ErrorCode) => ({
  'retry-after': '1',
  ...(code === 'rate_limited' && { 'retry-after-ms': '1000' }),
  'x-should-retry': 'true',
});
const never = { 'x-should-retry': 'false' };

const headersOf = (code: ErrorCode, isRegistered: boolean, isIdentified = false, retryAfterMs?: number) =>
  repeatHeaders({ code, isRegistered, isIdentified, retryAfterMs });

describe.each(codes)('%s', (code) => {
  test('says of a registered operation whether a repeat may pay again [errors:compat:should-retry]', () => {
    const expected = neverAgain.includes(code) ? never : nothingRan.includes(code) ? laterOf(code) : {};
    expect(headersOf(code, true)).toEqual(expected);
  });

  test('says of what was never registered that it may succeed later, or where a quota is used up that it does not', () => {
    const passes = [...nothingRan, 'request_in_progress'].includes(code);
    const expected = passes ? laterOf(code) : code === 'quota_exceeded' ? never : {};
    expect(headersOf(code, false)).toEqual(expected);
    expect(headersOf(code, false, true)).toEqual(expected);
  });

  test('never names a time and forbids the repeat at once, nor says nothing of an identity that is used up', () => {
    for (const isRegistered of [true, false])
      for (const isIdentified of [true, false]) {
        const headers = headersOf(code, isRegistered, isIdentified, 7_000);
        expect(headers['x-should-retry'] === 'false' && headers['retry-after'] !== undefined).toBe(false);
        expect(headers['retry-after'] ?? '7').toBe('7');
      }
    const used = headersOf(code, true, true);
    expect(used).toEqual([...neverAgain, ...nothingRan].includes(code) ? never : {});
  });
});

test('tells a wait in whole seconds, and one at the least', () => {
  const waits = [0, 1, 999, 1_000, 1_001, 2_500].map(
    (ms) => headersOf('rate_limited', false, false, ms)['retry-after'],
  );
  expect(waits).toEqual(['1', '1', '1', '1', '2', '3']);
});

test('tells the wait for a limit in milliseconds as well, which clients read first', () => {
  const waits = [0, 1, 12.3, 2_500].map((ms) => headersOf('rate_limited', false, false, ms)['retry-after-ms']);
  expect(waits).toEqual(['1', '1', '13', '2500']);
  expect(headersOf('service_unavailable', false, false, 2_500)).not.toHaveProperty('retry-after-ms');
});
