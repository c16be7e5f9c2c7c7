import { array, assert, constantFrom, integer, oneof, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { createGrowingText } from './growing-text.ts';

const joined = (pieces: readonly string[]): string => {
  const text = createGrowingText();
  for (const piece of pieces) text.append(piece);
  return text.whole();
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
  text.append('one');
  expect(text.whole()).toBe('one');
  text.append(' \u4E8C');
  expect(text.whole()).toBe('one \u4E8C');
});
