import type {
  Content,
  FunctionCallPart,
  GenerationCall,
  GenerationTool,
  JsonObject,
  Part,
  ToolChoice,
} from '@tollgate/provider';
import { readCallContext } from './call-context.ts';
import { toMediaPart } from './media-part.ts';

type FunctionTool = Extract<GenerationTool, { kind: 'function' }>;

/** What differs between upstreams of this family. */
export interface ToOpenaiOptions {
  /** `max_tokens` is taken by every compatible server, `max_completion_tokens` by newer models of the original one. */
  readonly tokenLimitField: 'max_tokens' | 'max_completion_tokens';
  /** Some reasoning models refuse any temperature. */
  readonly temperature: 'sent' | 'left_out';
  /** `top_k` is no setting of the original, and some servers refuse what they do not know. */
  readonly topK: 'sent' | 'refused';
  /** Servers without `reasoning_effort` refuse it, or answer as if nothing had been asked for. */
  readonly reasoning: 'sent' | 'refused';
  /** Few models search, and most servers refuse `web_search_options`, or answer as if nothing had been asked for. */
  readonly webSearch: 'sent' | 'refused';
  /** Servers without service tiers refuse `service_tier`, or answer as if nothing had been asked for. */
  readonly serviceTier: 'sent' | 'refused';
}

/** Writes a call as the body of `POST /chat/completions`. Total and pure; what it cannot carry `cannotSend` tells.
 * Plain text is inlined before; the base64 of other blobs stands in it as what `encodeJson` reads. */
export const toOpenai = (call: GenerationCall, options: ToOpenaiOptions): JsonObject => ({
  model: call.upstreamModel,
  messages: [
    ...(call.systemInstruction === null ? [] : [{ role: 'system', content: call.systemInstruction }]),
    ...call.contents.flatMap(toMessages),
  ],
  ...toSampling(call, options),
  [options.tokenLimitField]: call.outputTokensMax,
  reasoning_effort: toEffort(call.thinking),
  ...toTools(call),
  ...toResponseFormat(call),
  web_search_options: options.webSearch === 'sent' && searches(call) ? {} : undefined,
  ...(call.endUser === undefined ? {} : { user: call.endUser }),
  service_tier: toServiceTier(call),
});

/** The service tier as these wires name it. What is not asked for is served as standard, so that is not sent. */
export const toServiceTier = ({ serviceTier }: Pick<GenerationCall, 'serviceTier'>): string | undefined =>
  serviceTier === 'standard' ? undefined : serviceTier;

/** Whether a call asks for a service tier that the upstream does not know. */
export const lacksTier = (
  { serviceTier = 'standard' }: Pick<GenerationCall, 'serviceTier'>,
  options: Pick<ToOpenaiOptions, 'serviceTier'>,
): boolean => serviceTier !== 'standard' && options.serviceTier === 'refused';

/** Whether the upstream is to search. This wire has no other way of saying that it is not to. */
export const searches = ({ tools, toolChoice }: GenerationCall): boolean =>
  toolChoice.kind !== 'none' && tools.some(({ kind }) => kind === 'web_search');

const toMessages = (content: Content): readonly JsonObject[] =>
  content.role === 'model' ? toAssistantMessage(content.parts) : toUserMessages(content.parts);

const toAssistantMessage = (parts: readonly Part[]): readonly JsonObject[] => {
  // Thoughts are no part of an answer, and upstreams that want theirs back get them by the context of a call.
  const text = parts.map((part) => (part.kind === 'text' && part.thought !== true ? part.text : '')).join('');
  const calls = parts.filter((part) => part.kind === 'function_call');
  if (calls.length === 0) return text === '' ? [] : [{ role: 'assistant', content: text }];
  const state = readCallContext(calls);
  const toolCalls = calls.map((call) => toToolCall(call, state.extraContent.get(call.id)));
  return [{ role: 'assistant', content: text === '' ? null : text, ...state.message, tool_calls: toolCalls }];
};

const toToolCall = (call: FunctionCallPart, extraContent: unknown): JsonObject => ({
  id: call.id,
  type: 'function',
  function: { name: call.name, arguments: call.arguments },
  extra_content: extraContent,
});

