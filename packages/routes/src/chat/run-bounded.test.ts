import { expect, test } from 'vitest';
import { runBounded } from './run-bounded.ts';
import { threadCpuMs } from '../../../../test/cpu-time.ts';

const msMax = 30;

/** Far above the bound and far below what the work would take. */
const patienceMs = 5_000;

const timed = (work: () => unknown): { readonly outcome: unknown; readonly ms: number } => {
  const start = threadCpuMs();
  const outcome = runBounded(msMax, work);
  return { outcome, ms: threadCpuMs() - start };
};

test('returns what the work answered', () => {
  expect(runBounded(patienceMs, () => ({ a: 1 }))).toEqual({ kind: 'done', value: { a: 1 } });
});

test('throws what the work threw', () => {
  expect(() =>
    runBounded(patienceMs, () => {
      throw new RangeError('out of range');
    }),
  ).toThrow(RangeError);
});

test.each([
  ['a pattern that backtracks', () => /^(a+)+$/.test(`${'a'.repeat(60)}!`)],
  [
    'a loop without end',
    () => {
      for (;;);
    },
  ],
  [
    'a loop that catches everything',
    () => {
      for (;;)
        try {
          Math.sqrt(2);
        } catch {
          // Breaking off is no exception that could be caught here.
        }
    },
  ],
])('breaks off %s', (_, work) => {
  const { outcome, ms } = timed(work);
  expect(outcome).toEqual({ kind: 'timed_out' });
  expect(ms).toBeLessThan(patienceMs);
});

test('works on after it broke something off, and keeps nothing of it', () => {
  runBounded(msMax, () => /^(a+)+$/.test(`${'a'.repeat(60)}!`));
  expect(runBounded(patienceMs, () => 7)).toEqual({ kind: 'done', value: 7 });
});
