import type { ToolRunners } from '@tollgate/engine';
import type { Answer } from './answer.ts';
import { ask, type DialectWire } from './dialect-wires.ts';
import type { GatewaySettings } from './gateway-under-test.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { whileWorking } from './google-ask.ts';
import { functionCall, scriptCalls } from './interaction-ask.ts';
import { telling, type ToolSetting } from './telling-tool.ts';

export const seenServers: ToolSetting<'mcp_server'>[] = [];

export const citing = { type: 'url_citation', url: 'https://example.com/', title: 'Example' } as const;

const tools: ToolRunners = {
  web_search: {
    ...telling('web_search'),
    run: (_setting, { arguments: args }) =>
      Promise.resolve({
        result: [{ query: args['query'], results: [{ url: citing.url, title: citing.title, snippet: 'It is.' }] }],
        annotations: [citing],
        usage: [],
      }),
  },
  file_search: telling('file_search'),
  mcp_server: telling('mcp_server', seenServers),
};

export const withTools = ({ settings }: DialectWire): GatewaySettings => ({ ...settings, tools });

export const server = { url: 'https://mcp.example/', name: 'library' };

export const responsesTools = {
  search: { type: 'web_search' },
  server: {
    type: 'mcp',
    server_label: server.name,
    server_url: server.url,
    authorization: 'a token',
    require_approval: 'never',
  },
};
export const messagesTools = {
  search: { type: 'web_search_20250305', name: 'web_search' },
  server: { type: 'url', ...server, authorization_token: 'a token' },
};

export const scriptSearch = (world: GatewayWorld): void =>
  scriptCalls(world, functionCall('web_search', { query: 'q' }));

/** Asks, while workers run the tools. */
export const carried = (world: GatewayWorld, wire: DialectWire, body: object, key = ''): Promise<Answer> =>
  whileWorking(world, ask(world, wire, body, { headers: key === '' ? {} : { 'idempotency-key': key } }));
