import {
  GatewayError,
  limits,
  type CatalogModel,
  type ChatMessage,
  type ChatPart,
  type ChatRequest,
} from '@tollgate/contract';
import type {
  BlobPart,
  Content,
  GenerationCall,
  GenerationTool,
  Part,
  ResponseFormat,
  Sampling,
  Thinking,
  ToolChoice,
} from '@tollgate/provider';
import { mediaPart } from '../media-json/media-part.ts';
import { present } from '../present.ts';
import { tierPart } from '../service-tier.ts';
import type { ToolContexts } from './context-seal.ts';
import type { RemoteImages } from './remote-images.ts';

/** Files of the project that the conversation names, by id. */
type NamedFiles = ReadonlyMap<string, BlobPart>;

/** What the conversation has without holding it. */
interface NamedMedia {
  readonly files: NamedFiles;
  readonly images: Pick<RemoteImages, 'partOf'>;
}

const toFile = (fileId: string, files: NamedFiles): Part => {
  const file = files.get(fileId);
  if (file === undefined) throw new GatewayError('not_found', { detail: 'There is no such file in this project.' });
  return file;
};

const toPart = (part: ChatPart, { files, images }: NamedMedia): Part => {
  switch (part.type) {
    case 'text':
      return { kind: 'text', text: part.text };
    case 'media': {
      const { type: _, mimeType, data, ...named } = part;
      return { ...mediaPart(mimeType, data), ...named };
    }
    case 'file':
      return toFile(part.fileId, files);
    case 'remote_image':
      return images.partOf(part);
  }
};

const toUserParts = (content: string | readonly ChatPart[], media: NamedMedia): readonly Part[] =>
  typeof content === 'string' ? [{ kind: 'text', text: content }] : content.map((part) => toPart(part, media));

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
      detail:
        'A tool message names a tool_call_id that no earlier assistant message has; accepted are results of its tool_calls.',
    });
  return name;
};

interface OpenContent {
  readonly role: 'user' | 'model';
  readonly parts: Part[];
}

/** A turn in which the model said nothing is no turn. */
const addModelTurn = (contents: OpenContent[], parts: readonly Part[]): void => {
  if (parts.length > 0) contents.push({ role: 'model', parts: [...parts] });
};

/** Turns in order; system messages are taken out and consecutive tool messages share one turn. */
const toContents = (
  messages: readonly ChatMessage[],
  contexts: ToolContexts,
  media: NamedMedia,
): readonly Content[] => {
  const contents: OpenContent[] = [];
  const names = new Map<string, string>();
  let answering = false;
  for (const message of messages) {
    switch (message.role) {
      case 'system':
        continue;
      case 'user':
        contents.push({ role: 'user', parts: [...toUserParts(message.content, media)] });
        break;
      case 'assistant':
        for (const call of message.tool_calls ?? []) names.set(call.id, call.function.name);
        addModelTurn(contents, toModelParts(message, contexts));
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

/** A search is no tool of this dialect, but a field of its own. */
const toTools = ({ tools = [], web_search_options: search }: ChatRequest): readonly GenerationTool[] => [
  ...tools.map(toTool),
  ...(search === undefined ? [] : [{ kind: 'web_search' as const }]),
];

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
    case 'json_schema':
      return { kind: 'json_schema', ...format.json_schema };
  }
};

// chat:temperature:default, G61
/**
 * What the contract adds where a client says nothing; a model that takes no temperature gets none, and so
 * does every model where the compatible mode is on.
 */
const defaultTemperature = ({ settingsRefused = [] }: CatalogModel, openaiCompat: boolean): number | undefined =>
  openaiCompat || settingsRefused.includes('temperature') ? undefined : limits.chat.temperatureDefault;

/** A penalty of 0 is none: upstreams that know no penalties are not told of it. */
const penaltyOf = (penalty: number | undefined): number | undefined => (penalty === 0 ? undefined : penalty);

const toSampling = (request: ChatRequest, temperature: number | undefined): Sampling => {
  const frequencyPenalty = penaltyOf(request.frequency_penalty);
  const presencePenalty = penaltyOf(request.presence_penalty);
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(request.top_p === undefined ? {} : { topP: request.top_p }),
    ...present('seed', request.seed),
    ...(request.stop === undefined
      ? {}
      : { stopSequences: typeof request.stop === 'string' ? [request.stop] : request.stop }),
    ...present('parallelToolCalls', request.parallel_tool_calls),
    ...(frequencyPenalty === undefined ? {} : { frequencyPenalty }),
    ...(presencePenalty === undefined ? {} : { presencePenalty }),
  };
};

const toThinking = ({ reasoning_effort: effort }: ChatRequest): Thinking | undefined => {
  if (effort === undefined) return undefined;
  return effort === 'none' ? { budgetTokens: 0 } : { level: effort };
};

// chat:message:system-merged
/** Several system messages are merged in the order sent. */
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

/** What a call takes that is not in its body. */
export interface CallSurroundings extends NamedMedia {
  /** The upstream's states of earlier tool calls. */
  readonly contexts: ToolContexts;
  /** Whether the compatible mode is on. */
  readonly openaiCompat: boolean;
}

/**
 * A chat request as the canonical call. Total: what it refuses is a conversation that answers calls never made, or names files
 * that are not there.
 */
export const toGenerationCall = (
  request: ChatRequest,
  model: CatalogModel,
  { contexts, openaiCompat, ...media }: CallSurroundings,
): Omit<GenerationCall, 'operationId'> => {
  const asked = request.max_completion_tokens ?? request.max_tokens ?? model.maxOutputTokens;
  const thinking = toThinking(request);
  return {
    upstreamModel: model.upstreamId,
    systemInstruction: toSystemInstruction(request.messages),
    contents: toContents(request.messages, contexts, media),
    tools: toTools(request),
    toolChoice: toToolChoice(request.tool_choice),
    responseFormat: toResponseFormat(request.response_format),
    sampling: toSampling(request, request.temperature ?? defaultTemperature(model, openaiCompat)),
    outputTokensMax: Math.min(asked, model.maxOutputTokens),
    ...tierPart(request.service_tier),
    ...present('endUser', request.user),
    ...(thinking === undefined ? {} : { thinking }),
  };
};
