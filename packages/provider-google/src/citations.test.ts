import { expect, test } from 'vitest';
import { citationsOf } from './citations.ts';

const supported = (segment: object, ...groundingChunkIndices: readonly number[]) => ({
  segment,
  groundingChunkIndices,
});

test('cites pages where the upstream names bytes, counted in characters of the whole answer', () => {
  const grounding = {
    groundingChunks: [{ web: { uri: 'https://example.com/a', title: 'A' } }, { web: { uri: 'https://example.org/' } }],
    groundingSupports: [supported({ startIndex: 3, endIndex: 9, text: 'größ' }, 0, 1)],
  };
  expect(citationsOf(grounding, 'So größ', 10)).toEqual([
    { type: 'url_citation', url: 'https://example.com/a', title: 'A', start_index: 13, end_index: 17 },
    { type: 'url_citation', url: 'https://example.org/', start_index: 13, end_index: 17 },
  ]);
});

test('looks for the words where the place does not hold them, and cites without a place where there are none', () => {
  const groundingChunks = [{ web: { uri: 'https://example.com/a' } }];
  const at = (segment: object) =>
    citationsOf({ groundingChunks, groundingSupports: [supported(segment, 0)] }, 'One two', 0);
  expect(at({ partIndex: 1, startIndex: 0, endIndex: 3, text: 'two' })).toMatchObject([
    { start_index: 4, end_index: 7 },
  ]);
  expect(Object.keys(at({ text: 'three' })[0] ?? {})).toEqual(['type', 'url']);
  expect(citationsOf({ groundingChunks }, 'One two', 0)).toEqual([
    { type: 'url_citation', url: 'https://example.com/a' },
  ]);
});

test('names a page by its host where its address is withheld, and leaves out what has neither', () => {
  const groundingChunks = [
    { web: { title: 'example.com' } },
    { web: { domain: 'example.org', title: 'News' } },
    { web: { title: 'Some news' } },
    { retrievedContext: {} },
  ];
  expect(citationsOf({ groundingChunks }, '', 0)).toEqual([
    { type: 'url_citation', url: 'https://example.com/', title: 'example.com' },
    { type: 'url_citation', url: 'https://example.org/', title: 'News' },
  ]);
});
