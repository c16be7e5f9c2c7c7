import { urlCitation, type GenerationCall, type JsonObject } from '@tollgate/provider';

/** Domains that are reserved for examples, so that no address leads to a real page. */
const exampleDomains = ['example.com', 'example.org', 'example.net'] as const;

/** Characters of a search. */
const queryCharsMax = 120;

export interface Search {
  readonly query: string;
  readonly pages: readonly { readonly url: string; readonly title: string }[];
}

const isBelow = (domain: string, other: string): boolean => domain === other || domain.endsWith(`.${other}`);

/** The words of an address or a title that stand for what is searched for. */
const slugOf = (query: string): string =>
  query
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
    ?.slice(0, 6)
    .join('-') ?? '';

/**
 * The search of a call that offers one, which pretends to find a page in each domain that may be cited; null without a tool, or where
 * there is nothing to search for.
 */
export const searchOf = ({ tools, toolChoice }: GenerationCall, prompt: string): Search | null => {
  const tool = tools.find(({ kind }) => kind === 'web_search');
  const query = prompt.replaceAll(/\s+/g, ' ').trim().slice(0, queryCharsMax);
  if (tool?.kind !== 'web_search' || toolChoice.kind === 'none' || query === '') return null;
  const { allowedDomains = exampleDomains, blockedDomains = [] } = tool;
  const domains = allowedDomains.filter((domain) => !blockedDomains.some((blocked) => isBelow(domain, blocked)));
  const pages = domains.slice(0, exampleDomains.length).map((domain) => ({
    url: `https://${domain}/${encodeURIComponent(slugOf(query))}`,
    title: `${query} – ${domain}`,
  }));
  return { query, pages };
};

/** What a text cites that was written from a search: each page, for the whole of the text. */
export const citationsOf = ({ pages }: Search, text: string): readonly JsonObject[] =>
  text === '' ? [] : pages.map((page) => urlCitation({ ...page, start: 0, end: text.length }));

/** How the contract tells what was searched for and found. */
export const groundingOf = ({ query, pages }: Search, text: string): JsonObject => ({
  groundingMetadata: {
    webSearchQueries: [query],
    groundingChunks: pages.map(({ url: uri, title }) => ({ web: { uri, title } })),
    groundingSupports:
      text === '' || pages.length === 0
        ? []
        : [
            {
              segment: { startIndex: 0, endIndex: Buffer.byteLength(text), text },
              groundingChunkIndices: pages.map((_, index) => index),
            },
          ],
  },
});
