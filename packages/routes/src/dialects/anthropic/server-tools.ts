import {
  chatBounds,
  fieldPath,
  GatewayError,
  isRecord,
  listError,
  readAt,
  type InteractionTool,
  type Path,
} from '@tollgate/contract';
import type { RunName } from '@tollgate/engine';
import { z } from 'zod';
import { present } from '../../present.ts';
import type { AskedGeneration } from '../generation/generation-dialect.ts';
import { interactionTool } from '../generation/interaction-tool.ts';

/** Tools that the vendor runs have a type with a date. */
const datedType = /^(web_search|web_fetch|code_execution)_\d{8}$/;

/** A setting that the gateway has no place for. */
const unset = z.null().optional();

const domains = z.array(z.string().min(1)).max(chatBounds.toolsMax).nullish();
const usesMax = z.int().min(1).nullish();

const WebSearch = z.looseObject({
  max_uses: usesMax,
  allowed_domains: domains,
  blocked_domains: domains,
  user_location: unset,
});
const WebFetch = z.looseObject({
  max_uses: usesMax,
  allowed_domains: unset,
  blocked_domains: unset,
  max_content_tokens: unset,
  url_sources: unset,
});

const toolConfig = z.looseObject({ enabled: z.boolean().nullish() });
const Toolset = z.looseObject({
  mcp_server_name: z.string().min(1),
  default_config: toolConfig.nullish(),
  configs: z.record(z.string(), toolConfig).nullish(),
  tools: unset,
});
type Toolset = z.infer<typeof Toolset>;

const McpServer = z.strictObject({
  type: z.literal('url'),
  name: z.string().min(1),
  url: z.string().min(1),
  authorization_token: z.string().min(1).nullish(),
  tool_configuration: z
    .strictObject({ enabled: z.literal(true).nullish(), allowed_tools: z.array(z.string()).nullish() })
    .nullish(),
});

/** Tools of a request that are no function of the client. */
export interface ServerTools {
  readonly tools: readonly InteractionTool[];
  /** How often each may be called, where the request says so. */
  /** Which pages a search may cite, where the request says so. */
  readonly domains: NonNullable<AskedGeneration['searchDomains']>['domains'];
  readonly callsMax: Readonly<Partial<Record<RunName, number>>>;
}

const typeOf = (value: unknown): string => {
  const type: unknown = isRecord(value) ? value['type'] : undefined;
  return typeof type === 'string' ? type : '';
};

/** Whether a tool is one that the provider or the gateway runs. */
export const isServerTool = (value: unknown): boolean =>
  datedType.test(typeOf(value)) || typeOf(value) === 'mcp_toolset';

interface Gathering {
  readonly tools: InteractionTool[];
  readonly callsMax: Partial<Record<RunName, number>>;
  readonly toolsets: Map<string, Toolset>;
  domains: ServerTools['domains'];
}

const takeTool = (gathering: Gathering, value: unknown, path: Path): void => {
  const [, name] = datedType.exec(typeOf(value)) ?? [];
  const { tools, callsMax, toolsets } = gathering;
  if (name === undefined) {
    const toolset = readAt(Toolset, value, path);
    toolsets.set(toolset.mcp_server_name, toolset);
    return;
  }
  if (name === 'code_execution') {
    tools.push(interactionTool({ type: 'code_execution' }, path));
    return;
  }
  if (name === 'web_search') {
    const { allowed_domains: allowed, blocked_domains: blocked } = readAt(WebSearch, value, path);
    gathering.domains = { ...present('allowedDomains', allowed), ...present('blockedDomains', blocked) };
  }
  const { max_uses: uses } = readAt(name === 'web_search' ? WebSearch : WebFetch, value, path);
  const tool = name === 'web_search' ? 'web_search' : 'url_context';
  if (uses) callsMax[tool] = uses;
  tools.push(interactionTool({ type: tool }, path));
};

const unsupported = (path: Path, why: string): GatewayError =>
  new GatewayError('unsupported_parameter', { detail: `The field ${fieldPath(path)} ${why}` });

/** The tools of a server that a toolset lets the model call; undefined for all. */
const allowedBy = ({ default_config: usual, configs }: Toolset, path: Path): readonly string[] | undefined => {
  const named = Object.entries(configs ?? {});
  if (usual?.enabled === false) return named.filter(([, { enabled }]) => enabled === true).map(([name]) => name);
  if (named.some(([, { enabled }]) => enabled === false))
    throw unsupported(
      [...path, 'mcp_toolset', 'configs'],
      'turns single tools off; accepted is default_config.enabled: false, with the tools that are on.',
    );
  return undefined;
};

const toServer = ({ toolsets }: Gathering, value: unknown, path: Path): InteractionTool => {
  const { name, url, authorization_token: token, tool_configuration: configuration } = readAt(McpServer, value, path);
  const toolset = toolsets.get(name);
  const allowed = (toolset && allowedBy(toolset, ['tools'])) ?? configuration?.allowed_tools;
  const wire = {
    type: 'mcp_server',
    url,
    name,
    ...present('allowed_tools', allowed),
    ...present('headers', token ? { Authorization: `Bearer ${token}` } : null),
  };
  toolsets.delete(name);
  return interactionTool(wire, path);
};

const checkDistinct = (tools: readonly InteractionTool[]): void => {
  const names = new Set<string>();
  for (const tool of tools) {
    const name = tool.type === 'mcp_server' ? `mcp_server ${tool.name ?? ''}` : tool.type;
    if (names.has(name)) throw unsupported(['tools'], `holds ${tool.type} twice; accepted is each tool once.`);
    names.add(name);
  }
};

/** Reads the tools that the provider or the gateway runs, and the servers that are tools. */
export const readServerTools = (tools: readonly unknown[], servers: unknown): ServerTools => {
  const gathering: Gathering = { tools: [], callsMax: {}, domains: {}, toolsets: new Map() };
  for (const [index, tool] of tools.entries()) if (isServerTool(tool)) takeTool(gathering, tool, ['tools', index]);
  const listed: unknown = servers ?? [];
  if (!Array.isArray(listed) || listed.length > chatBounds.toolsMax)
    throw listError(['mcp_servers'], servers, [0, chatBounds.toolsMax]);
  for (const [index, server] of listed.entries())
    gathering.tools.push(toServer(gathering, server, ['mcp_servers', index]));
  const [unknown] = gathering.toolsets.keys();
  if (unknown !== undefined)
    throw unsupported(['tools'], 'names an MCP server that mcp_servers does not; accepted are names of mcp_servers.');
  checkDistinct(gathering.tools);
  return gathering;
};
