import type { Content, FunctionCallPart, GenerationCall, JsonObject, Part } from '@tollgate/provider';
import { readCallContext } from './call-context.ts';
import { toMediaPart } from './media-part.ts';

/** What differs between upstreams of this family. */
export interface ToOpenaiOptions {
  /** `max_tokens` is taken by every compatible server, `max_completion_tokens` by newer models of the original one. */
  readonly tokenLimitField: 'max_tokens' | 'max_completion_tokens';
  /** Some reasoning models refuse any temperature. */
  readonly temperature: 'sent' | 'left_out';
}

/** Writes a call as the body of `POST /chat/completions`. Total and pure; what it cannot carry `cannotSend` tells. */
export const toOpenai = (call: GenerationCall, options: ToOpenaiOptions): JsonObject => ({
  model: call.upstreamModel,
  messages: [
    ...(call.systemInstruction === null ? [] : [{ role: 'system', content: call.systemInstruction }]),
    ...call.contents.flatMap(toMessages),
  ],
  ...toSampling(call, options),
  [options.tokenLimitField]: call.outputTokensMax,
  ...toTools(call),
  ...toResponseFormat(call),
  ...(call.endUser === undefined ? {} : { user: call.endUser }),
});

/** Why a call cannot be carried by chat completions; undefined where it can. */
export const cannotSend = (call: GenerationCall): string | undefined => {
  if (call.tools.some((tool) => tool.kind !== 'function')) return 'built-in tools are not offered by chat completions';
  const modelMedia = call.contents.some(
    (content) => content.role === 'model' && content.parts.some((part) => part.kind === 'media'),
  );
  return modelMedia ? 'media of the model cannot be sent back to chat completions' : undefined;
};

const toMessages = (content: Content): readonly JsonObject[] =>
  content.role === 'model' ? toAssistantMessage(content.parts) : toUserMessages(content.parts);

const toAssistantMessage = (parts: readonly Part[]): readonly JsonObject[] => {
  const text = parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
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
  ...(extraContent === undefined ? {} : { extra_content: extraContent }),
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
    } else if (part.kind === 'media') {
      content.push(toMediaPart(part));
    }
  }
  const only = content.length === 1 ? content[0] : undefined;
  if (only !== undefined && only['type'] === 'text') messages.push({ role: 'user', content: only['text'] });
  else if (content.length > 0) messages.push({ role: 'user', content });
  return messages;
};

const toSampling = ({ sampling }: GenerationCall, options: ToOpenaiOptions): JsonObject => ({
  ...(options.temperature === 'sent' ? { temperature: sampling.temperature } : {}),
  ...(sampling.topP === undefined ? {} : { top_p: sampling.topP }),
  ...(sampling.seed === undefined ? {} : { seed: sampling.seed }),
  ...(sampling.stopSequences === undefined || sampling.stopSequences.length === 0
    ? {}
    : { stop: sampling.stopSequences }),
});

const toTools = (call: GenerationCall): JsonObject => {
  const tools: JsonObject[] = [];
  for (const tool of call.tools) {
    if (tool.kind !== 'function') continue;
    const { kind: _kind, ...declaration } = tool;
    tools.push({ type: 'function', function: declaration });
  }
  if (tools.length === 0) return {};
  const choice = call.toolChoice;
  return {
    tools,
    // Sent even when `auto`, because some servers take `none` as their default.
    tool_choice: choice.kind === 'function' ? { type: 'function', function: { name: choice.name } } : choice.kind,
    ...(call.sampling.parallelToolCalls === undefined ? {} : { parallel_tool_calls: call.sampling.parallelToolCalls }),
  };
};

const toResponseFormat = ({ responseFormat }: GenerationCall): JsonObject => {
  if (responseFormat.kind === 'text') return {};
  if (responseFormat.kind === 'json_object') return { response_format: { type: 'json_object' } };
  const { kind: _kind, ...schema } = responseFormat;
  return { response_format: { type: 'json_schema', json_schema: schema } };
};
