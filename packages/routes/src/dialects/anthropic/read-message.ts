import { cameAs, fieldPath, GatewayError, isMediaOf, isUuid, mediaTypes, readAt, type Path } from '@tollgate/contract';
import type { Content, ExecutableCodePart, Part } from '@tollgate/provider';
import { mediaPart } from '../../media-json/media-part.ts';
import type { CallParts, ReadingPolicy } from '../generation/generation-dialect.ts';
import { Message, MessageBlock, type MediaSource, type ResultBlock } from './message-body.ts';

/** A part of a turn that may need what the body does not hold. */
export type OpenPart = (parts: CallParts) => Part;

/** A turn, and the texts that belong to the instruction. */
export interface ReadTurns {
  readonly turns: readonly { readonly role: Content['role']; readonly parts: readonly OpenPart[] }[];
  readonly instructions: readonly string[];
  readonly fileIds: readonly string[];
  readonly callIds: readonly string[];
}

interface Reading extends Pick<ReadingPolicy, 'unseal'> {
  /** Names of the tools that were called so far, by the id of the call. */
  readonly called: Map<string, string>;
  readonly fileIds: string[];
}

const refused = (path: Path, why: string): GatewayError =>
  new GatewayError('unsupported_content', { detail: `The field ${fieldPath(path)} ${why}` });

const ready = (part: Part): OpenPart => () => part;
const textPart = (text: string): readonly OpenPart[] => (text === '' ? [] : [ready({ kind: 'text', text })]);

const fileOf = (fileId: string, path: Path, { fileIds }: Reading): OpenPart => {
  if (!isUuid(fileId))
    throw new GatewayError('not_found', { detail: `The file of ${fieldPath(path)} was not found in this project.` });
  fileIds.push(fileId);
  return ({ files }) => {
    const file = files.get(fileId);
    if (file === undefined) throw new GatewayError('not_found', { detail: 'There is no such file in this project.' });
    return file;
  };
};

const toMedia = (source: MediaSource, path: Path, reading: Reading): readonly OpenPart[] => {
  if (source.type === 'file') return [fileOf(source.file_id, [...path, 'file_id'], reading)];
  if (source.type === 'text') return textPart(source.data);
  const type = mediaTypes.get(source.media_type.toLowerCase());
  if (type === undefined)
    throw refused(
      [...path, 'media_type'],
      `${cameAs(source.media_type, true)}; accepted are ${[...mediaTypes.keys()].join(', ')}.`,
    );
  if (!isMediaOf(source.data, type))
    throw new GatewayError(type.mimeType.startsWith('image/') ? 'invalid_image' : 'unsupported_content', {
      detail: `The field ${fieldPath([...path, 'data'])} is not a complete ${type.mimeType} file in base64; accepted is a whole file of the type that it declares.`,
    });
  return [ready(mediaPart(type.mimeType, source.data))];
};

type Block<T extends MessageBlock['type']> = Extract<MessageBlock, { readonly type: T }>;

const textOf = (content: Block<'tool_result'>['content']): string => {
  if (typeof content === 'string') return content;
  return (content ?? []).map((block) => (block.type === 'text' ? block.text : '')).join('');
};

/** What a tool returned beside text follows its result in the same turn. */
const mediaOf = (block: ResultBlock, path: Path, reading: Reading): readonly OpenPart[] =>
  block.type === 'text' ? [] : toMedia(block.source, [...path, 'source'], reading);

const toResult = (block: Block<'tool_result'>, path: Path, reading: Reading): readonly OpenPart[] => {
  const { tool_use_id: id, content, is_error: isError } = block;
  const name = reading.called.get(id);
  if (name === undefined)
    throw new GatewayError('invalid_messages', {
      detail: `The field ${fieldPath([...path, 'tool_use_id'])} names a call that no earlier message has; accepted are results of tool_use blocks.`,
    });
  const text = textOf(content);
  const response = isError === true ? JSON.stringify({ error: text }) : text;
  const media = Array.isArray(content)
    ? content.flatMap((inner, index) => mediaOf(inner, [...path, 'content', index], reading))
    : [];
  return [ready({ kind: 'function_response', id, name, response }), ...media];
};

/** A thought goes back to the model that had it; one that this service did not seal is another model's, and is left out. */
const toThought = (text: string, sealed: string, { unseal }: Reading): readonly OpenPart[] => {
  const context = sealed === '' ? null : unseal(sealed);
  return context === null ? [] : [ready({ kind: 'text', text, thought: true, context })];
};

const toCode = (block: Block<'server_tool_use'>): ExecutableCodePart => ({
  kind: 'executable_code',
  id: block.id,
  language: 'PYTHON',
  code: block.input.code,
});

const toPart = (block: MessageBlock, path: Path, reading: Reading): readonly OpenPart[] => {
  switch (block.type) {
    case 'text':
      return textPart(block.text);
    case 'image':
    case 'document':
      return toMedia(block.source, [...path, 'source'], reading);
    case 'tool_use': {
      const { id, name, input } = block;
      reading.called.set(id, name);
      const call = { kind: 'function_call', id, name, arguments: JSON.stringify(input) } as const;
      return [
        ({ contexts }) => {
          const context = contexts.get(id);
          return context === undefined ? call : { ...call, context };
        },
      ];
    }
    case 'tool_result':
      return toResult(block, path, reading);
    case 'thinking':
      return toThought(block.thinking, block.signature ?? '', reading);
    case 'redacted_thinking':
      return toThought('', block.data, reading);
    case 'server_tool_use':
      return [ready(toCode(block))];
    case 'code_execution_tool_result': {
      const { stdout, stderr, return_code: code } = block.content;
      const output = `${stdout ?? ''}${stderr ?? ''}`;
      const outcome = (code ?? 0) === 0 ? 'ok' : 'failed';
      return [ready({ kind: 'code_execution_result', id: block.tool_use_id, outcome, output })];
    }
  }
};

const partsOf = (message: Message, path: Path, reading: Reading): readonly OpenPart[] => {
  const { content } = message;
  if (typeof content === 'string') return textPart(content);
  return content.flatMap((value, index) => {
    const where = [...path, 'content', index];
    return toPart(readAt(MessageBlock, value, where), where, reading);
  });
};

/** A system message in the middle of a conversation holds text alone. */
const instructionOf = (message: Message, path: Path): readonly string[] => {
  const { content } = message;
  if (typeof content === 'string') return content === '' ? [] : [content];
  return content.flatMap((value, index) => {
    const where = [...path, 'content', index];
    const block = readAt(MessageBlock, value, where);
    if (block.type !== 'text') throw refused(where, 'is no text; accepted is text: a system message holds nothing else.');
    return block.text === '' ? [] : [block.text];
  });
};

/** Reads a conversation. Messages of one role that follow each other are one turn; one that says nothing is none. */
export const readMessages = (values: readonly unknown[], { unseal }: ReadingPolicy): ReadTurns => {
  const reading: Reading = { unseal, called: new Map(), fileIds: [] };
  const turns: { readonly role: Content['role']; readonly parts: OpenPart[] }[] = [];
  const instructions: string[] = [];
  for (const [index, value] of values.entries()) {
    const path = ['messages', index];
    const message = readAt(Message, value, path);
    if (message.role === 'system') {
      instructions.push(...instructionOf(message, path));
      continue;
    }
    const parts = partsOf(message, path, reading);
    const role = message.role === 'user' ? 'user' : 'model';
    const last = turns.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else if (parts.length > 0) turns.push({ role, parts: [...parts] });
  }
  return { turns, instructions, fileIds: reading.fileIds, callIds: [...reading.called.keys()] };
};
