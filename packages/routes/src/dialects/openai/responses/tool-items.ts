import { isRecord, type JsonRecord } from '@tollgate/contract';
import type { AnswerText, ToolCallPart } from '../../generation/kept-answer.ts';

const textsAt = (record: JsonRecord, name: string): readonly string[] => {
  const value = record[name];
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const recordsIn = (value: unknown): readonly JsonRecord[] => listOf(value).filter(isRecord);

/** What a search was for; models name it in either number. */
const queriesOf = ({ arguments: args }: ToolCallPart): readonly string[] => [
  ...textsAt(args, 'queries'),
  ...textsAt(args, 'query'),
];

/** The addresses that a search found, each once. */
const sourcesOf = ({ result }: ToolCallPart) => {
  const pages = recordsIn(result).flatMap((entry) => [entry, ...recordsIn(entry['results'])]);
  const urls = new Set(pages.flatMap((page) => textsAt(page, 'url')));
  return [...urls].map((url) => ({ type: 'url', url }));
};

const toPassage = (passage: JsonRecord) => ({
  file_id: passage['file_id'],
  filename: passage['file_name'],
  score: passage['score'],
  text: passage['text'],
  attributes: {},
});

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const serverCall = ({ arguments: args, result, isError }: ToolCallPart) => ({
  type: 'mcp_call',
  server_label: textsAt(args, 'server_name')[0] ?? '',
  name: textsAt(args, 'name')[0] ?? '',
  arguments: JSON.stringify(args['arguments'] ?? {}),
  approval_request_id: null,
  output: isError ? null : textOf(result),
  error: isError ? { type: 'mcp_tool_execution_error', content: [{ type: 'text', text: textOf(result) }] } : null,
});

/** The tools that this wire has items for. */
const prefixes = { web_search: 'ws', url_context: 'ws', file_search: 'fs', mcp_server: 'mcp' } as const;
type ShownTool = keyof typeof prefixes;
export type ShownCall = ToolCallPart & { readonly tool: ShownTool };

/** Whether this wire has an item for a call. No request of it sets up a tool that it has none for. */
export const isShown = (part: ToolCallPart): part is ShownCall => Object.hasOwn(prefixes, part.tool);

export const toolPrefix = ({ tool }: ShownCall): string => prefixes[tool];

/** An item of a call, with what the request wants to see of its result. */
export const toolItem = (call: ShownCall, included: readonly unknown[]): object => {
  const status = call.isError ? 'failed' : 'completed';
  switch (call.tool) {
    case 'web_search': {
      const queries = queriesOf(call);
      const action = { type: 'search', query: queries[0] ?? '', queries, sources: sourcesOf(call) };
      return { type: 'web_search_call', action, status };
    }
    case 'url_context':
      return { type: 'web_search_call', action: { type: 'open_page', url: sourcesOf(call)[0]?.url ?? null }, status };
    case 'file_search': {
      const isAsked = included.includes('file_search_call.results');
      const results = isAsked ? recordsIn(call.result).map(toPassage) : null;
      return { type: 'file_search_call', queries: queriesOf(call), results, status };
    }
    case 'mcp_server':
      return { ...serverCall(call), status };
  }
};

/** The events between the opening and the end of the item of a call: their type, and what each says beside its place. */
export const toolEvents = (call: ShownCall): readonly (readonly [type: string, members: object])[] => {
  if (call.tool === 'mcp_server') {
    const text = JSON.stringify(call.arguments['arguments'] ?? {});
    return [
      ['response.mcp_call.in_progress', {}],
      ['response.mcp_call_arguments.delta', { delta: text }],
      ['response.mcp_call_arguments.done', { arguments: text }],
      [`response.mcp_call.${call.isError ? 'failed' : 'completed'}`, {}],
    ];
  }
  const name = call.tool === 'file_search' ? 'file_search_call' : 'web_search_call';
  return ['in_progress', 'searching', 'completed'].map((stage) => [`response.${name}.${stage}`, {}] as const);
};

/** A text of an item: all of it so far, and how much visible text of the answer came before it. */
export interface CitingText {
  readonly text: string;
  readonly before: number;
}

/**
 * Citations count from the beginning of the answer, and their items from that of their text. A page that nothing in particular
 * cites is cited by the empty text at the beginning, wherever a stream is when it comes.
 */
const placeIn = ({ text, before }: CitingText, index: unknown): number =>
  typeof index === 'number' ? Math.min(Math.max(index - before, 0), text.length) : 0;

/** A citation in the words of this wire; null for one that it has no word for. */
const toAnnotation = (citation: JsonRecord, text: CitingText): object | null => {
  const { type, url, title, start_index: from, end_index: to } = citation;
  if (type === 'url_citation')
    return { type, url, title: title ?? url, start_index: placeIn(text, from), end_index: placeIn(text, to) };
  if (type === 'file_citation')
    return { type, file_id: citation['file_id'], filename: citation['file_name'], index: text.text.length };
  return null;
};

/** What a text cites, in the words of this wire. */
export const annotationsOf = (
  text: CitingText,
  { annotations = [] }: Pick<AnswerText, 'annotations'>,
): readonly object[] => annotations.flatMap((citation) => toAnnotation(citation, text) ?? []);
