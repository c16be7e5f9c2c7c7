import type { OperationRecord } from '@tollgate/storage';
import { expect, test } from 'vitest';
import { uncertainText } from './uncertain-text.ts';

const textOf = (facts: Partial<OperationRecord>): string | null =>
  // Nothing else of a record is read.
  uncertainText({ state: 'uncertain', pendingMicros: null, attempts: [], answer: 'none', ...facts } as OperationRecord);

test('says what was measured and that a deposit settles it, where balance is short', () => {
  expect(textOf({ pendingMicros: 1_500_025n, answer: 'stored' })).toBe(
    'uncertain: measured 1.500025 credits, which the free balance does not cover; a deposit that covers them settles it',
  );
});

test('tells the other reasons apart, and says nothing of an operation that is not uncertain', () => {
  expect(textOf({ answer: 'stored' })).toContain('reported no usage');
  expect(textOf({})).toContain('no upstream request is on record');
  expect(textOf({ state: 'completed' })).toBeNull();
});
