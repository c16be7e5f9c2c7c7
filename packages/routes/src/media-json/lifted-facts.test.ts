import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createLiftedFacts } from './lifted-facts.ts';

const factsOf = (...pieces: readonly Uint8Array[]) => {
  const facts = createLiftedFacts();
  for (const piece of pieces) facts.add(piece);
  return facts.end();
};

test('knows size, hash, beginning and end of bytes that came in pieces', () => {
  const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, at) => 32 + (at % 90)));
  const facts = factsOf(bytes.subarray(0, 70_000), bytes.subarray(70_000, 70_010), bytes.subarray(70_010));
  expect(facts.sizeBytes).toBe(200_000);
  expect(facts.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
  expect(bytes.indexOf(facts.head)).toBe(0);
  expect(Buffer.from(facts.tail).equals(bytes.subarray(-facts.tail.length))).toBe(true);
  expect(facts.isUtf8).toBe(true);
});

test('takes bytes for text where they are UTF-8 without a NUL, also where a piece ends within a character', () => {
  const euro = Buffer.from('€');
  expect(factsOf(euro.subarray(0, 1), euro.subarray(1)).isUtf8).toBe(true);
  expect(factsOf(euro.subarray(0, 2)).isUtf8).toBe(false);
  expect(factsOf(Buffer.from('a\0b')).isUtf8).toBe(false);
  expect(factsOf(Buffer.from([0xff])).isUtf8).toBe(false);
  expect(factsOf(Buffer.from([0xff]), Buffer.from('a')).isUtf8).toBe(false);
  expect(factsOf().isUtf8).toBe(true);
});
