import { expect, test } from 'vitest';
import { sampleRecords } from '../../testing/src/storage/sample-records.ts';
import { createRecordCache } from './record-cache.ts';

const setting = (id: string) => ({ id, value: id });

test('keeps the records used last', () => {
  const cache = createRecordCache(2);
  cache.put('setting', setting('a'));
  cache.put('setting', setting('b'));
  cache.get('setting', 'a');
  cache.put('setting', setting('c'));
  expect(['a', 'b', 'c'].map((id) => cache.get('setting', id)?.id)).toEqual(['a', undefined, 'c']);
});

test('counts a record once, however often it changes', () => {
  const cache = createRecordCache(3);
  cache.put('setting', setting('a'));
  for (let changes = 0; changes < 10; changes += 1) cache.put('setting', setting('b'));
  expect(['a', 'b'].map((id) => cache.get('setting', id)?.id)).toEqual(['a', 'b']);
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
  const operation = sampleRecords.operation('a');
  cache.put('operation', operation);
  expect(cache.get('operation', 'a')?.id).toBe('a');
  cache.put('setting', setting('fills the generation'));
  cache.put('operation', { ...operation, state: 'completed', endedAtMs: 2 });
  expect(cache.get('operation', 'a')).toBe(undefined);
});

test('keeps a delivery while a worker has claimed it', () => {
  const cache = createRecordCache();
  const delivery = sampleRecords.delivery('a');
  cache.put('delivery', { ...delivery, owner: null });
  expect(cache.get('delivery', 'a')).toBe(undefined);
  cache.put('delivery', { ...delivery, owner: 'sweep' });
  expect(cache.get('delivery', 'a')).toMatchObject({ owner: 'sweep' });
  cache.put('delivery', { ...delivery, status: 'delivered', owner: null });
  expect(cache.get('delivery', 'a')).toBe(undefined);
});

test('remembers that a project has no subscriptions until it has some, or another process writes', () => {
  const cache = createRecordCache();
  cache.putAbsent('subscriptions', 'a');
  expect(cache.isAbsent('subscriptions', 'a')).toBe(true);
  expect(cache.isAbsent('subscriptions', 'b')).toBe(false);
  cache.put('subscriptions', { ...sampleRecords.subscriptions('a'), id: 'a' });
  expect(cache.isAbsent('subscriptions', 'a')).toBe(false);
  cache.putAbsent('subscriptions', 'b');
  cache.clear();
  expect(cache.isAbsent('subscriptions', 'b')).toBe(false);
});

test('remembers so many absent records at the most, and of other tables none', () => {
  const cache = createRecordCache(2);
  for (const id of ['a', 'b', 'c']) cache.putAbsent('subscriptions', id);
  expect(['a', 'b', 'c'].map((id) => cache.isAbsent('subscriptions', id))).toEqual([false, false, true]);
  cache.putAbsent('operation', 'a');
  expect(cache.isAbsent('operation', 'a')).toBe(false);
});
