// Every link of the documentation and of the files that are read on their own: to a page, to a place of a page, to a file, elsewhere.
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openParser, writtenPages } from '../docs/.vitepress/open-search.ts';

const root = path.resolve(import.meta.dirname, '..');
const md = await openParser();

type Token = ReturnType<typeof md.parse>[number];

interface Page {
  readonly file: string;
  readonly anchors: ReadonlySet<string>;
  readonly links: readonly string[];
}

/** Addresses in a tag that is written as HTML. */
const inHtml = ({ content }: Token): readonly string[] =>
  [...content.matchAll(/ (?:href|src|srcset)="([^"]+)"/gu)].map(([, address = '']) => address);

const linksOf = (token: Token): readonly string[] => {
  if (token.type === 'html_block' || token.type === 'html_inline') return inHtml(token);
  if (token.type === 'link_open' && token.attrGet('class') !== 'header-anchor') return [token.attrGet('href') ?? ''];
  if (token.type === 'image') return [token.attrGet('src') ?? ''];
  return (token.children ?? []).flatMap(linksOf);
};

const readPage = (file: string): Page => {
  const tokens = md.parse(readFileSync(path.join(root, file), 'utf8'), { path: file, relativePath: file });
  const headings = tokens.filter(({ type }) => type === 'heading_open');
  return {
    file,
    anchors: new Set(headings.map((token) => token.attrGet('id') ?? '')),
    links: tokens.flatMap(linksOf),
  };
};

const pages = writtenPages.map((page) => `docs/${page}`);
const readmes = ['*.md', 'packages/*/*.md', 'examples/*/*.md', 'bench/*.md'].flatMap((pattern) =>
  globSync(pattern, { cwd: root }),
);
const read = new Map([...pages, ...readmes].map((file) => [file, readPage(file)]));
/** Where the site is published, by which a README on npm names its pages. */
const { homepage } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { readonly homepage: string };
const withoutHome = (link: string): string => (link.startsWith(`${homepage}/`) ? link.slice(homepage.length) : link);
const links = [...read.values()].flatMap((page) =>
  page.links.map((link) => ({ page: page.file, link: withoutHome(link) })),
);
const isOutside = (link: string): boolean => /^[a-z][a-z\d+.-]*:/iu.test(link);
const inside = links.filter(({ link }) => !isOutside(link));

/** What the site makes beside the pages that were written. */
const made = /^docs\/(?:api\/|(?:public\/)?(?:(?:admin-)?openapi\.json|llms(?:-full)?\.txt)$)/u;

const isOfSite = (file: string): boolean => read.has(file) || made.test(file);

/** The file that a link names: on the site with or without the end of its name, and from the folder of the site if it begins with `/`. */
const targetOf = (page: string, link: string): string => {
  const [address = ''] = link.split('#');
  if (address === '') return page;
  const file = address.startsWith('/') ? path.join('docs', address) : path.join(path.dirname(page), decodeURI(address));
  const candidates = [file, `${file}.md`, path.join(file, 'index.md'), file.replace(/^docs\//u, 'docs/public/')];
  return candidates.find(isOfSite) ?? candidates.find((candidate) => existsSync(path.join(root, candidate))) ?? file;
};

test('every link leads to a page or a file that is there', () => {
  expect(inside.length).toBeGreaterThan(500);
  const dead = inside.filter(({ page, link }) => {
    const target = targetOf(page, link);
    return !made.test(target) && !existsSync(path.join(root, target));
  });
  expect(dead).toEqual([]);
});

test('a page of the site links no folder and no file that the site does not have', () => {
  const outside = inside
    .filter(({ page }) => page.startsWith('docs/'))
    .filter(({ page, link }) => {
      const target = targetOf(page, link);
      return !read.has(target) && !made.test(target) && !target.startsWith('docs/public/');
    });
  expect(outside).toEqual([]);
});

test('every link to a place of a page finds a heading there', () => {
  const anchored = inside.filter(({ link }) => link.includes('#'));
  expect(anchored.length).toBeGreaterThan(100);
  const dead = anchored.filter(({ page, link }) => {
    const target = read.get(targetOf(page, link));
    return target !== undefined && !target.anchors.has(decodeURI(link.split('#')[1] ?? ''));
  });
  expect(dead).toEqual([]);
});

test('every link to elsewhere is an address that a browser opens', () => {
  const wrong = links
    .filter(({ link }) => isOutside(link))
    .filter(({ link }) => {
      const url = URL.parse(link);
      return url === null || !['https:', 'mailto:'].includes(url.protocol) || url.hostname.endsWith('.invalid');
    });
  expect(wrong).toEqual([]);
});
