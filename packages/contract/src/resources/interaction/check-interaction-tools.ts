import { checkClientSchema } from '../../fields/client-schema.ts';
import { fieldPath } from '../../fields/field-path.ts';
import type { Path } from '../../fields/field-fault.ts';
import { GatewayError } from '../../http/gateway-error.ts';
import type { InteractionTool } from './interaction-tool.ts';
import { isUuid } from '../../is-uuid.ts';

const invalid = (path: Path, why: string): GatewayError =>
  new GatewayError('invalid_request', { detail: `The field ${fieldPath(path)} ${why}` });

/** Addresses of MCP servers: what they lead to is checked when they are called. */
const checkUrl = (text: string, path: Path): void => {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw invalid(path, 'is no such address; accepted is an http or https address.');
  if (url.username !== '' || url.password !== '')
    throw invalid(path, 'holds credentials; accepted is an address without: send them as headers.');
};

const checkTool = (tool: InteractionTool, path: Path): void => {
  switch (tool.type) {
    case 'function':
      checkClientSchema(tool.parameters, [...path, 'parameters']);
      break;
    case 'maps':
      if ((tool.latitude === undefined) !== (tool.longitude === undefined))
        throw invalid(path, 'holds one of latitude and longitude; accepted are both, or neither.');
      break;
    case 'file_search':
      // A name that is no uuid is answered like an unknown one [errors:path:unknown].
      if (!tool.stores.every((id) => isUuid(id)))
        throw new GatewayError('not_found', { detail: 'There is no such store in this project.' });
      break;
    case 'mcp_server':
      checkUrl(tool.url, [...path, 'url']);
      break;
    case 'web_search':
    case 'code_execution':
    case 'url_context':
    case 'computer_use':
    case 'host_tool':
      break;
  }
};

/** By what a tool may be there only once: functions, servers and tools of the host have names, all others are alone of their kind. */
const nameOf = (tool: InteractionTool): string => {
  if (tool.type === 'function' || tool.type === 'host_tool') return `${tool.type} ${tool.name}`;
  return tool.type === 'mcp_server' ? `mcp_server ${tool.name ?? tool.url}` : tool.type;
};

/** The rules between tools, and what a schema cannot say of one. */
export const checkInteractionTools = (tools: readonly InteractionTool[]): void => {
  const names = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    const name = nameOf(tool);
    if (names.has(name)) throw invalid(['tools', index], 'repeats an earlier tool; accepted is each tool once.');
    names.add(name);
    checkTool(tool, ['tools', index]);
  }
};

/** An agent's tools followed by those of a request, of which those stand that both name (D2). */
export const mergeInteractionTools = (
  agent: readonly InteractionTool[],
  request: readonly InteractionTool[],
): readonly InteractionTool[] => {
  const named = new Set(request.map(nameOf));
  return [...agent.filter((tool) => !named.has(nameOf(tool))), ...request];
};
