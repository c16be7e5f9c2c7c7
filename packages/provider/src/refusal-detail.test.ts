import { expect, test } from 'vitest';
import { isRefusalDetail, refusalDetailOf, refusalDetails } from './refusal-detail.ts';

test('tells what an error means by the first words that fit, and nothing where none do', () => {
  const words = [
    [/too large/, 'image_too_large'],
    [/image/, 'image_unreadable'],
  ] as const;
  expect(['image too large', 'bad image', 'bad text'].map((text) => refusalDetailOf(text, words))).toEqual([
    'image_too_large',
    'image_unreadable',
    undefined,
  ]);
});

test('knows its own details and nothing else', () => {
  expect(refusalDetails.every(isRefusalDetail)).toBe(true);
  expect([undefined, null, '', 'toString', 'words of an upstream'].some(isRefusalDetail)).toBe(false);
});
