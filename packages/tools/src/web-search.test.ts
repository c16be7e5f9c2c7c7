import { expect, test } from 'vitest';
import { fakeService } from '../test/fake-service.ts';
import { toolContext } from '../test/tool-context.ts';
import { braveSearch } from './search/brave-search.ts';
import { webSearch, type SearchEngine, type WebSearchOptions } from './web-search.ts';

const setting = { kind: 'web_search' } as const;
const counted = (quantity: number) => [{ unit: 'web_search_queries', quantity, confirmed: true }];

const asking = (engine: SearchEngine, options?: WebSearchOptions) => (queries: unknown, signal?: AbortSignal) =>
  webSearch(engine, options).run?.(
    setting,
    { id: 'call', name: 'search_web', arguments: { queries } },
    toolContext(signal === undefined ? {} : { signal }),
  );

const page = (n: number) => ({ title: `Page ${n}`, url: `https://example.com/${n}`, snippet: `About ${n}` });

test('returns what an engine found for each query, and counts the queries', async () => {
  const engine: SearchEngine = {
    search: async (query) => ({ kind: 'found', pages: query === 'none' ? [] : [page(1), page(2)] }),
  };
  const outcome = await asking(engine)(['ships', ' none ', 'ships']);
  expect(outcome).toMatchObject({
    result: [
      { query: 'ships', results: [page(1), page(2)] },
      { query: 'none', results: [] },
    ],
    annotations: [
      { type: 'url_citation', url: 'https://example.com/1', title: 'Page 1' },
      { type: 'url_citation', url: 'https://example.com/2', title: 'Page 2' },
    ],
    usage: counted(2),
  });
  expect(outcome?.told).toContain('Results for ships:\n1. Page 1\nhttps://example.com/1\nAbout 1\n\n2. Page 2');
  expect(outcome?.told).toContain('Results for none:\n[Nothing was found.]');
});

test('counts no query that failed, and is a fault where all did', async () => {
  const engine: SearchEngine = {
    search: async (query) => (query === 'bad' ? { kind: 'failed' } : { kind: 'found', pages: [page(1)] }),
  };
  expect(await asking(engine)(['bad', 'good'])).toMatchObject({ usage: counted(1) });
  expect(await asking(engine)(['bad'])).toMatchObject({
    isError: true,
    usage: counted(0),
    told: 'Results for bad:\n[The search failed.]',
  });
});

test.each([[[]], ['ships'], [[1]], [['']], [['x'.repeat(401)]], [['a', 'b', 'c', 'd']], [undefined]])(
  'asks nothing for %j',
  async (queries) => {
    const engine: SearchEngine = { search: () => Promise.reject(new Error('asked')) };
    expect(await asking(engine)(queries)).toMatchObject({ isError: true, usage: [] });
  },
);

test('declares and reserves as many queries as one call may ask', async () => {
  const runner = webSearch({ search: async () => ({ kind: 'failed' }) }, { queriesMax: 5 });
  expect(runner.callUsageMax).toEqual([{ unit: 'web_search_queries', quantity: 5 }]);
  expect(await runner.declare(setting, toolContext())).toMatchObject([
    { name: 'search_web', parameters: { properties: { queries: { maxItems: 5 } } } },
  ]);
});

/** An answer in the engine's own form. */
const wire = {
  type: 'search',
  query: { original: 'ships', more_results_available: true },
  web: {
    type: 'search',
    results: [
      {
        title: 'Ships &  harbours',
        url: 'https://example.com/ships',
        description: 'All about\nships.',
        extra_snippets: ['They float.', 'They sail.'],
        age: 'October 1, 2026',
      },
      { title: 'No address' },
      { title: 'A script', url: 'javascript:alert(1)', description: '' },
      'nonsense',
      { title: 'Second', url: 'https://example.com/2', description: null },
    ],
  },
  mixed: { type: 'mixed' },
};

test('asks the Brave Search API in its own form, and reads its answer', async () => {
  const service = fakeService(() => Response.json(wire));
  const engine = braveSearch({
    apiKey: 'brave-key',
    country: 'br',
    language: 'pt-br',
    safeSearch: 'strict',
    fetch: service.fetch,
  });
  const outcome = await asking(engine, { pagesMax: 5 })(['ships & harbours']);
  expect(outcome?.result).toEqual([
    {
      query: 'ships & harbours',
      results: [
        {
          title: 'Ships & harbours',
          url: 'https://example.com/ships',
          snippet: 'All about ships.\nThey float.\nThey sail.',
        },
        { title: 'Second', url: 'https://example.com/2', snippet: '' },
      ],
    },
  ]);
  const [request] = service.requests;
  expect(request?.url.href).toBe(
    'https://api.search.brave.com/res/v1/web/search?q=ships+%26+harbours&count=5&result_filter=web&text_decorations=false&country=br&search_lang=pt-br&safesearch=strict',
  );
  expect(request?.headers.get('x-subscription-token')).toBe('brave-key');
});

test('keeps to what the Brave Search API takes', async () => {
  const service = fakeService(() => Response.json(wire));
  await asking(braveSearch({ apiKey: 'k', fetch: service.fetch }), { pagesMax: 50 })([Array(60).fill('a').join(' ')]);
  const [request] = service.requests;
  expect(request?.url.searchParams.get('count')).toBe('20');
  expect(request?.url.searchParams.get('q')?.split(' ')).toHaveLength(50);
});

test.each([
  ['refuses the key', () => Response.json({ type: 'ErrorResponse', error: { status: 401 } }, { status: 401 })],
  ['has no quota left', () => Response.json({ type: 'ErrorResponse', error: { status: 429 } }, { status: 429 })],
  ['answers no JSON', () => new Response('<html>')],
  ['answers too much', () => new Response('x'.repeat(5_000_000))],
  ['hangs up', () => Promise.reject(new TypeError('fetch failed'))],
  ['says nothing', () => Promise.withResolvers<Response>().promise],
])('counts nothing where the service %s', async (_, answer) => {
  const engine = braveSearch({ apiKey: 'k', fetch: fakeService(answer).fetch, deadlineMs: 100 });
  expect(await asking(engine)(['ships'])).toMatchObject({ isError: true, usage: counted(0) });
});

test('finds nothing in an answer without results', async () => {
  const engine = braveSearch({ apiKey: 'k', fetch: fakeService(() => Response.json([])).fetch });
  expect(await asking(engine)(['ships'])).toMatchObject({
    result: [{ query: 'ships', results: [] }],
    usage: counted(1),
  });
});

test('stops when the interaction is let go of', async () => {
  const engine = braveSearch({ apiKey: 'k', fetch: fakeService(() => Response.json(wire)).fetch });
  await expect(asking(engine)(['ships'], AbortSignal.abort(new Error('let go of')))).rejects.toThrow('let go of');
});
