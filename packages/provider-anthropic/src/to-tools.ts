import type { GenerationCall, GenerationTool, JsonObject } from '@tollgate/provider';

type FunctionTool = Extract<GenerationTool, { kind: 'function' }>;

/** The functions that may be called: this upstream takes one name in a choice, or none. */
export const offeredFunctions = ({
  tools,
  toolChoice,
}: Pick<GenerationCall, 'tools' | 'toolChoice'>): readonly FunctionTool[] => {
  const declared = tools.filter((tool) => tool.kind === 'function');
  const names = toolChoice.kind === 'required' || toolChoice.kind === 'validated' ? toolChoice.names : undefined;
  return names === undefined ? declared : declared.filter(({ name }) => names.includes(name));
};

/** The members `tools` and `tool_choice` of a request; none where there are no tools. */
export const toTools = (call: GenerationCall): JsonObject => {
  const offered = offeredFunctions(call);
  if (offered.length === 0) return {};
  const isStrict = call.toolChoice.kind === 'validated';
  return { tools: offered.map((tool) => toTool(tool, isStrict)), tool_choice: toChoice(call) };
};

/** What a function returns has no place here: it is a hint. */
const toTool = ({ name, description, parameters, strict }: FunctionTool, isStrict: boolean): JsonObject => ({
  name,
  description,
  // The schema must say that it is of an object.
  input_schema: { type: 'object', ...parameters },
  strict: isStrict ? true : strict,
});

const toChoice = ({ toolChoice, sampling }: GenerationCall): JsonObject => {
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
