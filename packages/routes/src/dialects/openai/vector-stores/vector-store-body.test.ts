import { expect, test } from 'vitest';
import { parseFileBatch } from './vector-store-body.ts';

const [one, two] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];

test('takes ids, or files each with its own attributes, and each file once', () => {
  expect(parseFileBatch({ file_ids: [one, two, one], attributes: { a: 1 } })).toEqual([
    { fileId: one, attributes: { a: 1 } },
    { fileId: two, attributes: { a: 1 } },
  ]);
  const files = [{ file_id: one, attributes: { b: 2 } }, { file_id: two }];
  expect(parseFileBatch({ files }).map(({ fileId }) => fileId)).toEqual([one, two]);
  expect(parseFileBatch({ files })[0]?.attributes).toEqual({ b: 2 });
});

test('takes neither none nor both, and says how many there are', () => {
  expect(() => parseFileBatch({ file_ids: [], files: [] })).toThrow('name 0 files');
  const both = { file_ids: [one, two], files: [{ file_id: one }] };
  expect(() => parseFileBatch(both)).toThrow('name 3 files; accepted are 1 to');
});
