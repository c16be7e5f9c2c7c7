import { expect, test } from 'vitest';
import { estimateDocument } from './estimate-document.ts';

const sizes = { charactersMax: 1_000, chunkCharactersMax: 100, overlapCharacters: 20 };
const total = (sizeBytes: number): number =>
  estimateDocument(sizeBytes, null, sizes).reduce((sum, { quantity }) => sum + quantity, 0);

test('estimates a document as so many chunks, each with the part that it repeats', () => {
  expect(total(160)).toBeGreaterThan(total(80));
  expect(total(160)).toBe(total(100));
  expect(total(800)).toBe(5 * total(160));
});

test('estimates no more than the characters that are read, and something for an empty document', () => {
  expect(total(1_000_000)).toBe(total(1_000));
  expect(total(0)).toBeGreaterThan(0);
});
