import { expect, test } from 'vitest';
import { createFairQueue } from './fair-queue.ts';

test('serves owners in turns, and the entries of one owner in their order', () => {
  const queue = createFairQueue<string>({ waitingMax: 10, waitingPerOwnerMax: 3 });
  for (const entry of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) expect(queue.add(entry.slice(0, 1), entry)).toBe(true);
  const taken = Array.from({ length: 7 }, () => queue.take());
  expect(taken).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined]);
});

test('has room for so many entries of one owner and of all', () => {
  const queue = createFairQueue<number>({ waitingMax: 4, waitingPerOwnerMax: 2 });
  expect(['a', 'a', 'a', 'b', 'c', 'd'].map((owner, index) => queue.add(owner, index))).toEqual([
    true,
    true,
    false,
    true,
    true,
    false,
  ]);
  expect(queue.clear()).toEqual([0, 1, 3, 4]);
  expect(queue.take()).toBeUndefined();
  expect(queue.add('a', 7)).toBe(true);
});
