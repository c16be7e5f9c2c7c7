import type { ToolRunners } from '@tollgate/engine';
import {
  braveSearch,
  codeExecution,
  computerUse,
  googlePlaces,
  maps,
  mcpServer,
  urlContext,
  webSearch,
} from '@tollgate/tools';

// #region all
interface ToolKeys {
  readonly search: string;
  readonly places: string;
}

/** Every tool that comes with the gateway, for `createGateway({ tools })`; omit the tools that you do not want to offer. */
export const gatewayTools = (keys: ToolKeys, cacheFolder: string): ToolRunners => ({
  code_execution: codeExecution({ cacheFolder }),
  url_context: urlContext(),
  mcp_server: mcpServer(),
  web_search: webSearch(braveSearch({ apiKey: keys.search })),
  maps: maps(googlePlaces({ apiKey: keys.places })),
  computer_use: computerUse(),
});
// #endregion all

// #region engine
interface Wiki {
  readonly find: (text: string) => Promise<readonly { readonly name: string; readonly path: string }[]>;
}

/** A search of the host's own in place of one of the web. */
export const wikiSearch = (wiki: Wiki): ToolRunners => ({
  web_search: webSearch({
    search: async (query, { pagesMax }) => {
      const found = await wiki.find(query);
      const pages = found.map(({ name, path }) => ({ title: name, url: `https://wiki.example${path}`, snippet: '' }));
      return { kind: 'found', pages: pages.slice(0, pagesMax) };
    },
  }),
});
// #endregion engine

// #region walls
/** Python without access to the system's network, on systems where users may create namespaces. */
export const walledPython = (cacheFolder: string): ToolRunners => ({
  code_execution: codeExecution({
    cacheFolder,
    launcher: ['/usr/bin/unshare', '--user', '--map-root-user', '--net'],
  }),
});
// #endregion walls
