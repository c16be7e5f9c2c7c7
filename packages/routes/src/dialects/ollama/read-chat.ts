import { chatBounds, checkClientSchema, isRecord, listError, noObjectError, readAt } from '@tollgate/contract';
import type { GenerationTool } from '@tollgate/provider';
import { present } from '../../present.ts';
import { checkFunctions } from '../generation/check-functions.ts';
import type { AskedGeneration, ReadingPolicy } from '../generation/generation-dialect.ts';
import { createConversation, ready } from '../generation/open-turns.ts';
import { ChatFields, GenerateFields, Tool } from './chat-body.ts';
import { modelName } from './model-name.ts';
import { imagePart, readMessages } from './read-messages.ts';
import { readFormat, toCall, type ReadBody } from './to-call.ts';

const readTool = (value: unknown, index: number): GenerationTool => {
  const { name, description, parameters } = readAt(Tool, value, ['tools', index]).function;
  if (parameters) checkClientSchema(parameters, ['tools', index, 'function', 'parameters']);
  return { kind: 'function', name, ...present('description', description), ...present('parameters', parameters) };
};

const readTools = (value: unknown): readonly GenerationTool[] => {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || value.length > chatBounds.toolsMax)
    throw listError(['tools'], value, [0, chatBounds.toolsMax]);
  const tools = value.map(readTool);
  checkFunctions(tools);
  return tools;
};

/** Without a word on it, a response is a stream here. */
const toAsked = (read: ReadBody): AskedGeneration => {
  const { fields, conversation } = read;
  return {
    model: typeof fields.model === 'string' ? modelName(fields.model) : undefined,
    stream: fields.stream !== false,
    fileIds: conversation.fileIds,
    callIds: conversation.callIds,
    echo: {},
    toCall: (model, parts) => toCall(read, model, parts),
  };
};

/** Reads the body of `POST /api/chat`. */
export const readChat = (body: unknown, { messagesMax }: ReadingPolicy): AskedGeneration => {
  if (!isRecord(body)) throw noObjectError(body);
  const { messages, tools, ...rest } = body;
  const fields = readAt(ChatFields, rest);
  if (!Array.isArray(messages) || messages.length === 0 || messages.length > messagesMax)
    throw listError(['messages'], messages, [1, messagesMax]);
  const read = readTools(tools);
  return toAsked({ fields, tools: read, conversation: readMessages(messages), responseFormat: readFormat(fields) });
};

/** Reads the body of `POST /api/generate`. */
export const readGenerate = (body: unknown): AskedGeneration => {
  if (!isRecord(body)) throw noObjectError(body);
  const { prompt, system, images, ...fields } = readAt(GenerateFields, body);
  const conversation = createConversation();
  conversation.instruct(system ?? '');
  const shown = (images ?? []).map((data, index) => imagePart(data, ['images', index]));
  conversation.say('user', [ready({ kind: 'text', text: prompt }), ...shown]);
  return toAsked({
    fields,
    tools: [],
    conversation: conversation.end('prompt'),
    responseFormat: readFormat(fields),
  });
};
