import type { GenerationCall, GenerationTool, JsonObject } from '@tollgate/provider';
import type { ModelTraits } from './model-traits.ts';

type FunctionTool = Extract<GenerationTool, { kind: 'function' }>;

/** Tools that the upstream runs, by their names there. */
const ownTools = { code_execution: 'codeExecution', url_context: 'urlContext', web_search: 'googleSearch' } as const;

const toDeclaration = (tool: FunctionTool): JsonObject => ({
  name: tool.name,
  description: tool.description ?? '',
  parametersJsonSchema: tool.parameters,
  responseJsonSchema: tool.response,
});

/** The members `tools` and `toolConfig` of a request; none where there are no tools. */
export const toGoogleTools = (call: GenerationCall, traits: ModelTraits): JsonObject => {
  const functions = call.tools.filter((tool) => tool.kind === 'function');
  // The upstream's own tools know no `NONE`: they are left out.
  const own = call.toolChoice.kind === 'none' ? [] : call.tools.filter((tool) => tool.kind !== 'function');
  const tools = [
    ...own.map(({ kind }) => ({ [ownTools[kind]]: {} })),
    ...(functions.length === 0 ? [] : [{ functionDeclarations: functions.map(toDeclaration) }]),
  ];
  if (tools.length === 0) return {};
  if (functions.length === 0) return { tools };
  const isMixed = own.length > 0 && traits.signedCalls;
  const isStrict = isMixed || functions.some(({ strict }) => strict === true);
  return {
    tools,
    toolConfig: {
      functionCallingConfig: toCallingConfig(call.toolChoice, isStrict),
      // Newer models take functions beside the upstream's own tools only so.
      includeServerSideToolInvocations: isMixed ? true : undefined,
    },
  };
};

const namesOf = (names: readonly string[] | undefined): JsonObject =>
  names === undefined || names.length === 0 ? {} : { allowedFunctionNames: names };

const toCallingConfig = (choice: GenerationCall['toolChoice'], isStrict: boolean): JsonObject => {
  switch (choice.kind) {
    case 'auto':
      return { mode: isStrict ? 'VALIDATED' : 'AUTO' };
    case 'none':
      return { mode: 'NONE' };
    case 'required':
      return { mode: 'ANY', ...namesOf(choice.names) };
    case 'validated':
      return { mode: 'VALIDATED', ...namesOf(choice.names) };
    case 'function':
      return { mode: 'ANY', allowedFunctionNames: [choice.name] };
  }
};
