import { expect, test } from 'vitest';
import { uploadType } from './upload-type.ts';

test.each(['jsonl', 'application/jsonl', 'Application/X-NDJSON', 'application/x-jsonlines'])(
  'takes lines of the type %s for text',
  (type) => {
    expect(uploadType(type)).toBe('text/plain');
  },
);

test('leaves another type as it is, and refuses one that is too long for an address', () => {
  expect(uploadType('image/png')).toBe('image/png');
  expect(uploadType('a'.repeat(255))).toHaveLength(255);
  expect(() => uploadType('a'.repeat(256))).toThrow('256 characters');
});
