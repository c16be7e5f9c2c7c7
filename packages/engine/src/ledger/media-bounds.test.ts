import { expect, test } from 'vitest';
import { mediaTokens, textTokens } from './media-bounds.ts';

test('bounds text by its bytes, rounded up', () => {
  expect(['', 'abcd', 'abcde', 'ääää'].map(textTokens)).toEqual([0, 1, 2, 2]);
});

test('bounds an image by one number, and other media by the bytes of their type', () => {
  expect([1, 20_000_000].map((bytes) => mediaTokens('image/webp', bytes))).toEqual([2_600, 2_600]);
  expect(mediaTokens('application/pdf', 401)).toBe(101);
  expect(mediaTokens('text/plain', 400)).toBe(100);
});

test.each([
  // Ten seconds of each are 320 tokens, with images about 3,000.
  ['audio/wav', 80_000, 320],
  ['audio/flac', 20_000, 320],
  ['audio/mpeg', 10_000, 320],
  ['audio/ogg', 7_500, 320],
  ['audio/L16;rate=24000', 480_000, 320],
  ['video/mp4', 120_000, 3_000],
])('bounds ten seconds of thin %s from above', (mimeType, bytes, tokens) => {
  expect(mediaTokens(mimeType, bytes)).toBeGreaterThanOrEqual(tokens);
});

test('knows an audio type by its name, whatever parameters follow', () => {
  expect(mediaTokens('audio/flac; rate=44100', 600)).toBe(mediaTokens('audio/flac', 600));
  expect(mediaTokens('audio/wav; codec=1', 6_000)).toBe(mediaTokens('audio/wav', 6_000));
  expect(mediaTokens('audio/flac', 600)).not.toBe(mediaTokens('audio/mpeg', 600));
});
