import { expect, test } from 'vitest';
import { placeAccount } from './place-account.ts';

const accounts = Array.from({ length: 10_000 }, (_, at) => `account-${at}`);

test('places an account where every version has placed it', () => {
  const cells = ['a', 'b', 'c', 'd'];
  expect(['acme', 'globex', 'initech', 'umbrella', 'ünïcode 😀'].map((id) => placeAccount(cells, id))).toEqual([
    'b',
    'd',
    'b',
    'a',
    'b',
  ]);
});

test('places accounts evenly, in whatever order the cells are named', () => {
  const counts = new Map<string, number>();
  for (const id of accounts) {
    const cell = placeAccount(['a', 'b', 'c', 'd'], id);
    counts.set(cell, (counts.get(cell) ?? 0) + 1);
    expect(placeAccount(['d', 'b', 'a', 'c'], id)).toBe(cell);
  }
  for (const count of counts.values()) expect(Math.abs(count - 2_500)).toBeLessThan(200);
});

test('another cell takes its share from all, and no account changes between the others', () => {
  const taken = new Map<string, number>();
  for (const id of accounts) {
    const before = placeAccount(['a', 'b', 'c', 'd'], id);
    const after = placeAccount(['a', 'b', 'c', 'd', 'e'], id);
    if (after === before) continue;
    expect(after).toBe('e');
    taken.set(before, (taken.get(before) ?? 0) + 1);
  }
  for (const count of taken.values()) expect(Math.abs(count - 500)).toBeLessThan(100);
});
