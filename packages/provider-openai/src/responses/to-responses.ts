import type { GenerationCall, GenerationTool, JsonObject, ToolChoice } from '@tollgate/provider';
import { toEffort, toServiceTier, type ToOpenaiOptions } from '../to-openai.ts';
import { toInputItems } from './to-input-items.ts';

const toTool = (tool: GenerationTool, choice: ToolChoice): JsonObject => {
  switch (tool.kind) {
    case 'function':
      return {
        type: 'function',
        name: tool.name,
        description: tool.description,
        parameters: tool.parameters ?? { type: 'object', properties: {} },
        // This wire takes a declaration as strict unless it says otherwise.
        strict: choice.kind === 'validated' ? true : (tool.strict ?? false),
      };
    case 'code_execution':
      return { type: 'code_interpreter', container: { type: 'auto' } };
    case 'web_search':
      return { type: 'web_search', filters: toFilters(tool) };
    case 'url_context':
      throw new RangeError('Responses read no addresses');
  }
};

const toFilters = ({
  allowedDomains,
  blockedDomains,
}: Extract<GenerationTool, { kind: 'web_search' }>): JsonObject | undefined =>
  allowedDomains === undefined && blockedDomains === undefined
    ? undefined
    : { allowed_domains: allowedDomains, blocked_domains: blockedDomains };

const allowed = (mode: 'auto' | 'required', names: readonly string[] | undefined): unknown =>
  names === undefined
    ? mode
    : { type: 'allowed_tools', mode, tools: names.map((name) => ({ type: 'function', name })) };

const toChoice = (choice: ToolChoice): unknown => {
  switch (choice.kind) {
    case 'auto':
    case 'none':
      return choice.kind;
    case 'required':
      return allowed('required', choice.names);
    case 'validated':
      return allowed('auto', choice.names);
    case 'function':
      return { type: 'function', name: choice.name };
  }
};

const toTools = ({ tools, toolChoice, sampling }: GenerationCall): JsonObject =>
  tools.length === 0
    ? {}
    : {
        tools: tools.map((tool) => toTool(tool, toolChoice)),
        tool_choice: toChoice(toolChoice),
        parallel_tool_calls: sampling.parallelToolCalls,
      };

const toFormat = ({ responseFormat }: GenerationCall): JsonObject => {
  if (responseFormat.kind === 'text') return {};
  const { kind: type, ...rest } = responseFormat;
  return { text: { format: { type, ...rest } } };
};

const toReasoning = ({ thinking }: GenerationCall): JsonObject => {
  const effort = toEffort(thinking);
  const summary = thinking?.includeThoughts === true ? 'auto' : undefined;
  return effort === undefined && summary === undefined ? {} : { reasoning: { effort, summary } };
};

/** What an answer is to hold beside what it always holds. */
const toInclude = ({ tools }: GenerationCall): readonly string[] => [
  'reasoning.encrypted_content',
  ...(tools.some(({ kind }) => kind === 'code_execution') ? ['code_interpreter_call.outputs'] : []),
];

/**
 * Writes a call as the body of `POST /responses`. Total and pure for what `cannotRespond` lets pass. Nothing is kept upstream: the
 * conversation travels whole, its reasoning sealed.
 */
export const toResponses = (
  call: GenerationCall,
  { temperature }: Pick<ToOpenaiOptions, 'temperature'>,
): JsonObject => ({
  model: call.upstreamModel,
  instructions: call.systemInstruction ?? undefined,
  input: toInputItems(call.contents),
  store: false,
  include: toInclude(call),
  max_output_tokens: call.outputTokensMax,
  temperature: temperature === 'sent' ? call.sampling.temperature : undefined,
  top_p: call.sampling.topP,
  ...toReasoning(call),
  ...toTools(call),
  ...toFormat(call),
  safety_identifier: call.endUser,
  service_tier: toServiceTier(call),
});
