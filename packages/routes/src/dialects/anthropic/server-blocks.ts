import { isRecord, type JsonRecord } from '@tollgate/contract';
import type { UsageUnit } from '@tollgate/provider';
import type { OperationRecord } from '@tollgate/storage';
import type { AnswerPart, AnswerText, ToolCallPart } from '../generation/kept-answer.ts';

const textAt = (record: JsonRecord, name: string): string | null => {
  const value = record[name];
  if (typeof value === 'string') return value;
  const first: unknown = Array.isArray(value) ? value[0] : null;
  return typeof first === 'string' ? first : null;
};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const recordsIn = (value: unknown): readonly JsonRecord[] => listOf(value).filter(isRecord);

/** A call of a tool, as these clients see it: the block of the call, the input that it was made with, and the block of its result. */
export interface ServerBlocks {
  readonly use: object;
  readonly input: unknown;
  readonly result: object;
}

const resultOf = (type: string, { id, isError }: ToolCallPart, content: unknown, code: string): object => ({
  type: `${type}_tool_result`,
  tool_use_id: id,
  content: isError ? { type: `${type}_tool_result_error`, error_code: code } : content,
});

const serverUse = (id: string, name: string): object => ({ type: 'server_tool_use', id, name });

const toHit = (page: JsonRecord) => ({
  type: 'web_search_result',
  url: textAt(page, 'url') ?? '',
  title: textAt(page, 'title') ?? '',
  encrypted_content: '',
  page_age: null,
});

const searchBlocks = (call: ToolCallPart): ServerBlocks => {
  const { id, arguments: args, result } = call;
  const pages = recordsIn(result).flatMap((entry) => [entry, ...recordsIn(entry['results'])]);
  const found = pages.filter((page) => textAt(page, 'url') !== null).map(toHit);
  const query = textAt(args, 'query') ?? listOf(args['queries']).join('; ');
  return {
    use: serverUse(id, 'web_search'),
    input: { query },
    result: resultOf('web_search', call, found, 'unavailable'),
  };
};

/** What a page says goes to the model alone: the result that is kept says which page was read. */
const noContent = {
  type: 'document',
  source: { type: 'text', media_type: 'text/plain', data: '' },
  title: null,
  citations: null,
};

const fetchBlocks = (call: ToolCallPart): ServerBlocks => {
  const { id, arguments: args, result } = call;
  const [page = {}] = recordsIn(result);
  const url = textAt(page, 'url') ?? textAt(args, 'url') ?? textAt(args, 'urls') ?? '';
  const fetched = { type: 'web_fetch_result', url, retrieved_at: null, content: noContent };
  return {
    use: serverUse(id, 'web_fetch'),
    input: { url },
    result: resultOf('web_fetch', call, fetched, 'url_not_accessible'),
  };
};

const mcpBlocks = ({ id, arguments: args, result, isError }: ToolCallPart): ServerBlocks => ({
  use: {
    type: 'mcp_tool_use',
    id,
    name: textAt(args, 'name') ?? '',
    server_name: textAt(args, 'server_name') ?? '',
  },
  input: args['arguments'] ?? {},
  result: {
    type: 'mcp_tool_result',
    tool_use_id: id,
    is_error: isError,
    content: [{ type: 'text', text: typeof result === 'string' ? result : JSON.stringify(result) }],
  },
});

/** The blocks of a call; null for a tool that this wire has no block for: no request of it sets one up. */
export const serverBlocks = (call: ToolCallPart): ServerBlocks | null => {
  switch (call.tool) {
    case 'web_search':
      return searchBlocks(call);
    case 'url_context':
      return fetchBlocks(call);
    case 'mcp_server':
      return mcpBlocks(call);
    case 'file_search':
    case 'maps':
    case 'computer_use':
    case 'host_tool':
      return null;
  }
};

/** What a text cites of the web, in the words of this wire. */
export const citationsOf = ({ annotations = [] }: AnswerText): readonly object[] =>
  annotations
    .filter((citation) => citation['type'] === 'url_citation')
    .map((citation) => ({
      type: 'web_search_result_location',
      url: citation['url'],
      title: citation['title'] ?? null,
      cited_text: citation['cited_text'] ?? '',
      encrypted_index: '',
    }));

/**
 * How many times the tools that these clients pay for by the call were called; empty where none was. Of what a provider did within
 * its call only the count is known, as it was metered.
 */
export const serverToolUsage = (parts: readonly AnswerPart[], { usage }: Pick<OperationRecord, 'usage'>): object => {
  const countOf = (tool: ToolCallPart['tool'], metered: UsageUnit): number => {
    const shown = parts.filter((part) => part.kind === 'tool_call' && part.tool === tool).length;
    return shown > 0 ? shown : ((usage ?? []).find(({ unit }) => unit === metered)?.quantity ?? 0);
  };
  const [searches, fetches] = [countOf('web_search', 'web_search_queries'), countOf('url_context', 'url_fetches')];
  if (searches + fetches === 0) return {};
  return { server_tool_use: { web_search_requests: searches, web_fetch_requests: fetches } };
};
