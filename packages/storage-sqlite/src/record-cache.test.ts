import { expect, test } from 'vitest';
import type { OperationRecord } from '@tollgate/storage';
import { createRecordCache } from './record-cache.ts';

const setting = (id: string) => ({ id, value: id });

const operation = (endedAtMs: number | null): OperationRecord => ({
  id: 'a',
  projectId: 'project',
  accountId: 'account',
  keyId: 'key',
  kind: 'chat',
  model: 'model',
  identity: null,
  fingerprint: 'fingerprint',
  state: endedAtMs === null ? 'processing' : 'completed',
  holdMicros: 10n,
  chargedMicros: 0n,
  captures: 0,
  pendingMicros: null,
  absorbedMicros: 0n,
  tariffVersion: 'tariff',
  usage: null,
  attempts: [],
  errorCode: null,
  answerForm: 'json',
  answer: 'none',
  owner: null,
  dueAtMs: null,
  createdAtMs: 1,
  updatedAtMs: 1,
  endedAtMs,
});

test('keeps the records used last', () => {
  const cache = createRecordCache(2);
  cache.put('setting', setting('a'));
  cache.put('setting', setting('b'));
  cache.get('setting', 'a');
  cache.put('setting', setting('c'));
  expect(['a', 'b', 'c'].map((id) => cache.get('setting', id)?.id)).toEqual(['a', undefined, 'c']);
});

test('tells tables apart and forgets on demand', () => {
  const cache = createRecordCache();
  cache.put('setting', setting('a'));
  expect(cache.get('wallet', 'a')).toBe(undefined);
  cache.delete('setting', 'a');
  expect(cache.get('setting', 'a')).toBe(undefined);
  cache.put('setting', setting('b'));
  cache.clear();
  expect(cache.get('setting', 'b')).toBe(undefined);
});

test('keeps no rows of tables with large values', () => {
  const cache = createRecordCache();
  cache.put('answer', { id: 'a', body: 'long', bytes: 4, createdAtMs: 1 });
  expect(cache.get('answer', 'a')).toBe(undefined);
});

test('forgets an operation that has ended, also one that was put away long before', () => {
  const cache = createRecordCache(2);
  cache.put('operation', operation(null));
  expect(cache.get('operation', 'a')?.id).toBe('a');
  cache.put('setting', setting('fills the generation'));
  cache.put('operation', operation(2));
  expect(cache.get('operation', 'a')).toBe(undefined);
});
