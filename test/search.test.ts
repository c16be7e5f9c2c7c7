// The search of the site: the index is built by the functions that the site gives to VitePress, over the same pages.
import { expect, test } from 'vitest';
import { openSearch, writtenPages } from '../docs/.vitepress/open-search.ts';
import { searchWords } from '../docs/.vitepress/search-words.ts';
import { questions } from './search-questions.ts';

const pagesFor = await openSearch();

test('newcomers ask thirty questions or more, each once', () => {
  expect(questions.length).toBeGreaterThanOrEqual(30);
  expect(new Set(questions.map(([question]) => question)).size).toBe(questions.length);
});

test('each question of a newcomer finds the page that answers it first', () => {
  const missed = questions
    .map(([question, wanted]) => ({ question, wanted, found: pagesFor(question).slice(0, 3) }))
    .filter(({ wanted, found }) => found[0] !== wanted);
  expect(missed).toEqual([]);
});

test('each page with words of its own exists', () => {
  expect(Object.keys(searchWords).filter((page) => !writtenPages.includes(`${page}.md`))).toEqual([]);
});
