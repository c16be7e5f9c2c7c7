import { cameAs, mediaTypes, readAt, type Path } from '@tollgate/contract';
import type { Content, ExecutableCodePart } from '@tollgate/provider';
import type { ReadingPolicy } from '../generation/generation-dialect.ts';
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
} from '../generation/open-turns.ts';
import { withBlockMark } from './cache-marks.ts';
import { Message, MessageBlock, type MediaSource, type ResultBlock } from './message-body.ts';

const toMedia = (source: MediaSource, path: Path, reading: Reading): readonly OpenPart[] => {
  if (source.type === 'file') return [reading.references.file(source.file_id, [...path, 'file_id'])];
  if (source.type === 'text') return textPart(source.data);
  const type = mediaTypes.get(source.media_type.toLowerCase());
  if (type === undefined)
    throw unsupportedContent(
      [...path, 'media_type'],
      `${cameAs(source.media_type, true)}; accepted are ${[...mediaTypes.keys()].join(', ')}.`,
    );
  return [inlineMedia(type, source.data, [...path, 'data'])];
};

type Block<T extends MessageBlock['type']> = Extract<MessageBlock, { readonly type: T }>;

const textOf = (content: Block<'tool_result' | 'mcp_tool_result'>['content']): string => {
  if (typeof content === 'string') return content;
  return (content ?? []).map((block) => (block.type === 'text' ? block.text : '')).join('');
};

/** What a tool returned beside text follows its result in the same turn. */
const mediaOf = (block: ResultBlock, path: Path, reading: Reading): readonly OpenPart[] =>
  block.type === 'text' ? [] : toMedia(block.source, [...path, 'source'], reading);

const toResult = (
  block: Block<'tool_result' | 'mcp_tool_result'>,
  path: Path,
  reading: Reading,
): readonly OpenPart[] => {
  const { tool_use_id: id, content, is_error: isError } = block;
  const text = textOf(content);
  const response = isError === true ? JSON.stringify({ error: text }) : text;
  const media = Array.isArray(content)
    ? content.flatMap((inner, index) => mediaOf(inner, [...path, 'content', index], reading))
    : [];
  return [reading.references.result(id, response, [...path, 'tool_use_id']), ...media];
};

const toCode = ({ id, input }: Block<'server_tool_use'>): ExecutableCodePart => ({
  kind: 'executable_code',
  id,
  language: 'PYTHON',
  code: input.code ?? '',
});

const toPart = (block: MessageBlock, path: Path, reading: Reading): readonly OpenPart[] => {
  switch (block.type) {
    case 'text':
      return textPart(block.text);
    case 'image':
    case 'document':
      return toMedia(block.source, [...path, 'source'], reading);
    case 'tool_use':
    case 'mcp_tool_use':
      return [reading.references.call(block.id, block.name, JSON.stringify(block.input))];
    case 'tool_result':
    case 'mcp_tool_result':
      return toResult(block, path, reading);
    case 'thinking':
      return thoughtPart(block.thinking, block.signature ?? '', reading);
    case 'redacted_thinking':
      return thoughtPart('', block.data, reading);
    case 'server_tool_use':
      return block.name === 'code_execution' ? [ready(toCode(block))] : [];
    case 'web_search_tool_result':
    case 'web_fetch_tool_result':
      return [];
    case 'code_execution_tool_result': {
      const { stdout, stderr, return_code: code } = block.content;
      const output = `${stdout ?? ''}${stderr ?? ''}`;
      const outcome = (code ?? 0) === 0 ? 'ok' : 'failed';
      return [ready({ kind: 'code_execution_result', id: block.tool_use_id, outcome, output })];
    }
  }
};

interface Said {
  readonly role: Content['role'];
  readonly parts: readonly OpenPart[];
}

/** What a message says, block by block. The result of a server's tool stands in the model's message, and is no word of the model. */
const saidIn = (message: Message, path: Path, reading: Reading): readonly Said[] => {
  const { content } = message;
  const role = message.role === 'user' ? 'user' : 'model';
  if (typeof content === 'string') return [{ role, parts: textPart(content) }];
  return content.map((value, index) => {
    const where = [...path, 'content', index];
    const block = readAt(MessageBlock, value, where);
    const parts = withBlockMark(toPart(block, where, reading), value);
    return { role: block.type === 'mcp_tool_result' ? 'user' : role, parts };
  });
};

/** A system message in the middle of a conversation holds text alone. */
const instructionOf = (message: Message, path: Path): readonly string[] => {
  const { content } = message;
  if (typeof content === 'string') return content === '' ? [] : [content];
  return content.flatMap((value, index) => {
    const where = [...path, 'content', index];
    const block = readAt(MessageBlock, value, where);
    if (block.type !== 'text')
      throw unsupportedContent(where, 'is no text; accepted is text: a system message holds nothing else.');
    return block.text === '' ? [] : [block.text];
  });
};

/** Reads a conversation. */
export const readMessages = (values: readonly unknown[], { unseal }: ReadingPolicy): OpenConversation => {
  const conversation = createConversation();
  const reading: Reading = { unseal, references: conversation.references };
  for (const [index, value] of values.entries()) {
    const path = ['messages', index];
    const message = readAt(Message, value, path);
    if (message.role === 'system') instructionOf(message, path).forEach(conversation.instruct);
    else for (const { role, parts } of saidIn(message, path, reading)) conversation.say(role, parts);
  }
  return conversation.end('messages');
};
