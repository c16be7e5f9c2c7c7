import { expect, test } from 'vitest';
import { createBoundedMap } from './bounded-map.ts';

test('forgets the oldest entry when it is full', () => {
  const map = createBoundedMap<number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.set('c', 3);
  expect([map.get('a'), map.get('b'), map.get('c'), map.size()]).toEqual([undefined, 2, 3, 2]);
  expect(map.take('b')).toBe(2);
  expect(map.take('b')).toBeUndefined();
});
