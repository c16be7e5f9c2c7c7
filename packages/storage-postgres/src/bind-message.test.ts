import { expect, test } from 'vitest';
import { bindMessage } from './bind-message.ts';

test('writes the message of the protocol', () => {
  const bytes = Buffer.from([0, 1, 255]);
  expect(Buffer.concat(bindMessage('s1', ['é', bytes, null])).toString('latin1')).toBe(
    [
      'B\0\0\0\x27',
      '\0s1\0',
      '\0\x03\0\0\0\x01\0\0',
      '\0\x03',
      '\0\0\0\x02\xc3\xa9',
      '\0\0\0\x03\0\x01\xff',
      '\xff\xff\xff\xff',
      '\0\x01\0\0',
    ].join(''),
  );
});

test('passes bytes on as they are', () => {
  const bytes = Buffer.alloc(100);
  expect(bindMessage('s', ['a', bytes]).some((piece) => piece === bytes)).toBe(true);
});
