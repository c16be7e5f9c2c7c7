import { fieldPath, GatewayError, isRecord, readAt, type InteractionTool, type Path } from '@tollgate/contract';
import { z } from 'zod';
import { present } from '../../../present.ts';
import { interactionTool } from '../../generation/interaction-tool.ts';

const webSearchType = /^web_search(?:_preview)?(?:_\d{4}_\d{2}_\d{2})?$/;

/** A setting that the gateway has no place for: absent, or what it is anyhow. */
const unset = z.null().optional();

const WebSearch = z.strictObject({
  type: z.string(),
  // How much of a page is read is a matter of the tool that reads it.
  search_context_size: z.enum(['low', 'medium', 'high']).nullish(),
  search_content_types: z.array(z.literal('text')).nullish(),
  external_web_access: z.literal(true).nullish(),
  filters: z.strictObject({ allowed_domains: z.array(z.string().min(1)).nullish() }).nullish(),
  user_location: unset,
});

const FileSearch = z.strictObject({
  type: z.string(),
  vector_store_ids: z.array(z.string().min(1)).min(1),
  filters: unset,
  max_num_results: unset,
  ranking_options: unset,
});

const CodeInterpreter = z.looseObject({
  type: z.string(),
  container: z.looseObject({ type: z.literal('auto'), file_ids: z.array(z.unknown()).length(0).nullish() }).nullish(),
});

const McpServer = z.strictObject({
  type: z.string(),
  server_label: z.string().min(1),
  server_url: z.string().min(1),
  server_description: z.string().nullish(),
  headers: z.record(z.string(), z.string()).nullish(),
  authorization: z.string().min(1).nullish(),
  allowed_tools: z
    .union([z.array(z.string()), z.strictObject({ tool_names: z.array(z.string()), read_only: unset })])
    .nullish(),
  // Without it the vendor's service would ask for every call.
  require_approval: z.literal('never'),
  allowed_callers: unset,
  connector_id: unset,
  defer_loading: z.literal(false).nullish(),
  tunnel_id: unset,
});

const toServer = (value: unknown, path: Path): object => {
  const {
    server_label: name,
    server_url: url,
    headers,
    authorization,
    allowed_tools: allowed,
  } = readAt(McpServer, value, path);
  const names = Array.isArray(allowed) ? allowed : allowed?.tool_names;
  const bearer = authorization ? { Authorization: `Bearer ${authorization}` } : null;
  const all = { ...headers, ...bearer };
  return {
    type: 'mcp_server',
    url,
    name,
    ...present('allowed_tools', names),
    ...present('headers', Object.keys(all).length === 0 ? null : all),
  };
};

const typeOf = (value: unknown): string => {
  const type: unknown = isRecord(value) ? value['type'] : undefined;
  return typeof type === 'string' ? type : '';
};

export const isWebSearch = (value: unknown): boolean => webSearchType.test(typeOf(value));

/** In the contract's words, unchecked; null for a tool that the gateway does not run. */
const toWire = (value: unknown, path: Path): object | null => {
  switch (typeOf(value)) {
    case 'file_search': {
      const { vector_store_ids: ids } = readAt(FileSearch, value, path);
      return { type: 'file_search', stores: ids };
    }
    case 'code_interpreter':
      readAt(CodeInterpreter, value, path);
      return { type: 'code_execution' };
    case 'mcp':
      return toServer(value, path);
    default:
      if (!isWebSearch(value)) return null;
      readAt(WebSearch, value, path);
      return { type: 'web_search' };
  }
};

/** The domains that a search may cite alone; null for another tool, and without a limit. */
export const searchDomainsOf = (value: unknown, path: Path): readonly string[] | null =>
  isWebSearch(value) ? (readAt(WebSearch, value, path).filters?.allowed_domains ?? null) : null;

/** A tool that the provider or the gateway runs; null for any other. */
export const toGatewayTool = (value: unknown, path: Path): InteractionTool | null => {
  const wire = toWire(value, path);
  return wire === null ? null : interactionTool(wire, path);
};

/** Refuses a second tool of one kind, or a second server of one name. */
export const checkGatewayTools = (tools: readonly InteractionTool[]): void => {
  const names = new Set<string>();
  for (const tool of tools) {
    const name = tool.type === 'mcp_server' ? `mcp_server ${tool.name ?? ''}` : tool.type;
    if (names.has(name))
      throw new GatewayError('invalid_request', {
        detail: `The field ${fieldPath(['tools'])} holds ${tool.type} twice; accepted is each tool once.`,
      });
    names.add(name);
  }
};
