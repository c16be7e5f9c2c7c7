import { expect, test } from 'vitest';
import { readCitations } from './read-citations.ts';

const page = { url: 'https://example.com/', title: 'Example' };

const cited = (value: object) => ({ type: 'url_citation', url_citation: value });

test('reads the pages that a message cites, and leaves out what it cannot read', () => {
  expect(
    readCitations([
      cited({ ...page, start_index: 1, end_index: 4 }),
      cited({ ...page, start_index: 1 }),
      cited({ title: 'Without an address' }),
      { type: 'other' },
      'text',
    ]),
  ).toEqual([
    { type: 'url_citation', ...page, start_index: 1, end_index: 4 },
    { type: 'url_citation', ...page },
  ]);
  expect(readCitations(null)).toEqual([]);
});
