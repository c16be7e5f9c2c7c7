import { expect, test } from 'vitest';
import { blobKeyCharsMax, isBlobKey } from './blob-key.ts';

test.each(['a', 'operation/0198', 'A-b_c/9', 'x'.repeat(blobKeyCharsMax)])('takes the key %s', (key) => {
  expect(isBlobKey(key)).toBe(true);
});

test.each(['', '/', '/a', 'a/', 'a//b', '..', 'a/../b', 'a b', 'a\n', 'ä', 'a\\b', 'x'.repeat(blobKeyCharsMax + 1)])(
  'refuses the key %j',
  (key) => {
    expect(isBlobKey(key)).toBe(false);
  },
);
