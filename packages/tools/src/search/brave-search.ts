import {
  callable,
  checkConfiguration,
  oneOf,
  optionsCheck,
  required,
  text,
  timerMs,
  webAddress,
} from '@tollgate/contract/configuration';
import { callService } from '../call-service.ts';
import { asList, asRecord, asText } from '../json-reading.ts';
import type { FoundPage, SearchEngine } from '../web-search.ts';

export interface BraveSearchOptions {
  /** The subscription token; sent to the engine and nowhere else. */
  readonly apiKey: string;
  readonly baseUrl?: string;
  /** Two letters, as in `br`. */
  readonly country?: string;
  /** As in `pt-br`. */
  readonly language?: string;
  readonly safeSearch?: 'off' | 'moderate' | 'strict';
  readonly deadlineMs?: number;
  readonly fetch?: typeof fetch;
}

const braveSearchCheck = optionsCheck<BraveSearchOptions>({
  apiKey: required(text({ isSecret: true })),
  baseUrl: webAddress(),
  country: text(),
  language: text(),
  safeSearch: oneOf('off', 'moderate', 'strict'),
  deadlineMs: timerMs({ min: 1 }),
  fetch: callable(),
});

const baseUrlDefault = 'https://api.search.brave.com/res/v1';
const deadlineMsDefault = 15_000;
const answerBytesMax = 4 * 1024 * 1024;
/** The engine's own limits. */
const pagesMaxOfEngine = 20;
const wordsMaxOfEngine = 50;
const titleCharsMax = 300;
const urlCharsMax = 2048;
const snippetCharsMax = 1500;

const fromResult = (value: unknown): readonly FoundPage[] => {
  const result = asRecord(value);
  const title = asText(result?.['title'], titleCharsMax);
  const url = asText(result?.['url'], urlCharsMax);
  if (title === undefined || url === undefined || !/^https?:\/\//u.test(url)) return [];
  const texts = [result?.['description'], ...asList(result?.['extra_snippets'])];
  const snippet = texts.flatMap((part) => asText(part, snippetCharsMax) ?? []).join('\n');
  return [{ title, url, snippet: snippet.slice(0, snippetCharsMax).toWellFormed() }];
};

const cutWords = (query: string): string => query.split(/\s+/u).slice(0, wordsMaxOfEngine).join(' ');

/** Web search by the Brave Search API (`GET /web/search`). The engine counts and bills answered queries only. */
export const braveSearch = (options: BraveSearchOptions): SearchEngine => {
  checkConfiguration('braveSearch', braveSearchCheck, options);
  const { apiKey, baseUrl = baseUrlDefault, country, language, safeSearch, deadlineMs = deadlineMsDefault } = options;
  return {
    search: async (query, { pagesMax, signal }) => {
      const url = new URL(`${baseUrl}/web/search`);
      const parameters = {
        q: cutWords(query),
        count: String(Math.min(pagesMax, pagesMaxOfEngine)),
        result_filter: 'web',
        text_decorations: 'false',
        ...(country !== undefined && { country }),
        ...(language !== undefined && { search_lang: language }),
        ...(safeSearch !== undefined && { safesearch: safeSearch }),
      };
      url.search = new URLSearchParams(parameters).toString();
      const answer = await callService({
        fetch: options.fetch ?? fetch,
        url,
        init: { headers: { accept: 'application/json', 'x-subscription-token': apiKey } },
        deadlineMs,
        answerBytesMax,
        signal,
      });
      if (answer.kind === 'failed') return { kind: 'failed' };
      const results = asList(asRecord(asRecord(answer.json)?.['web'])?.['results']);
      return { kind: 'found', pages: results.flatMap(fromResult).slice(0, pagesMax) };
    },
  };
};
