import type { Part } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { groundingOf } from './grounding.ts';

const citing = (text: string, ...annotations: readonly object[]): Part => ({
  kind: 'text',
  text,
  annotations: annotations.map((each) => ({ type: 'url_citation', ...each })),
});
const [one, two] = ['https://example.com/1', 'https://example.com/2'];

test('names each page once, and the words that it supports by bytes of their part', () => {
  const parts: readonly Part[] = [
    { kind: 'text', text: 'Hm', thought: true },
    { kind: 'text', text: 'Größ' },
    { kind: 'text', text: 'Nothing that is sent', thought: true },
    citing(
      'er als',
      { url: one, title: 'One', start_index: 1, end_index: 4 },
      { url: two, start_index: 7, end_index: 10 },
      { url: one, start_index: 2, end_index: 8 },
      { url: two },
    ),
  ];
  expect(groundingOf(parts)).toEqual({
    groundingChunks: [{ web: { uri: one, title: 'One' } }, { web: { uri: two } }],
    groundingSupports: [
      { segment: { partIndex: 1, startIndex: 1, endIndex: 6, text: 'röß' }, groundingChunkIndices: [0] },
      { segment: { partIndex: 3, startIndex: 3, endIndex: 6, text: 'als' }, groundingChunkIndices: [1] },
    ],
  });
});

test('says nothing of an answer that cites no page', () => {
  expect(groundingOf([{ kind: 'text', text: 'One' }])).toBeUndefined();
  expect(groundingOf([citing('One', { type: 'file_citation', file_name: 'a' })])).toBeUndefined();
});
