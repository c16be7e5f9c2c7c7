import type { HostToolRunner, ToolRunner, ToolRunners } from '@tollgate/engine';

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

// #region own
interface Orders {
  readonly find: (customer: string, id: string) => Promise<{ readonly status: string } | null>;
}

/** A tool that only this host has: it finds the orders of the customer whose project asks. */
const lookupOrder = (orders: Orders): HostToolRunner => ({
  description: 'Finds an order of the customer by its number.',
  parameters: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  isRepeatable: true,
  callUsageMax: [{ unit: 'host_tool_calls', quantity: 1 }],
  run: async ({ arguments: { id } }, { projectId }) => {
    const usage = [{ unit: 'host_tool_calls', quantity: 1, confirmed: true }] as const;
    const order = await orders.find(projectId, String(id));
    return order === null ? { result: 'There is no such order.', isError: true, usage } : { result: order, usage };
  },
});

/** For `createGateway({ tools })`. A client asks for it by `{ "type": "host_tool", "name": "lookup_order" }`. */
export const orderTools = (orders: Orders): ToolRunners => ({ own: { lookup_order: lookupOrder(orders) } });
// #endregion own
