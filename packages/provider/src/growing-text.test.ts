import { array, assert, constantFrom, integer, oneof, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { appendText, createGrowingText, wholeText } from './growing-text.ts';

const joined = (pieces: readonly string[]): string => {
  const text = createGrowingText();
  for (const piece of pieces) appendText(text, piece);
  return wholeText(text);
};

test('joins any pieces character for character, halves of surrogate pairs too', () => {
  const piece = oneof(
    string(),
    string({ unit: 'binary' }),
    array(integer({ min: 0, max: 0xffff })).map((codes) => String.fromCharCode(...codes)),
    constantFrom('\uD83D', '\uDE00', '\u00FF', '\u0100', 'x'.repeat(3_000)),
  );
  assert(
    property(array(piece), (pieces) => {
      expect(joined(pieces)).toBe(pieces.join(''));
    }),
  );
});

test('is empty before anything came', () => {
  expect(joined([])).toBe('');
  expect(joined([''])).toBe('');
});

test('goes on after the whole was read', () => {
  const text = createGrowingText();
  appendText(text, 'one');
  expect(wholeText(text)).toBe('one');
  appendText(text, ' \u4E8C');
  expect(wholeText(text)).toBe('one \u4E8C');
});
