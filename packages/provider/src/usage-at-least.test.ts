import { expect, test } from 'vitest';
import { NotExecuted } from './not-executed.ts';
import { UnknownOutcome, withUsageAtLeast } from './unknown-outcome.ts';
import { readUsageAtLeast } from './usage-at-least.ts';

const input = { unit: 'input_text_tokens', quantity: 50_000, confirmed: true } as const;

test('carries what was used at the least, and confirms none of it', () => {
  expect(readUsageAtLeast(new UnknownOutcome('connection_lost', undefined, [input]))).toEqual([
    { ...input, confirmed: false },
  ]);
});

test('adds to a failure what is known beside it, once, and to a certain one nothing', () => {
  const first = withUsageAtLeast(new UnknownOutcome('timed_out', 'why'), [input]);
  expect(first).toMatchObject({ detail: 'timed_out', cause: 'why' });
  expect(readUsageAtLeast(withUsageAtLeast(first, [{ ...input, quantity: 1 }]))).toMatchObject([{ quantity: 50_000 }]);
  const certain = new NotExecuted({ reason: 'failed' });
  expect(withUsageAtLeast(certain, [input])).toBe(certain);
});

test('reads another copy of the error, adds units up, and leaves out what is no count', () => {
  const foreign = Object.assign(new Error('lost'), {
    code: 'unknown_outcome',
    usageAtLeast: [
      { unit: 'input_text_tokens', quantity: 2 },
      { unit: 'input_text_tokens', quantity: 3 },
      { unit: 'output_text_tokens', quantity: -1 },
      { unit: 'output_text_tokens', quantity: 0.5 },
      { unit: 'wishes', quantity: 1 },
      null,
    ],
  });
  expect(readUsageAtLeast(foreign)).toEqual([{ unit: 'input_text_tokens', quantity: 5, confirmed: false }]);
});

test.each([
  ['an ordinary error', new Error('lost')],
  ['no error', undefined],
  ['a list that is none', Object.assign(new Error('lost'), { code: 'unknown_outcome', usageAtLeast: 'all' })],
])('knows nothing of %s', (_what, failure) => {
  expect(readUsageAtLeast(failure)).toEqual([]);
});