/** Tool messages come first, because they must follow the assistant message that asked for them. */
const toUserMessages = (parts: readonly Part[]): readonly JsonObject[] => {
  const messages: JsonObject[] = [];
  const content: JsonObject[] = [];
  for (const part of parts) {
    if (part.kind === 'function_response') {
      messages.push({ role: 'tool', tool_call_id: part.id, content: part.response });
    } else if (part.kind === 'text') {
      content.push({ type: 'text', text: part.text });
    } else if (part.kind === 'media' || part.kind === 'blob') {
      content.push(toMediaPart(part));
    }
  }
  const only = content.length === 1 ? content[0] : undefined;
  if (only !== undefined && only['type'] === 'text') messages.push({ role: 'user', content: only['text'] });
  else if (content.length > 0) messages.push({ role: 'user', content });
  return messages;
};

const toSampling = ({ sampling }: GenerationCall, options: ToOpenaiOptions): JsonObject => ({
  temperature: options.temperature === 'sent' ? sampling.temperature : undefined,
  top_p: sampling.topP,
  top_k: sampling.topK === undefined || options.topK === 'refused' ? undefined : sampling.topK,
  seed: sampling.seed,
  stop:
    sampling.stopSequences === undefined || sampling.stopSequences.length === 0 ? undefined : sampling.stopSequences,
  frequency_penalty: sampling.frequencyPenalty,
  presence_penalty: sampling.presencePenalty,
});

/** Up to these budgets of thoughts an effort is asked for; the effort above the last is `high`. */
const effortBudgets = [
  { budgetTokensMax: 0, effort: 'none' },
  { budgetTokensMax: 1_024, effort: 'low' },
  { budgetTokensMax: 8_192, effort: 'medium' },
] as const;

/** The effort that a call asks for; undefined leaves it to the model. */
export const toEffort = (thinking: GenerationCall['thinking']): string | undefined => {
  if (thinking?.level !== undefined) return thinking.level;
  const budgetTokens = thinking?.budgetTokens;
  // A budget below zero leaves it to the model.
  if (budgetTokens === undefined || budgetTokens < 0) return undefined;
  return effortBudgets.find(({ budgetTokensMax }) => budgetTokens <= budgetTokensMax)?.effort ?? 'high';
};

/** The functions that may be called: a choice of names has no member of the wire that every server takes. */
export const offeredFunctions = ({ tools, toolChoice }: GenerationCall): readonly FunctionTool[] => {
  const declared = tools.filter((tool) => tool.kind === 'function');
  const names = toolChoice.kind === 'required' || toolChoice.kind === 'validated' ? toolChoice.names : undefined;
  return names === undefined ? declared : declared.filter(({ name }) => names.includes(name));
};

const toTools = (call: GenerationCall): JsonObject => {
  const choice = call.toolChoice;
  const offered = offeredFunctions(call);
  if (offered.length === 0) return {};
  return {
    tools: offered.map((tool) => toTool(tool, choice)),
    // Sent even when `auto`, because some servers take `none` as their default.
    tool_choice: toToolChoice(choice),
    parallel_tool_calls: call.sampling.parallelToolCalls,
  };
};

/** Calls that must be as declared are what `strict` is for. What a function returns has no place on this wire. */
const toTool = (
  { kind: _kind, response: _response, ...declaration }: FunctionTool,
  choice: ToolChoice,
): JsonObject => ({
  type: 'function',
  function: { ...declaration, ...(choice.kind === 'validated' ? { strict: true } : {}) },
});

const toToolChoice = (choice: ToolChoice): unknown => {
  switch (choice.kind) {
    case 'auto':
    case 'none':
    case 'required':
      return choice.kind;
    case 'validated':
      return 'auto';
    case 'function':
      return { type: 'function', function: { name: choice.name } };
  }
};

const toResponseFormat = ({ responseFormat }: GenerationCall): JsonObject => {
  if (responseFormat.kind === 'text') return {};
  if (responseFormat.kind === 'json_object') return { response_format: { type: 'json_object' } };
  const { kind: _kind, ...schema } = responseFormat;
  return { response_format: { type: 'json_schema', json_schema: schema } };
};
