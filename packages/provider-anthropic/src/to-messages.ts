import {
  asObject,
  parseClientJson,
  type Content,
  type FunctionCallPart,
  type FunctionResponsePart,
  type JsonObject,
  type Part,
} from '@tollgate/provider';
import { toCacheControl } from './cache-control.ts';
import { toCodeBlocks } from './code-blocks.ts';
import { toMediaBlock } from './media-block.ts';
import { readCallContext, readThoughtContext, type ThoughtState } from './turn-state.ts';
import type { WireMessage } from './wire-message.ts';

/**
 * Writes turns in order. Turns of one role that follow each other are one message, and all results of functions stand at its
 * beginning, as this upstream wants them. A turn of which nothing is left to say is left out.
 */
export const toMessages = (contents: readonly Content[], keepsMarks: boolean): readonly WireMessage[] => {
  const messages: { readonly role: WireMessage['role']; content: readonly JsonObject[] }[] = [];
  for (const { role, parts } of contents) {
    const content = role === 'model' ? toAssistantBlocks(parts, keepsMarks) : toUserBlocks(parts, keepsMarks);
    const wireRole = role === 'model' ? 'assistant' : 'user';
    const last = messages.at(-1);
    if (last?.role === wireRole) last.content = joined(wireRole, last.content, content);
    else if (content.length > 0) messages.push({ role: wireRole, content });
  }
  return messages;
};

const isResult = (block: JsonObject): boolean => block['type'] === 'tool_result';

const joined = (
  role: WireMessage['role'],
  before: readonly JsonObject[],
  after: readonly JsonObject[],
): readonly JsonObject[] => (role === 'assistant' ? [...before, ...after] : resultsFirst([...before, ...after]));

const resultsFirst = (blocks: readonly JsonObject[]): readonly JsonObject[] => [
  ...blocks.filter(isResult),
  ...blocks.filter((block) => !isResult(block)),
];

const toUserBlocks = (parts: readonly Part[], keepsMarks: boolean): readonly JsonObject[] =>
  resultsFirst(parts.flatMap((part) => marked(toUserBlock(part), keepsMarks ? part : undefined)));

const toUserBlock = (part: Part): readonly JsonObject[] => {
  switch (part.kind) {
    case 'text':
      return toText(part.text);
    case 'media':
    case 'blob':
      return [toMediaBlock(part)];
    case 'function_response':
      return [toResult(part)];
    case 'function_call':
    case 'executable_code':
    case 'code_execution_result':
      return [];
  }
};

/** The blocks of a part, of which the last has the mark of the part. */
const marked = (blocks: readonly JsonObject[], part: Part | undefined): readonly JsonObject[] => {
  const mark = toCacheControl(part?.cache);
  const last = blocks.at(-1);
  // A thought cannot be marked.
  if (mark === undefined || last === undefined || isThought(last)) return blocks;
  return [...blocks.slice(0, -1), { ...last, cache_control: mark }];
};

/** This upstream refuses a text of nothing. */
const toText = (text: string): readonly JsonObject[] => (text === '' ? [] : [{ type: 'text', text }]);

const toAssistantBlocks = (parts: readonly Part[], keepsMarks: boolean): readonly JsonObject[] => {
  const blocks = parts.flatMap((part) => marked(toAssistantBlock(part, parts), keepsMarks ? part : undefined));
  // A client that brings its thoughts back has them in their places; the copy on a call is for the others.
  if (blocks.some(isThought)) return blocks;
  const calls = parts.filter((part) => part.kind === 'function_call');
  return [...readCallContext(calls).flatMap(toThought), ...blocks];
};

const toAssistantBlock = (part: Part, parts: readonly Part[]): readonly JsonObject[] => {
  switch (part.kind) {
    case 'text':
      return part.thought === true ? toThought(readThoughtContext(part.context, part.text)) : toText(part.text);
    case 'function_call':
      return [toCall(part)];
    case 'executable_code':
      return toCodeBlocks(part, parts);
    case 'code_execution_result':
    case 'function_response':
    case 'media':
    case 'blob':
      return [];
  }
};

const isThought = ({ type }: JsonObject): boolean => type === 'thinking' || type === 'redacted_thinking';

/** A thought without a signature of this upstream is another model's, and is left out. */
const toThought = (state: ThoughtState | undefined): readonly JsonObject[] => {
  if (state === undefined) return [];
  if (state.kind === 'redacted') return [{ type: 'redacted_thinking', data: state.data }];
  return [{ type: 'thinking', thinking: state.thinking, signature: state.signature }];
};

const toCall = (call: FunctionCallPart): JsonObject => ({
  type: 'tool_use',
  id: toWireId(call.id),
  name: call.name,
  input: readArguments(call.arguments) ?? {},
});

const toResult = ({ id, response }: FunctionResponsePart): JsonObject => ({
  type: 'tool_result',
  tool_use_id: toWireId(id),
  content: response === '' ? undefined : response,
});

const wireId = /^[a-zA-Z0-9_-]+$/;

/** An id of another upstream may have characters that this one refuses; the same id is written the same way on both sides. */
const toWireId = (id: string): string => (wireId.test(id) ? id : Buffer.from(id).toString('base64url'));

/** The arguments of a call, which must be an object; none are an empty one. Undefined where they are something else. */
export const readArguments = (text: string): JsonObject | undefined =>
  text.trim() === '' ? {} : asObject(parseClientJson(text));
