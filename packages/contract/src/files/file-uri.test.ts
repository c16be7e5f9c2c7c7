import { expect, test } from 'vitest';
import { fileIdOfUri } from './file-uri.ts';

const id = '01900000-0000-7000-8000-0000000000af';

test('reads the id of a file, in whatever case it is written', () => {
  expect([`files/${id}`, `files/${id.toUpperCase()}`, `FILES/${id}`].map(fileIdOfUri)).toEqual([id, id, id]);
});

test('finds no id in another text', () => {
  const others = [
    id,
    'files/',
    'files/x',
    `files/${id}0`,
    `files/files/${id}`,
    `https://example.com/files/${id}`,
    `/files/${id}`,
  ];
  expect(others.map(fileIdOfUri)).toEqual(others.map(() => undefined));
});
