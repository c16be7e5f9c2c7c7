import { expect, test } from 'vitest';
import { decodeBase64 } from './base64.ts';
import { createBase64Decoder } from './base64-decoder.ts';

const decodePieces = (pieces: readonly string[]): Buffer | null => {
  const decoder = createBase64Decoder();
  const chunks: Buffer[] = [];
  for (const piece of pieces) {
    const bytes = decoder.push(Buffer.from(piece));
    if (bytes === null) return null;
    chunks.push(Buffer.from(bytes));
  }
  const last = decoder.end();
  return last === null ? null : Buffer.concat([...chunks, last]);
};

const piecesOf = (text: string, size: number): string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size));

const texts = [
  ...[1, 2, 3, 4, 10, 100].map((size) => Buffer.alloc(size, 'q?>~').toString('base64')),
  '',
  'AAA',
  'AAAAA',
  'AA==AAAA',
  'AAAA====',
  'AB==',
  'AA=A',
  'AA-_AAAA',
  'AAAA\nAAAA',
  'AAAAA AAAAAA',
  'AAAAĀAAA',
  'AAAAÿAAA',
  '*AAAAAAA',
];

test('says of every text in pieces of every size what is said of it as a whole', () => {
  for (const text of texts)
    for (const size of [1, 2, 3, 4, 5, 7, 100])
      expect([text, size, decodePieces(piecesOf(text, size))]).toEqual([text, size, decodeBase64(text)]);
});
