import type { AttemptRecord } from '@tollgate/storage';
import { expect, test } from 'vitest';
import { answeringProvider } from './operation-prices.ts';

const attempt = (provider: string, change: Partial<AttemptRecord> = {}): AttemptRecord => ({
  provider,
  startedAtMs: 1,
  durationMs: 1,
  status: 200,
  outcome: 'answered',
  ...change,
});

test('a charge goes by the provider that responded, where it was one', () => {
  expect(answeringProvider([])).toBeNull();
  expect(answeringProvider([attempt('one'), attempt('one')])).toBe('one');
  expect(answeringProvider([attempt('one'), attempt('two')])).toBeNull();
  expect(answeringProvider([attempt('one'), attempt('two', { outcome: 'refused' })])).toBe('one');
  expect(answeringProvider([attempt('one'), attempt('two', { abandoned: true })])).toBe('one');
  expect(answeringProvider([attempt('one', { outcome: 'unknown' })])).toBeNull();
});
