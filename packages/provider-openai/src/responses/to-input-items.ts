import type { Content, JsonObject, Part } from '@tollgate/provider';
import { reasoningItems } from './reasoning-state.ts';
import { toInputMedia } from './to-input-media.ts';

const message = (content: readonly JsonObject[]): readonly JsonObject[] =>
  content.length === 0 ? [] : [{ type: 'message', role: 'user', content }];

/** Results of calls come first: they follow the calls that asked for them. */
const fromUser = (parts: readonly Part[]): readonly JsonObject[] => {
  const results: JsonObject[] = [];
  const content: JsonObject[] = [];
  for (const part of parts)
    if (part.kind === 'function_response')
      results.push({ type: 'function_call_output', call_id: part.id, output: part.response });
    else if (part.kind === 'text') content.push({ type: 'input_text', text: part.text });
    else if (part.kind === 'media' || part.kind === 'blob') content.push(toInputMedia(part));
  return [...results, ...message(content)];
};

const spoken = (text: string): JsonObject => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
});

/** A thought is known to the upstream by its sealed state alone. Code that ran in a container that is gone is sent as text. */
const fromModelPart = (part: Part): readonly JsonObject[] => {
  switch (part.kind) {
    case 'text':
      return part.thought === true || part.text === '' ? [] : [spoken(part.text)];
    case 'function_call':
      return [{ type: 'function_call', call_id: part.id, name: part.name, arguments: part.arguments }];
    case 'executable_code':
      return [spoken(`\`\`\`${part.language.toLowerCase()}\n${part.code}\n\`\`\``)];
    case 'code_execution_result':
      return [spoken(`\`\`\`\n${part.output}\n\`\`\``)];
    case 'media':
    case 'blob':
    case 'function_response':
      return [];
  }
};

const fromModel = (parts: readonly Part[], sent: Set<string>): readonly JsonObject[] =>
  parts.flatMap((part) => [...reasoningItems(part, sent), ...fromModelPart(part)]);

/** The turns of a call as input items. Reasoning that stands on several parts of a turn is sent once. */
export const toInputItems = (contents: readonly Content[]): readonly JsonObject[] => {
  const sent = new Set<string>();
  return contents.flatMap(({ role, parts }) => (role === 'model' ? fromModel(parts, sent) : fromUser(parts)));
};
