import { expect, test } from 'vitest';
import { toRateVerdict } from './ask-limiter.ts';

test.each([
  [{ kind: 'ok' }, { kind: 'ok' }],
  [
    { kind: 'limited', retryAfterMs: 5_000 },
    { kind: 'limited', retryAfterMs: 5_000 },
  ],
  [{ kind: 'limited' }, { kind: 'limited', retryAfterMs: 1_000 }],
  [
    { kind: 'limited', retryAfterMs: Number.NaN },
    { kind: 'limited', retryAfterMs: 1_000 },
  ],
  [
    { kind: 'limited', retryAfterMs: -1 },
    { kind: 'limited', retryAfterMs: 1_000 },
  ],
  [
    { kind: 'limited', retryAfterMs: 1e300 },
    { kind: 'limited', retryAfterMs: 1_000 },
  ],
])('%j is an answer of a limiter', (answer, verdict) => {
  expect(toRateVerdict(answer)).toEqual(verdict);
});

test.each([[{}], [undefined], [null], [true], ['ok'], [{ kind: 'allowed' }], [[]]])(
  '%j is none, and admits no request by itself',
  (answer) => {
    expect(toRateVerdict(answer)).toEqual({ kind: 'failed', reason: 'nonsense' });
  },
);
