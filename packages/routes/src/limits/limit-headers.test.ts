import type { LimitReport } from '@tollgate/engine';
import { expect, test } from 'vitest';
import { limitHeaders, toDuration } from './limit-headers.ts';

test.each([
  [0, '0ms'],
  [12, '12ms'],
  [999.2, '1s'],
  [1_500, '1.5s'],
  [59_999, '59.999s'],
  [60_000, '1m0s'],
  [366_250, '6m6.25s'],
])('writes %d ms as %s', (ms, duration) => {
  expect(toDuration(ms)).toBe(duration);
});

const report = (more: Partial<LimitReport>): LimitReport => ({
  level: 'key',
  amount: 'requests',
  limit: 60,
  remaining: 10,
  resetMs: 250,
  ...more,
});

test('tells of several limits the one that leaves the least', () => {
  const headers = limitHeaders(
    [report({ remaining: 10 }), report({ level: 'account', limit: 6_000, remaining: 4 })],
    'openai',
    0,
  );
  expect(headers).toEqual({
    'x-ratelimit-limit-requests': '6000',
    'x-ratelimit-remaining-requests': '4',
    'x-ratelimit-reset-requests': '250ms',
  });
});

test('tells the clients of Messages the time of day at which all of a limit is back', () => {
  const headers = limitHeaders([report({ amount: 'tokens' })], 'anthropic', Date.UTC(2026, 0, 2, 3, 4, 5, 800));
  expect(headers).toEqual({
    'anthropic-ratelimit-tokens-limit': '60',
    'anthropic-ratelimit-tokens-remaining': '10',
    'anthropic-ratelimit-tokens-reset': '2026-01-02T03:04:07Z',
  });
});

test('tells nothing of what is not limited', () => {
  expect(limitHeaders([], undefined, 0)).toEqual({});
});
