import { expect, test } from 'vitest';
import { creditText, toWire } from './to-wire.ts';

test.each([
  [0n, '0'],
  [1n, '0.000001'],
  [-1n, '-0.000001'],
  [12_500_000n, '12.5'],
  [-100_000_000n, '-100'],
  [1_000_000_000_000_000n, '1000000000'],
])('writes %s micro-credits as %s credits', (micros, text) => expect(creditText(micros)).toBe(text));

test('names members in snake case, amounts as credits, times as ISO 8601, and leaves the names of the host alone', () => {
  expect(
    toWire({
      balanceMicros: 5n,
      pendingMicros: null,
      verdict: { amountMicros: '2500000', decidedAtMs: 0 },
      createdAtMs: 1_000,
      endedAtMs: null,
      fromMs: 0,
      scheduledForMs: 1,
      nextRunAtMs: 2,
      durationMs: 7,
      metadata: { customerNo: 'a', createdAtMs: '1' },
      events: [{ atMs: 0, holdMicros: 1n }],
    }),
  ).toEqual({
    balance_credits: '0.000005',
    pending_credits: null,
    verdict: { amount_credits: '2.5', decided_at: '1970-01-01T00:00:00.000Z' },
    created_at: '1970-01-01T00:00:01.000Z',
    ended_at: null,
    from: '1970-01-01T00:00:00.000Z',
    scheduled_for: '1970-01-01T00:00:00.001Z',
    next_run_at: '1970-01-01T00:00:00.002Z',
    duration_ms: 7,
    metadata: { customerNo: 'a', createdAtMs: '1' },
    events: [{ at: '1970-01-01T00:00:00.000Z', hold_credits: '0.000001' }],
  });
});
