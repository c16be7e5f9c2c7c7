import type { InteractionCall, InteractionTool, JsonObject, ToolName } from '@tollgate/provider';
import { toResponseSchema } from './response-schema.ts';

/** Tools whose steps the upstream calls by another name. */
const stepNames: Readonly<Record<ToolName, string>> = {
  code_execution: 'code_execution',
  url_context: 'url_context',
  web_search: 'google_search',
  maps: 'google_maps',
  file_search: 'file_search',
  mcp_server: 'mcp_server_tool',
  computer_use: 'computer_use',
};

/** The upstream's name of a tool in the types of its steps. */
export const stepNameOf = (tool: ToolName): string => stepNames[tool];

const toolsByStep: ReadonlyMap<string, ToolName> = new Map(
  // Sound: the keys are those of the record.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  Object.entries(stepNames).map(([tool, name]) => [name, tool as ToolName] as const),
);

/** The tool of a step's type without its ending; undefined for one that the contract does not know. */
export const toolOfStep = (name: string): ToolName | undefined => toolsByStep.get(name);

export const given = (name: string, value: unknown): JsonObject => (value === undefined ? {} : { [name]: value });

const toTool = (tool: InteractionTool): JsonObject => {
  switch (tool.kind) {
    case 'function':
      return {
        type: 'function',
        name: tool.name,
        ...given('description', tool.description),
        ...given('parameters', tool.parameters),
      };
    case 'code_execution':
    case 'url_context':
      return { type: tool.kind };
    case 'web_search':
      return { type: 'google_search' };
    case 'maps':
      return { type: 'google_maps', ...given('latitude', tool.latitude), ...given('longitude', tool.longitude) };
    case 'file_search':
      return { type: 'file_search', file_search_store_names: tool.stores.map(({ reference }) => reference) };
    case 'computer_use':
      return { type: 'computer_use', environment: tool.environment };
    case 'mcp_server':
      return {
        type: 'mcp_server',
        name: tool.name ?? 'mcp',
        url: tool.url,
        ...given('headers', tool.headers),
        ...(tool.allowedTools === undefined ? {} : { allowed_tools: [{ tools: tool.allowedTools }] }),
      };
  }
};

export const toTools = (tools: readonly InteractionTool[]): JsonObject =>
  tools.length === 0 ? {} : { tools: tools.map(toTool) };

/** The member `response_format`; text is what comes without it. */
export const toResponseFormat = ({ format }: Pick<InteractionCall, 'format'>): JsonObject => {
  switch (format.kind) {
    case 'text':
      return {};
    case 'json': {
      const schema = format.schema === undefined ? undefined : toResponseSchema(format.schema);
      return { response_format: { type: 'text', mime_type: 'application/json', ...given('schema', schema) } };
    }
    case 'image': {
      const { aspectRatio, resolution } = format;
      return {
        response_format: { type: 'image', ...given('aspect_ratio', aspectRatio), ...given('image_size', resolution) },
      };
    }
    case 'audio':
      return { response_format: { type: 'audio' } };
    case 'video': {
      const { aspectRatio, resolution } = format;
      return {
        response_format: { type: 'video', ...given('aspect_ratio', aspectRatio), ...given('resolution', resolution) },
      };
    }
  }
};
