import { expect, test } from 'vitest';
import { nearestOf } from './cells-vectors.ts';

const chunk = (documentId: string, place: number, score: number) => ({
  storeId: 'store',
  documentId,
  place,
  page: null,
  startIndex: 0,
  endIndex: 1,
  text: 'text',
  score,
});

test('gives each chunk once, the nearest first, and those as near by document and place', () => {
  const found = [
    chunk('b', 1, 0.5),
    chunk('a', 2, 0.5),
    chunk('c', 0, 0.9),
    chunk('b', 0, 0.5),
    chunk('a', 2, 0.5),
    chunk('b', 2, 0.1),
  ];
  const order = (limit: number) => nearestOf(found, limit).map(({ documentId, place }) => `${documentId}${place}`);
  expect(order(10)).toEqual(['c0', 'a2', 'b0', 'b1', 'b2']);
  expect(order(2)).toEqual(['c0', 'a2']);
});
