import {
  cameAs,
  fieldPath,
  GatewayError,
  imageTypes,
  isMediaOf,
  isRecord,
  mediaTypeByExtension,
  mediaTypes,
  readAt,
  readDeclared,
  type MediaType,
  type Path,
} from '@tollgate/contract';
import type { Content } from '@tollgate/provider';
import type { CallParts, ReadingPolicy } from '../../generation/generation-dialect.ts';
import {
  createConversation,
  inlineMedia,
  ready,
  textPart,
  thoughtPart,
  unsupportedContent,
  type OpenConversation,
  type OpenPart,
  type Reading,
} from '../../generation/open-turns.ts';
import { customArguments } from './custom-input.ts';
import { CallItem, MessageItem, type ContentPart } from './response-body.ts';
import { present } from '../../../present.ts';

type Image = Extract<ContentPart, { readonly type: 'input_image' }>;
type File = Extract<ContentPart, { readonly type: 'input_file' }>;

const toImage = (part: Image, path: Path, { references }: Reading): OpenPart => {
  const { image_url: url, file_id: fileId, detail } = part;
  if (typeof fileId === 'string') return references.file(fileId, [...path, 'file_id']);
  const where = [...path, 'image_url'];
  const { declared, data } = readDeclared(url ?? '');
  const type = declared === null ? undefined : imageTypes.get(declared);
  if (type === undefined)
    throw new GatewayError('invalid_image', {
      detail: `The field ${fieldPath(where)} ${cameAs(url, false)}; accepted is an inline PNG, JPEG or WebP data URL in base64, or file_id.`,
    });
  const open = inlineMedia(type, data, where);
  return (parts) => ({ ...open(parts), ...present('detail', detail) });
};

const typeOfFile = (declared: string | null, filename: string): MediaType | undefined => {
  if (declared !== null) return mediaTypes.get(declared);
  return mediaTypeByExtension.get(filename.slice(filename.lastIndexOf('.') + 1).toLowerCase());
};

const toFile = (part: File, path: Path, { references }: Reading): OpenPart => {
  const { file_data: content, file_id: fileId, filename } = part;
  if (typeof fileId === 'string') return references.file(fileId, [...path, 'file_id']);
  const where = [...path, 'file_data'];
  const { declared, data } = readDeclared(content ?? '');
  const type = typeOfFile(declared, filename ?? '');
  if (type === undefined)
    throw unsupportedContent(
      where,
      `${cameAs(content, false)} of no type that is known; accepted is a base64 data URL, or file_id.`,
    );
  const open = inlineMedia(type, data, where);
  return (parts) => ({ ...open(parts), ...present('filename', filename) });
};

const toPart = (part: ContentPart, path: Path, reading: Reading): readonly OpenPart[] => {
  switch (part.type) {
    case 'input_image':
      return [toImage(part, path, reading)];
    case 'input_file':
      return [toFile(part, path, reading)];
    case 'refusal':
      return textPart(part.refusal);
    case 'input_text':
    case 'output_text':
    case 'text':
      return textPart(part.text);
  }
};

type Contents = string | readonly ContentPart[];

const partsOf = (content: Contents, path: Path, reading: Reading): readonly OpenPart[] =>
  typeof content === 'string'
    ? textPart(content)
    : content.flatMap((part, index) => toPart(part, [...path, index], reading));

const textOf = (content: Contents): string => {
  if (typeof content === 'string') return content;
  return content.map((part) => ('text' in part && typeof part.text === 'string' ? part.text : '')).join('');
};

const isMedia = ({ type }: ContentPart): boolean => type === 'input_image' || type === 'input_file';

/** What a tool returned beside text follows its result in the same turn. */
const toResult = (callId: string, output: Contents, path: Path, reading: Reading): readonly OpenPart[] => {
  const media =
    typeof output === 'string'
      ? []
      : output.flatMap((part, index) => (isMedia(part) ? toPart(part, [...path, 'output', index], reading) : []));
  return [reading.references.result(callId, textOf(output), [...path, 'call_id']), ...media];
};

/** An image that the model made, with the state that its upstream wants back. Its bytes tell its type. */
const toDrawn = (item: Extract<CallItem, { type: 'image_generation_call' }>, path: Path, { unseal }: Reading) => {
  const { result: data, encrypted_content: sealed } = item;
  if (!data) return [];
  const where = [...path, 'result'];
  const type = [...imageTypes.values()].find((each) => isMediaOf(data, each));
  if (type === undefined)
    throw new GatewayError('invalid_image', {
      detail: `The field ${fieldPath(where)} is no whole image; accepted is the base64 of a PNG, JPEG or WebP image.`,
    });
  const open = inlineMedia(type, data, where);
  const context = sealed ? unseal(sealed) : null;
  return [(parts: CallParts) => ({ ...open(parts), ...present('context', context) })];
};

