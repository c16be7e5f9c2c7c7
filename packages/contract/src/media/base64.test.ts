import { expect, test } from 'vitest';
import { decodeBase64, decodeHead } from './base64.ts';

test.each([1, 2, 3, 47, 48, 49, 1000])('decodes the %i bytes that were encoded', (length) => {
  const bytes = Buffer.from(Array.from({ length }, (_, index) => (index * 37) % 256));
  expect(decodeBase64(bytes.toString('base64'))).toEqual(bytes);
});

test.each([
  ['nothing', ''],
  ['missing padding', 'QUI'],
  ['the URL alphabet, minus', 'QUI-'],
  ['the URL alphabet, underscore', 'QUI_'],
  ['a space', 'QUJD QUI'],
  ['a line break', 'QUJDQUJ\n'],
  ['padding in the middle', 'QUI=QUJD'],
  ['three padding characters', 'Q==='],
  ['padding with bits set', 'QUJ='],
  ['double padding with bits set', 'QR=='],
  ['a wide character whose low byte is a letter', 'QUJ\u0141'],
  ['a Latin-1 character', 'QUJ\u00e9'],
  ['a character outside the alphabet', 'QUJ!'],
])('refuses %s', (_, text) => {
  expect(decodeBase64(text)).toBeNull();
});

test('decodes the first 48 bytes of a long text as its head', () => {
  const bytes = Buffer.alloc(1000, 7);
  expect(decodeHead(bytes.toString('base64'))).toEqual(bytes.subarray(0, 48));
});
