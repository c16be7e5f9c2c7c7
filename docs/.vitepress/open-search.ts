// The search of the site without the site: the same index over the pages that were written, without the generated ones.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import MiniSearch from 'minisearch';
import { createMarkdownRenderer, type MarkdownEnv } from 'vitepress';
import { indexOptions, readSections, renderSections, searchOptions } from './search-sections.ts';

const docs = path.resolve(import.meta.dirname, '..');

/** The pages that were written, by their paths in the folder of the documentation. */
export const writtenPages = globSync('**/*.md', { cwd: docs, exclude: ['node_modules/**', 'api/**'] });

/** The site's own parser of Markdown. Colours of code are left out. */
export const openParser = () => createMarkdownRenderer(docs, { highlight: (code) => code });

/** Returns a function from a question to the addresses of the pages that the site shows for it, best first. */
export const openSearch = async (): Promise<(question: string) => readonly string[]> => {
  const md = await openParser();
  const search = new MiniSearch({ ...indexOptions, searchOptions });
  for (const page of writtenPages) {
    const env: MarkdownEnv = { path: path.join(docs, page), relativePath: page, cleanUrls: true };
    const sections = renderSections(readFileSync(env.path, 'utf8'), env, md);
    const address = `/${page.replace(/(?:(^|\/)index)?\.md$/u, '$1')}`;
    for (const { anchor, titles, text } of readSections(page, sections))
      search.add({ id: `${address}#${anchor}`, text, title: titles.at(-1), titles: titles.slice(0, -1) });
  }
  return (question) => [...new Set(search.search(question).map(({ id }) => String(id).split('#')[0] ?? ''))];
};
