import type { GenerationCall, GenerationTool, JsonObject } from '@tollgate/provider';

type FunctionTool = Extract<GenerationTool, { kind: 'function' }>;
type ServerTool = Exclude<GenerationTool, { kind: 'function' }>;

/** The functions that may be called: this upstream takes one name in a choice, or none. */
export const offeredFunctions = ({
  tools,
  toolChoice,
}: Pick<GenerationCall, 'tools' | 'toolChoice'>): readonly FunctionTool[] => {
  const declared = tools.filter((tool) => tool.kind === 'function');
  const names = toolChoice.kind === 'required' || toolChoice.kind === 'validated' ? toolChoice.names : undefined;
  return names === undefined ? declared : declared.filter(({ name }) => names.includes(name));
};

/** The tools of a request. */
export const toTools = (call: GenerationCall): readonly JsonObject[] => {
  const isStrict = call.toolChoice.kind === 'validated';
  return [
    ...offeredFunctions(call).map((tool) => toTool(tool, isStrict)),
    ...call.tools.filter((tool) => tool.kind !== 'function').map(toServerTool),
  ];
};

/** Searches and pages of one call at the most: as many as the gateway reserves for where nothing else is said. */
const searchesMax = 8;
const fetchesMax = 20;

const toServerTool = (tool: ServerTool): JsonObject => {
  switch (tool.kind) {
    case 'code_execution':
      return { type: 'code_execution_20250825', name: 'code_execution' };
    case 'url_context':
      return { type: 'web_fetch_20250910', name: 'web_fetch', max_uses: fetchesMax };
    case 'web_search':
      return {
        type: 'web_search_20250305',
        name: 'web_search',
        max_uses: tool.usesMax ?? searchesMax,
        allowed_domains: tool.allowedDomains,
        blocked_domains: tool.blockedDomains,
      };
  }
};

/** What a function returns has no place here: it is a hint. */
const toTool = ({ name, description, parameters, strict }: FunctionTool, isStrict: boolean): JsonObject => ({
  name,
  description,
  // The schema must say that it is of an object.
  input_schema: { type: 'object', ...parameters },
  strict: isStrict ? true : strict,
});

/** The choice among them. */
export const toToolChoice = ({ toolChoice, sampling }: GenerationCall): JsonObject => {
  const serial = { disable_parallel_tool_use: sampling.parallelToolCalls === false ? true : undefined };
  switch (toolChoice.kind) {
    case 'auto':
    case 'validated':
      return { type: 'auto', ...serial };
    case 'none':
      return { type: 'none' };
    case 'required':
      return { type: 'any', ...serial };
    case 'function':
      return { type: 'tool', name: toolChoice.name, ...serial };
  }
};
