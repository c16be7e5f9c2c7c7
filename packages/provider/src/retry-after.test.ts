import { expect, test } from 'vitest';
import { readRetryAfterMs, readRetryDelayMs } from './retry-after.ts';

const nowMs = Date.parse('2026-11-20T00:00:00Z');

test.each([
  [{}, undefined],
  [{ 'retry-after': '3' }, 3_000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after-ms': '250', 'retry-after': '1' }, 250],
  [{ 'retry-after': 'Fri, 20 Nov 2026 00:00:10 GMT' }, 10_000],
  [{ 'retry-after': 'Thu, 19 Nov 2026 00:00:00 GMT' }, 0],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '-5' }, 0],
  [{ 'retry-after': '99999999' }, 86_400_000],
  [{ 'retry-after': ['1', '2'] }, undefined],
])('reads the headers %j', (headers, waitMs) => {
  expect(readRetryAfterMs(headers, nowMs)).toBe(waitMs);
});

test.each([
  [undefined, undefined],
  [[{ retryDelay: '3s' }], 3_000],
  [[{ reason: 'QUOTA' }, { retryDelay: '1.5s' }], 1_500],
  [[{ retryDelay: 'soon' }, { retryDelay: '2s' }], 2_000],
  [[{ retryDelay: '3' }], undefined],
  [[{ retryDelay: '999999999s' }], 86_400_000],
])('reads the details %j', (details, waitMs) => {
  expect(readRetryDelayMs(details)).toBe(waitMs);
});
