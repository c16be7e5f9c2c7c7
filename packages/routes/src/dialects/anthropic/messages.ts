import { namesOf } from '../../field-names.ts';
import type { GenerationDialect } from '../generation/generation-dialect.ts';
import { contentBlocks, stopReasonOf, usageOf } from './message-blocks.ts';
import { messageHead, openMessageStream } from './message-stream.ts';
import { readCountRequest, readMessageRequest, schemaField } from './read-request.ts';

/** The Messages wire: `POST /messages`, whole and streamed. */
export const messages: GenerationDialect = {
  name: 'anthropic-messages',
  path: '/messages',
  mediaPlaces: ['messages.*.content.*.source.data', 'messages.*.content.*.content.*.source.data'],
  dataUrls: false,
  fieldNames: namesOf({
    contents: 'messages',
    systemInstruction: 'system',
    tools: 'tools',
    toolChoice: 'tool_choice',
    responseFormat: 'output_config.format',
    temperature: 'temperature',
    topP: 'top_p',
    topK: 'top_k',
    stopSequences: 'stop_sequences',
    parallelToolCalls: 'tool_choice.disable_parallel_tool_use',
    thinking: 'thinking',
  }),
  schemaField,
  read: readMessageRequest,
  openStream: openMessageStream,
  writeWhole: (head, settled) =>
    JSON.stringify({
      ...messageHead(head),
      content: contentBlocks(settled.answer.parts),
      stop_reason: stopReasonOf(settled.answer),
      stop_sequence: null,
      usage: usageOf(settled),
      ...settled.receipt,
    }),
};

/** The same for a count of input, which has a path of its own and needs no limit of output. */
export const messageCount: GenerationDialect = { ...messages, path: '/messages/count_tokens', read: readCountRequest };
