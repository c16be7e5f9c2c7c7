import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkChunkQuery, checkChunks, checkDimensions, unitVector } from './chunk-checks.ts';
import { createNearestChunks, innerProduct } from './nearest-chunks.ts';
import { chunksPerPutMax, type IndexedChunk } from './vector-index.ts';

const scored = fc.record({
  score: fc.integer({ min: 0, max: 5 }),
  documentId: fc.constantFrom('a', 'b', 'c'),
  place: fc.nat(5),
});

test('keeps the nearest of whatever is offered, in order', () => {
  fc.assert(
    fc.property(fc.array(scored), fc.integer({ min: 1, max: 8 }), (offered, limit) => {
      const nearest = createNearestChunks<(typeof offered)[number]>(limit);
      for (const chunk of offered) nearest.offer(chunk);
      const sorted = offered.toSorted(
        (a, b) =>
          b.score - a.score || (a.documentId < b.documentId ? -1 : a.documentId > b.documentId ? 1 : a.place - b.place),
      );
      expect(nearest.list()).toEqual(sorted.slice(0, limit));
    }),
  );
});

test('measures angles whatever the length of a vector', () => {
  const wide = unitVector(Float32Array.of(3, 4));
  expect(innerProduct(wide, unitVector(Float32Array.of(30, 40)))).toBeCloseTo(1, 6);
  expect(innerProduct(wide, unitVector(Float32Array.of(-4, 3)))).toBeCloseTo(0, 6);
  expect(() => unitVector(Float32Array.of(0, 0))).toThrow(RangeError);
  expect(() => unitVector(Float32Array.of(Number.NaN))).toThrow(RangeError);
});

const chunk: IndexedChunk = {
  storeId: 's',
  documentId: 'd',
  place: 0,
  page: null,
  startIndex: 0,
  endIndex: 4,
  text: 'text',
  vector: Float32Array.of(1),
};

test.each([
  ['at no place', { ...chunk, place: -1 }],
  ['at half a place', { ...chunk, startIndex: 0.5 }],
  ['with a NUL', { ...chunk, text: 'a\0b' }],
  ['with half a character', { ...chunk, text: '\ud800' }],
  ['without a vector', { ...chunk, vector: new Float32Array() }],
])('refuses a chunk %s', (_, wrong) => {
  expect(() => checkChunks([wrong])).toThrow(RangeError);
});

test('refuses too many chunks, two at one place, and questions without bounds', () => {
  expect(() => checkChunks([chunk, chunk])).toThrow(RangeError);
  expect(() => checkChunks(Array.from({ length: chunksPerPutMax + 1 }, () => chunk))).toThrow(RangeError);
  const query = { storeIds: ['s'], vector: Float32Array.of(1), limit: 1 };
  for (const wrong of [
    { ...query, storeIds: [] },
    { ...query, storeIds: Array.from({ length: 65 }, () => 's') },
    { ...query, storeIds: ['a\0'] },
    { ...query, limit: 0 },
    { ...query, limit: 1_001 },
    { ...query, vector: new Float32Array() },
  ])
    expect(() => checkChunkQuery(wrong)).toThrow(RangeError);
});

test('refuses vectors of another length, by a code', () => {
  expect(() => checkDimensions(2, Float32Array.of(1))).toThrow(expect.objectContaining({ code: 'vector_dimensions' }));
  expect(() => checkDimensions(undefined, Float32Array.of(1))).not.toThrow();
});
