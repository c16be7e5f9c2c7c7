import { expect, test } from 'vitest';
import { readRetryAfterMs } from './retry-after.ts';

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
])('reads %j', (headers, waitMs) => {
  expect(readRetryAfterMs(headers, nowMs)).toBe(waitMs);
});
