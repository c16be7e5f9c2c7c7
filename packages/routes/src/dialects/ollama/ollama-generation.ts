import { namesOf } from '../../field-names.ts';
import type { GenerationDialect } from '../generation/generation-dialect.ts';
import { asMessage, asResponse, openLines, writeLine, type Saying } from './chat-lines.ts';
import { readChat, readGenerate } from './read-chat.ts';

const writing = (saying: Saying): Pick<GenerationDialect, 'openStream' | 'writeWhole'> => ({
  openStream: (head) => openLines(saying, head),
  writeWhole: (head, settled) => writeLine(saying, head, settled),
});

const shared = {
  dataUrls: false,
  schemaField: 'format',
  framing: { contentType: 'application/x-ndjson', comments: false },
} as const;

const optionNames = {
  responseFormat: 'format',
  thinking: 'think',
  temperature: 'options.temperature',
  topP: 'options.top_p',
  topK: 'options.top_k',
  seed: 'options.seed',
  stopSequences: 'options.stop',
  frequencyPenalty: 'options.frequency_penalty',
  presencePenalty: 'options.presence_penalty',
} as const;

/** `POST /api/chat`: a conversation, as lines of JSON or whole. */
export const ollamaChat: GenerationDialect = {
  ...shared,
  ...writing(asMessage),
  name: 'ollama-chat',
  path: '/api/chat',
  mediaPlaces: ['messages.*.images.*'],
  fieldNames: namesOf({ ...optionNames, contents: 'messages', systemInstruction: 'messages', tools: 'tools' }),
  read: readChat,
};

/** `POST /api/generate`: an answer to one prompt, as lines of JSON or whole. */
export const ollamaGenerate: GenerationDialect = {
  ...shared,
  ...writing(asResponse),
  name: 'ollama-generate',
  path: '/api/generate',
  mediaPlaces: ['images.*'],
  fieldNames: namesOf({ ...optionNames, contents: 'prompt', systemInstruction: 'system' }),
  read: readGenerate,
};
