// The documentation as plain text, for programs that read it: a list of the pages, all pages in one file, and each page by itself.
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isTypeScript, shownCode } from './shown-code.ts';

interface SidebarItem {
  readonly text: string;
  readonly link: string;
  readonly items?: readonly SidebarItem[];
}

/** A group of the sidebar. */
export interface SidebarGroup {
  readonly text: string;
  readonly items: readonly SidebarItem[];
}

/** The pages of a group, with those that are folded below another one. */
export const pagesOf = ({ items }: Pick<SidebarGroup, 'items'>): readonly SidebarItem[] =>
  items.flatMap((item) => [item, ...pagesOf({ items: item.items ?? [] })]);

const fileOf = (docs: string, link: string): string =>
  path.join(docs, link.endsWith('/') ? `${link}index.md` : `${link}.md`);

/** The address of the text of a page. */
const addressOf = (link: string): string => (link.endsWith('/') ? `${link}index.md` : `${link}.md`);

/** The code that a page includes, in its place; `shown` as of {@link shownCode}. */
const included = (file: string, region: string | undefined, shown: Set<string>): string => {
  const extension = path.extname(file).slice(1);
  if (isTypeScript(file)) return `\`\`\`${extension}\n${shownCode(file, region, shown)}\n\`\`\``;
  const source = readFileSync(file, 'utf8');
  const [, below = source] = region === undefined ? [] : source.split(`// #region ${region}\n`);
  const code = region === undefined ? source : (below.split(/^.*\/\/ #endregion/mu)[0] ?? '');
  return `\`\`\`${extension}\n${code.trimEnd()}\n\`\`\``;
};

/** A page as text alone: with the code that it includes, without what only the site shows. */
export const plainPage = (docs: string, link: string): string => {
  const file = fileOf(docs, link);
  const shown = new Set<string>();
  return readFileSync(file, 'utf8')
    .replace(/^---\n.*?\n---\n/su, '')
    .replaceAll(
      /^<<< (\S+?)(?:#([\w-]+))?(?:\{[^}]*\})?(?: \[[^\]]*\])?$/gmu,
      (_, snippet: string, region: string | undefined) =>
        included(path.resolve(path.dirname(file), snippet), region, shown),
    )
    .replaceAll(/^:::.*\n/gmu, '')
    .replaceAll(/ \{#[\w-]+\}$/gmu, '')
    .trim();
};

/** What a page is about: its first sentence, or two if the first one is short, without links. */
const summaryOf = (text: string): string => {
  const prose = text.replaceAll(/^```.*?^```$/gmsu, '');
  const paragraph = prose.split(/\n{2,}/u).find((block) => /^[^#|<`!:\-*\d]|^`[^`]/u.test(block)) ?? '';
  const plain = paragraph.replaceAll(/\[([^\]]*)\]\([^)]*\)/gu, '$1').replaceAll(/\s+/gu, ' ');
  return /^.{40,}?[.:](?= [A-Z`]|$)/u.exec(plain)?.[0] ?? plain;
};

/** Pages that a program generates are left out: they are as long as all others together, and each package has its types. */
const writtenItems = (docs: string, group: SidebarGroup) =>
  pagesOf(group).filter(({ link }) => link !== '/api/' && existsSync(fileOf(docs, link)));

export const llmsList = (docs: string, title: string, groups: readonly SidebarGroup[]): string => {
  const parts = groups.map((group) => {
    const lines = writtenItems(docs, group).map(
      ({ text, link }) => `- [${text}](${addressOf(link)}): ${summaryOf(plainPage(docs, link))}`,
    );
    return `## ${group.text}\n\n${lines.join('\n')}\n`;
  });
  const about = summaryOf(plainPage(docs, '/'));
  return `# ${title}\n\n> ${about}\n\nAll pages in one file: [llms-full.txt](/llms-full.txt).\n\n${parts.join('\n')}`;
};

export const llmsFull = (docs: string, groups: readonly SidebarGroup[]): string =>
  groups
    .flatMap((group) => writtenItems(docs, group))
    .map(({ link }) => `<!-- ${addressOf(link)} -->\n\n${plainPage(docs, link)}\n`)
    .join('\n');

/** The addresses of all pages that were written, also of those that only another page lists, such as decisions. */
const writtenLinks = (docs: string): readonly string[] =>
  globSync('**/*.md', { cwd: docs, exclude: ['node_modules/**', 'api/**', '.vitepress/**'] }).map(
    (file) => `/${file.replace(/(^|\/)index\.md$/u, '$1').replace(/\.md$/u, '')}`,
  );

/** Writes `llms.txt`, `llms-full.txt` and the text of each page into the built site. */
export const writePlainText = (docs: string, folder: string, title: string, groups: readonly SidebarGroup[]): void => {
  writeFileSync(path.join(folder, 'llms.txt'), llmsList(docs, title, groups));
  writeFileSync(path.join(folder, 'llms-full.txt'), llmsFull(docs, groups));
  for (const link of writtenLinks(docs)) {
    const file = path.join(folder, addressOf(link));
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `${plainPage(docs, link)}\n`);
  }
};
