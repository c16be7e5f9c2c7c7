// How a page is split for the search of the site. The build and the test of the search use these functions.
import { readFileSync } from 'node:fs';
import type { MarkdownEnv } from 'vitepress';
import { searchWords } from './search-words.ts';

/** What is read of a token of a page. */
interface Token {
  readonly type: string;
  readonly tag: string;
  readonly content: string;
  readonly children: readonly { readonly type: string; readonly content: string }[] | null;
  readonly attrGet: (name: string) => string | null;
}

/** The parser that the site has, with its anchors. */
interface Parser {
  readonly parse: (source: string, env: MarkdownEnv) => readonly Token[];
}

/** A part of a page below one heading, as VitePress indexes it. */
export interface SearchSection {
  readonly anchor: string;
  readonly titles: string[];
  /** Prose, code and the other words for the page, which `extractField` of the index takes apart. */
  readonly text: string;
}

interface Draft {
  readonly level: number;
  readonly anchor: string;
  readonly title: string;
  readonly prose: string[];
  readonly code: string[];
}

const shown = new Set(['text', 'code_inline', 'image', 'softbreak']);

/** What a reader sees of an inline token, without the anchor that the site adds to headings. */
const textOf = (token: Token): string =>
  (token.children ?? [])
    .filter(({ type }) => shown.has(type))
    .map(({ type, content }) => (type === 'softbreak' ? ' ' : content))
    .join('')
    .trim();

/** The text of a block of code: its own, or that of the file that it includes. */
const codeOf = (token: Token): string => {
  if (!('src' in token) || !Array.isArray(token.src)) return token.content;
  // VitePress notes the included file here, and the region of it.
  const [file, region] = token.src.map(String);
  if (file === undefined) return token.content;
  const text = readFileSync(file, 'utf8');
  return region === undefined || region === ''
    ? text
    : (text.split(`// #region ${region}\n`)[1]?.split(`// #endregion`)[0] ?? '');
};

const draftsOf = (tokens: readonly Token[]): readonly Draft[] => {
  const drafts: Draft[] = [];
  for (const [place, token] of tokens.entries()) {
    const draft = drafts.at(-1);
    if (token.type === 'heading_open') {
      const heading = tokens[place + 1];
      const title = heading === undefined ? '' : textOf(heading);
      drafts.push({ level: Number(token.tag.slice(1)), anchor: token.attrGet('id') ?? '', title, prose: [], code: [] });
    } else if (token.type === 'inline' && tokens[place - 1]?.type !== 'heading_open') draft?.prose.push(textOf(token));
    else if (token.type === 'fence') draft?.code.push(codeOf(token));
  }
  return drafts;
};

/** The titles above a part of a page, and its own as the last one. */
const titlesOf = (drafts: readonly Draft[], place: number): string[] => {
  const titles: string[] = [];
  let level = Infinity;
  for (const draft of drafts.slice(0, place + 1).toReversed())
    if (draft.level < level) {
      titles.unshift(draft.title);
      level = draft.level;
    }
  return titles;
};

/** The parts of a page; the first one has the other words for the page. */
const splitPage = (source: string, env: MarkdownEnv, md: Parser): readonly SearchSection[] => {
  const drafts = draftsOf(md.parse(source.replace(/^---\n.*?\n---\n/su, ''), env));
  return drafts.map((draft, place) => ({
    anchor: draft.anchor,
    titles: titlesOf(drafts, place),
    text: [
      draft.prose.join('\n'),
      draft.code.join('\n'),
      place === 0 ? (searchWords[env.relativePath.replace(/\.md$/u, '')] ?? '') : '',
    ].join('\u001F'),
  }));
};

/** VitePress renders a page and splits the text that came of it: the text is the parts as JSON. */
export const renderSections = (source: string, env: MarkdownEnv, md: Parser): string =>
  JSON.stringify(splitPage(source, env, md));

export const readSections = (_: string, sections: string): SearchSection[] =>
  // What `renderSections` wrote.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  JSON.parse(sections) as SearchSection[];

/** Options of the index, which the build and the browser share. The browser gets the text of each function: it uses nothing from outside. */
export const indexOptions = {
  fields: ['title', 'titles', 'text', 'code', 'words'],
  storeFields: ['title', 'titles'],
  extractField: (document: Record<string, unknown>, field: string): unknown => {
    const place = ['text', 'code', 'words'].indexOf(field);
    return place < 0 ? document[field] : String(document['text']).split('\u001F')[place];
  },
  /** One word is found by its plural, and the reverse. */
  processTerm: (term: string): string => {
    const word = term.toLowerCase();
    return word.length > 3 ? word.replace(/([^s])s$/, '$1') : word;
  },
};

/** How results are ordered: a page that is about the word, then a heading with it, then a page of the API that names it. */
export const searchOptions = {
  // A short word with another letter is another word, such as `cost` and `host`.
  fuzzy: (term: string): number | boolean => (term.length > 5 ? 0.2 : false),
  prefix: true,
  // A page with many words of its own is not behind one with few.
  bm25: { k: 1.2, b: 0.3, d: 0.5 },
  boost: { words: 12, title: 4, text: 2, titles: 1, code: 0.5 },
  boostDocument: (id: string): number => {
    if (id.startsWith('/api/')) return 0.1;
    return id.startsWith('/decisions/') ? 0.2 : 1;
  },
};