type SearchItem = Extract<CallItem, { type: 'web_search_call' | 'file_search_call' | 'mcp_list_tools' }>;
type SingleItem = Exclude<CallItem, SearchItem | { readonly type: 'mcp_call' }>;

interface Said {
  readonly role: Content['role'];
  readonly parts: readonly OpenPart[];
}

const summaryOf = ({ summary }: Extract<CallItem, { type: 'reasoning' }>): string =>
  (summary ?? []).map(({ text }) => text).join('\n\n');

const toCode = ({ id, code, outputs }: Extract<CallItem, { type: 'code_interpreter_call' }>): readonly OpenPart[] => {
  const output = (outputs ?? []).map(({ logs }) => logs ?? '').join('');
  return [
    ready({ kind: 'executable_code', id, language: 'PYTHON', code: code ?? '' }),
    ready({ kind: 'code_execution_result', id, outcome: 'ok', output }),
  ];
};

/** A call that the gateway made of a server, and what that returned, as the model knows it: a function and its result. */
const sayServerCall = (item: Extract<CallItem, { type: 'mcp_call' }>, path: Path, { references }: Reading) => {
  const { id, name, arguments: args, output, error } = item;
  const told = output ?? JSON.stringify({ error: error ?? 'The call was not carried out.' });
  return [
    { role: 'model', parts: [references.call(id, name, args)] },
    { role: 'user', parts: [references.result(id, told, [...path, 'id'])] },
  ] as const;
};

const sayCall = (item: SingleItem, path: Path, reading: Reading): Said => {
  const { references } = reading;
  switch (item.type) {
    case 'function_call':
      return { role: 'model', parts: [references.call(item.call_id, item.name, item.arguments)] };
    case 'custom_tool_call':
      return { role: 'model', parts: [references.call(item.call_id, item.name, customArguments(item.input))] };
    case 'function_call_output':
    case 'custom_tool_call_output':
      return { role: 'user', parts: toResult(item.call_id, item.output, path, reading) };
    case 'reasoning':
      return { role: 'model', parts: thoughtPart(summaryOf(item), item.encrypted_content ?? '', reading) };
    case 'code_interpreter_call':
      return { role: 'model', parts: toCode(item) };
    case 'image_generation_call':
      return { role: 'model', parts: toDrawn(item, path, reading) };
  }
};

const isSearch = (item: CallItem): item is SearchItem =>
  item.type === 'web_search_call' || item.type === 'file_search_call' || item.type === 'mcp_list_tools';

/** What an item says, turn by turn. */
const sayItem = (item: CallItem, path: Path, reading: Reading): readonly Said[] => {
  if (isSearch(item)) return [];
  return item.type === 'mcp_call' ? sayServerCall(item, path, reading) : [sayCall(item, path, reading)];
};

/** A message may be written without its type. */
const isMessage = (item: unknown): boolean =>
  isRecord(item) && (item['type'] === 'message' || (item['type'] === undefined && item['role'] !== undefined));

/** Reads the input of a request: a text of the user, or the items of a conversation. */
export const readInput = (input: unknown, { unseal, messagesMax }: ReadingPolicy): OpenConversation => {
  const conversation = createConversation();
  const reading: Reading = { unseal, references: conversation.references };
  if (typeof input === 'string') conversation.say('user', textPart(input));
  else if (!Array.isArray(input) || input.length > messagesMax)
    throw new GatewayError('invalid_messages', {
      detail: `The field input ${cameAs(input, false)}; accepted is text, or a list of at most ${messagesMax} items.`,
    });
  else
    for (const [index, item] of input.entries()) {
      const path = ['input', index];
      if (!isMessage(item)) {
        const said = sayItem(readAt(CallItem, item, path), path, reading);
        for (const { role, parts } of said) conversation.say(role, parts);
        continue;
      }
      const { role, content } = readAt(MessageItem, item, path);
      if (role === 'system' || role === 'developer') conversation.instruct(textOf(content));
      else conversation.say(role === 'user' ? 'user' : 'model', partsOf(content, [...path, 'content'], reading));
    }
  return conversation.end('input');
};
