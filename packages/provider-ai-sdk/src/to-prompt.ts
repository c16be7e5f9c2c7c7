import type {
  JSONObject,
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
} from '@ai-sdk/provider';
import {
  asObject,
  parseClientJson,
  type BlobPart,
  type Content,
  type FunctionCallPart,
  type FunctionResponsePart,
  type GenerationCall,
  type MediaPart,
  type Part,
  type TextPart,
  type UntrustedObject,
} from '@tollgate/provider';
import { toCodeCall, toCodeResult } from './code-execution.ts';
import type { LoadedMedia } from './media-bytes.ts';
import { toMediaType } from './media-type.ts';
import { readPartContext, type PartState } from './part-context.ts';
import { refuse } from './refuse.ts';
import type { Vendor } from './vendor.ts';

type AssistantPart = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'][number];
type UserPart = Extract<LanguageModelV4Message, { role: 'user' }>['content'][number];
type ToolResultPart = Extract<
  Extract<LanguageModelV4Message, { role: 'tool' }>['content'][number],
  { type: 'tool-result' }
>;

export interface PromptWorld {
  readonly vendor: Vendor;
  readonly media: LoadedMedia;
}

/** Writes the turns of a call as a prompt. Throws `NotExecuted` for what the vendor's models cannot be given. */
export const toPrompt = (call: GenerationCall, world: PromptWorld): LanguageModelV4Prompt => [
  ...(call.systemInstruction === null ? [] : [{ role: 'system' as const, content: call.systemInstruction }]),
  ...call.contents.flatMap((content) =>
    content.role === 'model' ? toAssistantMessage(content, world) : toUserMessages(content, world),
  ),
];

const optionsOf = ({ metadata }: PartState): { providerOptions?: NonNullable<PartState['metadata']> } =>
  metadata === undefined ? {} : { providerOptions: metadata };

/** Responses of functions come first, because they must follow the turn that asked for them. */
const toUserMessages = ({ parts }: Content, world: PromptWorld): readonly LanguageModelV4Message[] => {
  const results = parts.flatMap((part) =>
    part.kind === 'function_response' ? [toToolResult(part, world.vendor)] : [],
  );
  const content = parts.flatMap((part) => (part.kind === 'function_response' ? [] : [toUserPart(part, world)]));
  return [
    ...(results.length === 0 ? [] : [{ role: 'tool' as const, content: results }]),
    ...(content.length === 0 ? [] : [{ role: 'user' as const, content }]),
  ];
};

const toUserPart = (part: Exclude<Part, FunctionResponsePart>, world: PromptWorld): UserPart => {
  switch (part.kind) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'media':
    case 'blob':
      return toFilePart(part, world);
    case 'function_call':
    case 'executable_code':
    case 'code_execution_result':
      return refuse(`a ${part.kind} that the model did not make`);
  }
};

const dataOf = (part: MediaPart | BlobPart, media: LoadedMedia): string =>
  part.kind === 'media' ? part.data : (media.get(part) ?? refuse('a blob that was not read'));

const toFilePart = (part: MediaPart | BlobPart, { vendor, media }: PromptWorld): LanguageModelV4FilePart => ({
  type: 'file',
  mediaType: toMediaType(part.mimeType),
  data: { type: 'data', data: dataOf(part, media) },
  ...(part.filename === undefined ? {} : { filename: part.filename }),
  ...detailOf(part, vendor),
});

const detailOf = (
  { detail = 'auto' }: MediaPart | BlobPart,
  vendor: Vendor,
): Pick<LanguageModelV4FilePart, 'providerOptions'> => {
  if (detail === 'auto') return {};
  if (vendor !== 'openai') return refuse(`image detail ${detail}`);
  return { providerOptions: { openai: { imageDetail: detail } } };
};

// Sound: the object was parsed from JSON.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const toJson = (parsed: UntrustedObject): JSONObject => parsed as JSONObject;

/** Text is handed on as the client wrote it; Google's answers are objects, so an object stays one. */
const toToolResult = (part: FunctionResponsePart, vendor: Vendor): ToolResultPart => {
  const value = vendor === 'google' ? asObject(parseClientJson(part.response)) : undefined;
  return {
    type: 'tool-result',
    toolCallId: part.id,
    toolName: part.name,
    output: value === undefined ? { type: 'text', value: part.response } : { type: 'json', value: toJson(value) },
  };
};

const toAssistantMessage = ({ parts }: Content, world: PromptWorld): readonly LanguageModelV4Message[] => {
  const content = parts.flatMap((part) => toAssistantParts(part, parts, world));
  return content.length === 0 ? [] : [{ role: 'assistant', content }];
};

const toAssistantParts = (part: Part, turn: readonly Part[], world: PromptWorld): readonly AssistantPart[] => {
  switch (part.kind) {
    case 'text':
      return [toModelText(part)];
    case 'media':
    case 'blob':
      return [toModelFile(part, world)];
    case 'function_call':
      return toToolCall(part, turn);
    case 'executable_code':
      return [toCodeCall(part, world.vendor)];
    case 'code_execution_result':
      return [toCodeResult(part, world.vendor)];
    case 'function_response':
      return refuse('an answer of a function in a turn of the model');
  }
};

const toModelText = (part: TextPart): AssistantPart => ({
  type: part.thought === true ? 'reasoning' : 'text',
  text: part.text,
  ...optionsOf(readPartContext(part.context)),
});

/** Models of other vendors leave out what they made before, in silence. */
const toModelFile = (part: MediaPart | BlobPart, world: PromptWorld): AssistantPart => {
  if (world.vendor !== 'google') return refuse('media in a turn of the model');
  const options = optionsOf(readPartContext(part.context));
  const data = { type: 'data', data: dataOf(part, world.media) } as const;
  const mediaType = toMediaType(part.mimeType);
  return { type: part.thought === true ? 'reasoning-file' : 'file', mediaType, data, ...options };
};

/** Reasoning comes back with the first call, unless the client sent the thoughts themselves. */
const toToolCall = (part: FunctionCallPart, turn: readonly Part[]): readonly AssistantPart[] => {
  const state = readPartContext(part.context);
  const hasThoughts = turn.some((other) => other.kind === 'text' && other.thought === true);
  const reasoning = hasThoughts ? [] : (state.reasoning ?? []);
  return [
    ...reasoning.map(({ text, metadata }) => ({ type: 'reasoning' as const, text, ...optionsOf({ metadata }) })),
    {
      type: 'tool-call',
      toolCallId: part.id,
      toolName: part.name,
      input: readArguments(part.arguments),
      ...optionsOf(state),
    },
  ];
};

const readArguments = (text: string): unknown => {
  if (text.trim() === '') return {};
  return parseClientJson(text) ?? refuse('arguments of a call that are no JSON');
};
