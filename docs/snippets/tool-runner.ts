import type { ToolRunner } from '@tollgate/engine';

// #region runner
/** Searches a catalog of the host's own in place of the web. */
export const catalogSearch = (catalog: ReadonlyMap<string, string>): ToolRunner<'web_search'> => ({
  tool: 'web_search',
  isRepeatable: true,
  callUsageMax: [{ unit: 'web_search_queries', quantity: 1 }],
  declare: () =>
    Promise.resolve([
      {
        name: 'web_search',
        description: 'Looks a product up.',
        parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
      },
    ]),
  stepArguments: (_setting, { arguments: { query } }) => ({ queries: [query] }),
  run: (_setting, { arguments: { query } }) => {
    const url = `https://shop.example/${encodeURIComponent(String(query))}`;
    const found = catalog.get(String(query));
    const usage = [{ unit: 'web_search_queries', quantity: 1, confirmed: true }] as const;
    if (found === undefined) return Promise.resolve({ result: 'Nothing was found.', isError: true, usage });
    const annotations = [{ type: 'url_citation', url, title: String(query) }];
    return Promise.resolve({ result: [{ url, title: query }], told: found, annotations, usage });
  },
});
// #endregion runner
