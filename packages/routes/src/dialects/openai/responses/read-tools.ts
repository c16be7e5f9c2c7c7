import {
  chatBounds,
  checkClientSchema,
  GatewayError,
  isRecord,
  listError,
  readAt,
  type InteractionTool,
  type Path,
} from '@tollgate/contract';
import { fieldPath } from '@tollgate/contract';
import type { GenerationTool } from '@tollgate/provider';
import { checkFunctions } from '../../generation/check-functions.ts';
import { customArgument } from './custom-input.ts';
import { checkGatewayTools, isWebSearch, searchDomainsOf, toGatewayTool } from './gateway-tools.ts';
import { imageToolType, type OfferedImageTool } from './image-tool.ts';
import { CustomTool, FunctionTool, Namespace } from './response-body.ts';
import { present } from '../../../present.ts';

/** Clients offer these unasked. A model does without them, and the response does not list them. */
const droppedTools = /^(?:tool_search|local_shell)$/;

const toCustom = (value: unknown, path: Path): GenerationTool => {
  const { name, description } = readAt(CustomTool, value, path);
  const input = { type: 'string', description: 'The whole input of the tool, as free text.' };
  return {
    kind: 'function',
    name,
    ...present('description', description),
    parameters: { type: 'object', properties: { [customArgument]: input }, required: [customArgument] },
  };
};

const toFunction = (value: unknown, path: Path): GenerationTool => {
  const { name, description, parameters, strict } = readAt(FunctionTool, value, path);
  checkClientSchema(parameters, [...path, 'parameters']);
  return {
    kind: 'function',
    name,
    ...present('description', description),
    ...present('parameters', parameters),
    ...present('strict', strict),
  };
};

const refuse = (type: unknown, path: Path): GatewayError =>
  new GatewayError('unsupported_parameter', {
    detail: `The field ${fieldPath([...path, 'type'])} is ${typeof type === 'string' ? JSON.stringify(type.slice(0, 64)) : 'missing'}, a tool that this route does not run; accepted are function, custom, namespace, web_search, file_search, code_interpreter, image_generation and mcp.`,
  });

/** How the name of a function is shown to a client that declared it in another form. */
export interface DeclaredName {
  readonly custom?: true;
  readonly namespace?: string;
}

export interface ReadTools {
  readonly tools: readonly GenerationTool[];
  /** Tools that the provider or the gateway runs, and those of them that the client offers unasked. */
  readonly gatewayTools: readonly InteractionTool[];
  readonly offeredTools: readonly InteractionTool[];
  /** Those by which the model draws, where it can; they are not listed. */
  readonly imageTools: readonly OfferedImageTool[];
  /** Of which alone a search may cite pages; null without a limit. */
  readonly searchDomains: readonly string[] | null;
  /** By the name of the function. */
  readonly names: Readonly<Record<string, DeclaredName>>;
  /** As the response lists them: without those that were dropped. */
  readonly listed: readonly unknown[];
}

interface Gathering {
  readonly tools: GenerationTool[];
  readonly gatewayTools: InteractionTool[];
  readonly offeredTools: InteractionTool[];
  readonly imageTools: OfferedImageTool[];
  searchDomains: readonly string[] | null;
  readonly names: Map<string, DeclaredName>;
  readonly listed: unknown[];
}

const read = ({ names, ...gathered }: Gathering): ReadTools => ({ ...gathered, names: Object.fromEntries(names) });

const note = ({ tools, names }: Gathering, tool: GenerationTool, declared: DeclaredName): void => {
  tools.push(tool);
  if (tool.kind === 'function' && Object.keys(declared).length > 0) names.set(tool.name, declared);
};

const takeTool = (gathering: Gathering, value: unknown, path: Path, declared: DeclaredName): void => {
  const type = isRecord(value) ? value['type'] : undefined;
  switch (type) {
    case 'function':
      return note(gathering, toFunction(value, path), declared);
    case 'custom':
      return note(gathering, toCustom(value, path), { ...declared, custom: true });
    default:
      throw refuse(type, path);
  }
};

const takeNamespace = (gathering: Gathering, value: unknown, path: Path): void => {
  const { name, tools } = readAt(Namespace, value, path);
  for (const [index, tool] of tools.entries())
    takeTool(gathering, tool, [...path, 'tools', index], { namespace: name });
};

/**
 * Reads the tools of a request. One that the gateway cannot run is refused by name, unless clients offer it unasked; `isOffered` says
 * that the client offers a search of the web with every request, whatever it is about.
 */
export const readTools = (value: unknown, isOffered: boolean): ReadTools => {
  const gathering: Gathering = {
    tools: [],
    gatewayTools: [],
    offeredTools: [],
    imageTools: [],
    searchDomains: null,
    names: new Map(),
    listed: [],
  };
  if (value === undefined || value === null) return read(gathering);
  if (!Array.isArray(value) || value.length > chatBounds.toolsMax)
    throw listError(['tools'], value, [0, chatBounds.toolsMax]);
  for (const [index, tool] of value.entries()) {
    const type: unknown = isRecord(tool) ? tool['type'] : undefined;
    if (typeof type === 'string' && droppedTools.test(type)) continue;
    const path = ['tools', index];
    if (type === imageToolType) {
      gathering.imageTools.push({ tool, path });
      continue;
    }
    if (isOffered && isWebSearch(tool)) {
      gathering.offeredTools.push({ type: 'web_search' });
      continue;
    }
    const gatewayTool = toGatewayTool(tool, path);
    gathering.searchDomains ??= searchDomainsOf(tool, path);
    if (gatewayTool !== null) gathering.gatewayTools.push(gatewayTool);
    else if (type === 'namespace') takeNamespace(gathering, tool, path);
    else takeTool(gathering, tool, path, {});
    gathering.listed.push(tool);
  }
  checkFunctions(gathering.tools);
  checkGatewayTools(gathering.gatewayTools);
  return read(gathering);
};
