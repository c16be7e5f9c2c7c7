import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const docs = path.resolve(import.meta.dirname, '../docs');
const pages = globSync('**/*.md', { cwd: docs, exclude: ['node_modules/**', 'api/**'] });

/** A page without what its blocks of code hold. */
const proseOf = (page: string): string => readFileSync(path.join(docs, page), 'utf8').replaceAll(/^```.*?^```/gmsu, '');

/** The anchor of a heading: the one that it states, otherwise its words. The site makes it in the same way. */
const anchorOf = (heading: string): string =>
  /\{#([^}]+)\}/u.exec(heading)?.[1] ??
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/gu, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_]+/gu, '-')
    .replaceAll(/^-|-$/gu, '');

const anchors = new Map(
  pages.map((page) => [
    page,
    new Set([...proseOf(page).matchAll(/^#+ (.+)$/gmu)].map(([, heading = '']) => anchorOf(heading))),
  ]),
);

/** The page that a link names, with or without the end of its name. */
const targetOf = (page: string, link: string): string => {
  if (link === '') return page;
  const target = path.join(path.dirname(page), link);
  return target.endsWith('.md') ? target : `${target}.md`;
};

// The build of the site refuses a link to no page, and takes one to no place of a page.
test('every link of the documentation to a place of a page finds a heading there', () => {
  const links = pages.flatMap((page) =>
    [...proseOf(page).matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/gu)].map(([, link = '', anchor = '']) => ({
      page,
      target: targetOf(page, link),
      anchor,
    })),
  );
  expect(links.length).toBeGreaterThan(100);
  const dead = links.filter(({ target, anchor }) => anchors.get(target)?.has(anchor) === false);
  expect(dead).toEqual([]);
});
