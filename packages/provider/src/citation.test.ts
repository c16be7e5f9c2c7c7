import { expect, test } from 'vitest';
import { moveCitation, urlCitation } from './citation.ts';

const whole = { type: 'url_citation', url: 'https://example.com/', title: 'Example', start_index: 4, end_index: 9 };

test('a citation has only the members that are known', () => {
  expect(Object.keys(urlCitation({ url: 'https://example.com/', title: undefined }))).toEqual(['type', 'url']);
  expect(urlCitation({ url: 'https://example.com/', title: 'Example', start: 4, end: 9 })).toEqual(whole);
});

test('a citation is moved with its text, never before the beginning, and otherwise kept', () => {
  expect(moveCitation({ ...whole, source: 'a' }, -3)).toEqual({ ...whole, source: 'a', start_index: 1, end_index: 6 });
  expect(moveCitation(whole, -5)).toEqual({ ...whole, start_index: 0, end_index: 4 });
  expect(moveCitation(whole, 2)).toEqual({ ...whole, start_index: 6, end_index: 11 });
  expect(Object.keys(moveCitation({ type: 'file_citation', file_name: 'a' }, 2))).toEqual(['type', 'file_name']);
});
