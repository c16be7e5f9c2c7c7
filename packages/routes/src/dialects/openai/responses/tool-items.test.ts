import { expect, test } from 'vitest';
import type { ToolCallPart } from '../../generation/kept-answer.ts';
import { annotationsOf, isShown, toolEvents, toolItem } from './tool-items.ts';

const call = (tool: ToolCallPart['tool'], args: object, result: unknown, isError = false): ToolCallPart => ({
  kind: 'tool_call',
  tool,
  id: 'a',
  arguments: { ...args },
  result,
  isError,
});

const itemOf = (part: ToolCallPart, included: readonly string[] = []): object | null =>
  isShown(part) ? toolItem(part, included) : null;

test('a search shows what it was for, and each address that it found once', () => {
  const pages = [{ url: 'https://a.example' }, { url: 'https://a.example' }];
  const item = itemOf(call('web_search', { queries: ['p', 'q'] }, [{ query: 'p', results: pages }]));
  expect(item).toEqual({
    type: 'web_search_call',
    status: 'completed',
    action: { type: 'search', query: 'p', queries: ['p', 'q'], sources: [{ type: 'url', url: 'https://a.example' }] },
  });
});

test('passages of files are shown where they are asked for', () => {
  const part = call('file_search', { query: 'q' }, [{ file_id: 'f', file_name: 'a.txt', score: 1, text: 'T' }]);
  expect(itemOf(part)).toMatchObject({ queries: ['q'], results: null });
  expect(itemOf(part, ['file_search_call.results'])).toMatchObject({
    results: [{ file_id: 'f', filename: 'a.txt', score: 1, text: 'T' }],
  });
});

test('a call of a server that failed has its error in place of its output', () => {
  const args = { name: 'look', server_name: 'library', arguments: { at: 'x' } };
  const part = call('mcp_server', args, 'gone', true);
  expect(itemOf(part)).toMatchObject({ status: 'failed', output: null, error: { type: 'mcp_tool_execution_error' } });
  expect(isShown(part) && toolEvents(part).map(([type]) => type)).toEqual([
    'response.mcp_call.in_progress',
    'response.mcp_call_arguments.delta',
    'response.mcp_call_arguments.done',
    'response.mcp_call.failed',
  ]);
});

test('a tool that this wire has no word for has no item', () => {
  expect(itemOf(call('maps', {}, null))).toBeNull();
});

const cite = (from?: number, to?: number) => ({
  type: 'url_citation',
  url: 'https://a.example',
  start_index: from,
  end_index: to,
});

test('citations count from the beginning of their text, and stay within it', () => {
  const annotations = [cite(12, 14), cite(0, 99), cite(), { type: 'place_citation' }];
  const placed = annotationsOf({ text: 'Found.', before: 10 }, { annotations });
  const title = 'https://a.example';
  expect(placed).toEqual([
    { type: 'url_citation', url: title, title, start_index: 2, end_index: 4 },
    { type: 'url_citation', url: title, title, start_index: 0, end_index: 6 },
    { type: 'url_citation', url: title, title, start_index: 0, end_index: 0 },
  ]);
});
