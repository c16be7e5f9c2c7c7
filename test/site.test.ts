// What the site is made of beside its pages: the sidebar, the texts for programs, the links to edit a page.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { sidebar } from '../docs/.vitepress/config.ts';
import { editLinkOf } from '../docs/.vitepress/edit-link.ts';
import { llmsFull, llmsList, pagesOf, plainPage, writePlainText } from '../docs/.vitepress/llms.ts';
import { openParser, writtenPages } from '../docs/.vitepress/open-search.ts';
import { importsOf, isTypeScript, isUsed, showImports } from '../docs/.vitepress/shown-code.ts';

const docs = path.resolve(import.meta.dirname, '../docs');
const links = sidebar.flatMap((group) => pagesOf(group).map(({ link }) => link));
const written = links.filter((link) => link !== '/api/');
const addressOf = (link: string): string => (link.endsWith('/') ? `${link}index.md` : `${link}.md`);

test('the sidebar has each page once, and no other', () => {
  // Decisions have a page that lists them.
  const below = /^decisions\/(?!index\.md$)/u;
  const listed = writtenPages.filter((page) => !below.test(page));
  expect(written.map(addressOf).toSorted()).toEqual(listed.map((page) => `/${page}`).toSorted());
});

test('llms.txt lists each page of the sidebar with a sentence about it', () => {
  const lines = llmsList(docs, 'Tollgate', sidebar).split('\n');
  const rows = lines.flatMap((line) => [...line.matchAll(/^- \[[^\]]+\]\(([^)]+)\): (.+)$/gu)]);
  expect(rows.map(([, address]) => address)).toEqual(written.map(addressOf));
  expect(rows.filter(([, , sentence = '']) => !/^[`A-Z].{20,}[.:]$/u.test(sentence)).map(([row]) => row)).toEqual([]);
});

test('llms-full.txt has each page whole, with the code that it includes', () => {
  const text = llmsFull(docs, sidebar);
  expect(text.match(/^<!-- \/.*\.md -->$/gmu)).toHaveLength(written.length);
  expect(text).not.toMatch(/^<<< /mu);
  expect(text).not.toMatch(/^\/\/ #(?:end)?region/mu);
  const start = readFileSync(path.join(docs, 'snippets/get-started.ts'), 'utf8');
  expect(plainPage(docs, '/get-started')).toContain(start.trim());
});

test('each written page is text at its address with .md, also a page that only another one lists', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-site-'));
  writePlainText(docs, folder, 'Tollgate', sidebar);
  expect(writtenPages.filter((page) => !existsSync(path.join(folder, page)))).toEqual([]);
  expect(readFileSync(path.join(folder, 'hosts/hono.md'), 'utf8')).toContain('gateway.fetch');
  rmSync(folder, { recursive: true });
});

test('each page shows the imports of the packages that its code uses', async () => {
  const md = await openParser();
  showImports(md);
  const render = md.renderer.rules.fence;
  const absent: string[] = [];
  let used = 0;
  for (const page of writtenPages) {
    const file = path.join(docs, page);
    const env = { path: file, relativePath: page, cleanUrls: true };
    const tokens = md.parse(readFileSync(file, 'utf8'), env);
    const included = tokens.flatMap((token, index) => {
      const [source = ''] = 'src' in token && Array.isArray(token.src) ? token.src.map(String) : [];
      if (!isTypeScript(source)) return [];
      render?.(tokens, index, md.options, env, md.renderer);
      return [{ source: readFileSync(source, 'utf8'), code: token.content }];
    });
    const shown = new Set(included.flatMap(({ code }) => importsOf(code).map(({ from, name }) => `${from} ${name}`)));
    for (const { source, code } of included)
      for (const { from, name } of importsOf(source)) {
        if (!/^(?:tollgate$|@tollgate\/)/u.test(from) || !isUsed(code, name)) continue;
        used += 1;
        if (!shown.has(`${from} ${name}`)) absent.push(`${page}: ${name} of ${from}`);
      }
  }
  expect(absent).toEqual([]);
  expect(used).toBeGreaterThan(100);
});

test('a page is edited in the repository of the packages, once there is one', () => {
  expect(editLinkOf('git+https://git.example/acme/tollgate.git')).toEqual({
    editLink: { pattern: 'https://git.example/acme/tollgate/edit/main/docs/:path', text: 'Edit this page' },
  });
  expect(editLinkOf('git+https://example.invalid/tollgate.git')).toEqual({});
});

test('what a page of the site shows beside its text is in the folder of the site', () => {
  const images = writtenPages.flatMap((page) =>
    [...readFileSync(path.join(docs, page), 'utf8').matchAll(/(?:!\[[^\]]*\]\(|<img src=")(\/[^)"]+)/gu)].map(
      ([, file = '']) => file,
    ),
  );
  expect(images.length).toBeGreaterThan(3);
  expect(images.filter((file) => !existsSync(path.join(docs, 'public', file)))).toEqual([]);
});
