import { ConfigurationError } from '@tollgate/contract/configuration';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { chunkPages } from './chunk-pages.ts';
import { defaultDocumentLimits, toDocumentLimits } from './document-limits.ts';

const small = { ...defaultDocumentLimits, chunkCharactersMax: 40, overlapCharacters: 10 };
const page = (text: string, number: number | null = 1) => ({ number, text });

test('leaves a short page whole, without its margins', () => {
  expect(chunkPages([page('  A short page. \n')], small)).toEqual([
    { page: 1, startIndex: 2, endIndex: 15, text: 'A short page.' },
  ]);
});

const cut = (text: string) => chunkPages([page(text)], { ...small, overlapCharacters: 0 })?.map((chunk) => chunk.text);

test('cuts at the end of a paragraph before that of a sentence, and there before the end of a word', () => {
  expect(cut('The first part of it goes here\n\nand then. The second part')).toEqual([
    'The first part of it goes here',
    'and then. The second part',
  ]);
  expect(cut('The first part of it ends here. Another one begins')).toEqual([
    'The first part of it ends here.',
    'Another one begins',
  ]);
  expect(cut('words words words words words words words words')).toEqual([
    'words words words words words words',
    'words words',
  ]);
});

test('repeats the end of a chunk at the beginning of the next, from a word on', () => {
  const [first, second] = chunkPages([page('one two three four five six seven eight nine ten')], small) ?? [];
  expect(first?.text).toBe('one two three four five six seven eight');
  expect(second?.text).toBe('eight nine ten');
});

test('never goes over the end of a page', () => {
  expect(
    chunkPages([page('One', 1), page('', 2), page('Three', 3)], small)?.map((chunk) => [chunk.page, chunk.text]),
  ).toEqual([
    [1, 'One'],
    [3, 'Three'],
  ]);
});

test('refuses more chunks than allowed instead of leaving some out', () => {
  const pages = [page('One'), page('Two'), page('Three')];
  expect(chunkPages(pages, { ...small, chunksMax: 3 })).toHaveLength(3);
  expect(chunkPages(pages, { ...small, chunksMax: 2 })).toBeNull();
});

test('keeps places what they are where it takes out what cannot be stored', () => {
  const [chunk] = chunkPages([page('a\0b\ud800c', null)], small) ?? [];
  expect(chunk).toEqual({ page: null, startIndex: 0, endIndex: 5, text: 'a\uFFFDb\uFFFDc' });
});

/** The last break of a text as regular expressions find it. */
const lastBreakByPattern = (text: string): number | null => {
  for (const pattern of [/\n\s*\n/g, /[.!?…]["'”’)\]]*\s/g, /\n/g, /\s/g]) {
    const last = [...text.matchAll(pattern)].at(-1);
    if (last !== undefined) return last.index + last[0].length;
  }
  return null;
};

test('cuts where the last paragraph, sentence, line or word ends', () => {
  const unit = fc.constantFrom('a', 'b', ' ', '\n', '.', '”', ')', '\t');
  fc.assert(
    fc.property(fc.string({ unit, minLength: 16, maxLength: 16 }), (window) => {
      // The window is what a chunk of 40 is cut in; behind it the text goes on.
      const [first] = chunkPages([page(`${'x'.repeat(24)}${window}${'y'.repeat(60)}`)], small) ?? [];
      const cutAt = 24 + (lastBreakByPattern(window) ?? 16);
      expect(first?.endIndex).toBe(`${'x'.repeat(24)}${window}`.slice(0, cutAt).trimEnd().length);
    }),
    { numRuns: 500 },
  );
});

const anyText = fc.string({
  unit: fc.constantFrom('a', 'b', ' ', '\n', '.', '\u{1F600}', 'é', '\n\n'),
  maxLength: 400,
});

test('covers every word of any text, in order, with chunks that are no longer than allowed and stand where they say', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 16, max: 60 }), fc.integer({ min: 0, max: 4 }), (text, size, overlap) => {
      const limits = { ...defaultDocumentLimits, chunkCharactersMax: size, overlapCharacters: overlap };
      const chunks = chunkPages([page(text)], limits) ?? [];
      let covered = 0;
      for (const chunk of chunks) {
        expect(chunk.text).toBe(text.slice(chunk.startIndex, chunk.endIndex));
        expect(chunk.text.isWellFormed()).toBe(true);
        expect(chunk.text.length).toBeLessThanOrEqual(size);
        expect(text.slice(covered, Math.max(covered, chunk.startIndex)).trim()).toBe('');
        expect(chunk.endIndex).toBeGreaterThan(covered);
        covered = chunk.endIndex;
      }
      expect(text.slice(covered).trim()).toBe('');
    }),
  );
});

test('refuses sizes with which a text would not end', () => {
  expect(() => toDocumentLimits({ ...defaultDocumentLimits, overlapCharacters: 401 })).toThrow(ConfigurationError);
  expect(() => toDocumentLimits({ ...defaultDocumentLimits, overlapCharacters: -1 })).toThrow(ConfigurationError);
  expect(() => toDocumentLimits({ ...defaultDocumentLimits, textsPerCallMax: 101 })).toThrow(ConfigurationError);
  expect(() => toDocumentLimits({ ...defaultDocumentLimits, chunkCharactersMax: 8, overlapCharacters: 0 })).toThrow(
    ConfigurationError,
  );
  expect(toDocumentLimits()).toEqual(defaultDocumentLimits);
});

test.each([
  ['\u{10000}', 'the first'],
  ['\u{1f600}', 'an ordinary'],
  ['\u{103ff}', 'the last of its row'],
])('never cuts %s, %s character of two units, in the middle', (character) => {
  const text = `${'a'.repeat(39)}${character}${'b'.repeat(20)}`;
  expect(cut(text)).toEqual(['a'.repeat(39), `${character}${'b'.repeat(20)}`]);
});

test('cuts before a character of one unit that comes after those of two', () => {
  const text = `${'a'.repeat(40)}\ue000${'b'.repeat(20)}`;
  expect(cut(text)).toEqual(['a'.repeat(40), `\ue000${'b'.repeat(20)}`]);
});
