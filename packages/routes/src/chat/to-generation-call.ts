import { GatewayError, type CatalogModel, type ChatMessage, type ChatPart, type ChatRequest } from '@tollgate/contract';
import type {
  BlobPart,
  Content,
  GenerationCall,
  GenerationTool,
  Part,
  ResponseFormat,
  Sampling,
  ToolChoice,
} from '@tollgate/provider';
import { mediaPart } from '../media-json/media-part.ts';
import type { ToolContexts } from './context-seal.ts';

/** Files of the project that the conversation names, by id. */
type NamedFiles = ReadonlyMap<string, BlobPart>;

const toFile = (fileId: string, files: NamedFiles): Part => {
  const file = files.get(fileId);
  if (file === undefined) throw new GatewayError('not_found', { detail: 'There is no such file in this project.' });
  return file;
};

const toPart = (part: ChatPart, files: NamedFiles): Part => {
  switch (part.type) {
    case 'text':
      return { kind: 'text', text: part.text };
    case 'media': {
      const { type: _, mimeType, data, ...named } = part;
      return { ...mediaPart(mimeType, data), ...named };
    }
    case 'file':
      return toFile(part.fileId, files);
  }
};

const toUserParts = (content: string | readonly ChatPart[], files: NamedFiles): readonly Part[] =>
  typeof content === 'string' ? [{ kind: 'text', text: content }] : content.map((part) => toPart(part, files));

const toModelParts = (
  message: Extract<ChatMessage, { role: 'assistant' }>,
  contexts: ToolContexts,
): readonly Part[] => {
  const text: readonly Part[] = message.content === null ? [] : [{ kind: 'text', text: message.content }];
  const calls = (message.tool_calls ?? []).map((call): Part => {
    const context = contexts.get(call.id);
    return {
      kind: 'function_call',
      id: call.id,
      name: call.function.name,
      arguments: call.function.arguments,
      ...(context === undefined ? {} : { context }),
    };
  });
  return [...text, ...calls];
};

/** The name of the function that a tool message answers: that of the call it names, which must have come before. */
const nameOfCall = (names: ReadonlyMap<string, string>, callId: string): string => {
  const name = names.get(callId);
  if (name === undefined)
    throw new GatewayError('invalid_messages', {
      detail: 'A tool message must answer a tool call of an earlier assistant message.',
    });
  return name;
};

/** Turns in order; system messages are taken out and consecutive tool messages share one turn. */
const toContents = (
  messages: readonly ChatMessage[],
  contexts: ToolContexts,
  files: NamedFiles,
): readonly Content[] => {
  const contents: { readonly role: 'user' | 'model'; readonly parts: Part[] }[] = [];
  const names = new Map<string, string>();
  let answering = false;
  for (const message of messages) {
    switch (message.role) {
      case 'system':
        continue;
      case 'user':
        contents.push({ role: 'user', parts: [...toUserParts(message.content, files)] });
        break;
      case 'assistant':
        for (const call of message.tool_calls ?? []) names.set(call.id, call.function.name);
        contents.push({ role: 'model', parts: [...toModelParts(message, contexts)] });
        break;
      case 'tool': {
        const id = message.tool_call_id;
        const part: Part = { kind: 'function_response', id, name: nameOfCall(names, id), response: message.content };
        const turn = contents.at(-1);
        if (answering && turn !== undefined) turn.parts.push(part);
        else contents.push({ role: 'user', parts: [part] });
        break;
      }
    }
    answering = message.role === 'tool';
  }
  return contents;
};

const toTool = (tool: NonNullable<ChatRequest['tools']>[number]): GenerationTool => {
  switch (tool.type) {
    case 'function': {
      const { strict, ...declared } = tool.function;
      return { kind: 'function', ...declared, ...(typeof strict === 'boolean' ? { strict } : {}) };
    }
    case 'code_execution':
      return { kind: 'code_execution' };
    case 'url_context':
      return { kind: 'url_context' };
  }
};

const toToolChoice = (choice: ChatRequest['tool_choice']): ToolChoice => {
  if (choice === undefined) return { kind: 'auto' };
  return typeof choice === 'string' ? { kind: choice } : { kind: 'function', name: choice.function.name };
};

const toResponseFormat = (format: ChatRequest['response_format']): ResponseFormat => {
  switch (format?.type) {
    case undefined:
    case 'text':
      return { kind: 'text' };
    case 'json_object':
      return { kind: 'json_object' };
    case 'json_schema': {
      const { strict, ...schema } = format.json_schema;
      return { kind: 'json_schema', ...schema, ...(typeof strict === 'boolean' ? { strict } : {}) };
    }
  }
};

const toSampling = (request: ChatRequest): Sampling => ({
  temperature: request.temperature,
  ...(request.top_p === undefined ? {} : { topP: request.top_p }),
  ...(request.seed === undefined ? {} : { seed: request.seed }),
  ...(request.stop === undefined
    ? {}
    : { stopSequences: typeof request.stop === 'string' ? [request.stop] : request.stop }),
  ...(request.parallel_tool_calls === undefined ? {} : { parallelToolCalls: request.parallel_tool_calls }),
});

/** Several system messages are merged in the order sent (chat:message:system-merged). */
const toSystemInstruction = (messages: readonly ChatMessage[]): string | null => {
  const texts = messages.flatMap((message) => (message.role === 'system' ? [message.content] : []));
  return texts.length === 0 ? null : texts.join('\n\n');
};

/** The ids of the files of the project that a conversation names. */
export const fileIdsOf = ({ messages }: ChatRequest): readonly string[] =>
  messages.flatMap((message) =>
    message.role === 'user' && typeof message.content !== 'string'
      ? message.content.flatMap((part) => (part.type === 'file' ? [part.fileId] : []))
      : [],
  );

/**
 * A chat request as the canonical call. Total: what it refuses is a conversation that answers calls never made, or names files
 * that are not there.
 */
export const toGenerationCall = (
  request: ChatRequest,
  model: CatalogModel,
  contexts: ToolContexts,
  files: NamedFiles,
): Omit<GenerationCall, 'operationId'> => {
  const asked = request.max_completion_tokens ?? request.max_tokens ?? model.maxOutputTokens;
  return {
    upstreamModel: model.upstreamId,
    systemInstruction: toSystemInstruction(request.messages),
    contents: toContents(request.messages, contexts, files),
    tools: (request.tools ?? []).map(toTool),
    toolChoice: toToolChoice(request.tool_choice),
    responseFormat: toResponseFormat(request.response_format),
    sampling: toSampling(request),
    outputTokensMax: Math.min(asked, model.maxOutputTokens),
    ...(request.user === undefined ? {} : { endUser: request.user }),
  };
};
