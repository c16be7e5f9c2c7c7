import { isNotExecuted, readUsageAtLeast, type Generation } from '@tollgate/provider';
import { fakeResponse, fakeResponseMessage } from '@tollgate/testing/fakes';
import { expect, test } from 'vitest';
import { fromResponses } from './from-responses.ts';

const options = { includeThoughts: true, newCallId: () => 'call_new', apiKey: 'sk-1' };

const read = (output: readonly object[], rest: object = {}): Generation =>
  fromResponses(fakeResponse(output, rest), options);

const failureOf = (body: unknown): unknown => {
  try {
    return fromResponses(body, options);
  } catch (failure) {
    return failure;
  }
};

const reasoning = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [
    { type: 'summary_text', text: 'First.' },
    { type: 'summary_text', text: 'Then.' },
  ],
  encrypted_content: 'sealed',
};
const call = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'f', arguments: '{"a":1}' };

test('reads thoughts with their state, text and calls in order', () => {
  const context = '{"reasoning_items":[["rs_1","sealed"]]}';
  const { text, functionCalls, parts, finish } = read([reasoning, fakeResponseMessage('I look.'), call]);
  expect({ text, finish }).toEqual({ text: 'I look.', finish: 'stop' });
  expect(parts).toEqual([
    { kind: 'text', text: 'First.\n\nThen.', thought: true },
    { kind: 'text', text: '', thought: true, context },
    { kind: 'text', text: 'I look.' },
    { kind: 'function_call', id: 'call_1', name: 'f', arguments: '{"a":1}', context },
  ]);
  expect(functionCalls).toHaveLength(1);
});

test('shows the reasoning that open models write out where they have no summary', () => {
  const item = { type: 'reasoning', id: 'rs_1', summary: [], content: [{ type: 'reasoning_text', text: 'Aloud.' }] };
  expect(read([item]).parts).toEqual([{ kind: 'text', text: 'Aloud.', thought: true }]);
});

test('counts cached input and thoughts apart from the rest, searches and runs of code beside them', () => {
  const usage = {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 40 },
    output_tokens: 50,
    output_tokens_details: { reasoning_tokens: 20 },
  };
  const search = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'q' } };
  const opened = { ...search, id: 'ws_2', action: { type: 'open_page', url: 'https://example.com' } };
  const code = {
    type: 'code_interpreter_call',
    code: '1',
    outputs: [{ type: 'logs', logs: '1' }],
    status: 'completed',
  };
  expect(read([search, opened, code, fakeResponseMessage('One.')], { usage }).usage).toEqual([
    { unit: 'input_text_tokens', quantity: 60, confirmed: true },
    { unit: 'cached_input_tokens', quantity: 40, confirmed: true },
    { unit: 'output_text_tokens', quantity: 30, confirmed: true },
    { unit: 'thought_tokens', quantity: 20, confirmed: true },
    { unit: 'web_search_queries', quantity: 1, confirmed: true },
    { unit: 'code_execution_runs', quantity: 1, confirmed: true },
  ]);
});

test('places citations in the whole text of the answer', () => {
  const cited = { type: 'url_citation', url: 'https://example.com', title: 'Example', start_index: 0, end_index: 4 };
  const { parts } = read([
    fakeResponseMessage('Before. '),
    fakeResponseMessage('Here', { annotations: [cited, { type: 'file_path' }] }),
  ]);
  expect(parts?.at(-1)).toMatchObject({
    text: 'Here',
    annotations: [{ type: 'url_citation', url: 'https://example.com', start_index: 8, end_index: 12 }],
  });
});

test.each([
  ['max_output_tokens', 'length'],
  ['content_filter', 'content_filter'],
])('reads a response that is incomplete for %s as %s', (reason, finish) => {
  expect(read([call], { status: 'incomplete', incomplete_details: { reason } }).finish).toBe(finish);
});

test('has nothing of what was filtered, and its usage all the same', () => {
  const { parts, functionCalls, usage } = read([call], {
    status: 'incomplete',
    incomplete_details: { reason: 'content_filter' },
  });
  expect({ parts, functionCalls, measured: usage.length }).toEqual({ parts: [], functionCalls: [], measured: 2 });
});

test('gives calls of one id ids that differ', () => {
  expect(read([call, call]).functionCalls.map(({ id }) => id)).toEqual(['call_1', 'call_new']);
});

test('leaves a response that failed after it ran unknown, with what it used at the least', () => {
  const failure = failureOf(fakeResponse([], { status: 'failed', error: { code: 'server_error', message: 'no' } }));
  expect(failure).toMatchObject({ code: 'unknown_outcome', detail: 'upstream_error' });
  expect(readUsageAtLeast(failure).map(({ quantity }) => quantity)).toEqual([100, 20]);
});

test('takes a response that failed with nothing counted at its word', () => {
  const error = { code: 'rate_limit_exceeded', message: 'slow down' };
  const failure = failureOf(fakeResponse([], { status: 'failed', usage: null, error }));
  expect(isNotExecuted(failure) ? failure.reason : undefined).toBe('rate_limited');
});

test.each([{}, { object: 'response' }, [], 'text', null, { output: 'text' }])(
  'leaves the outcome of %j, which is no response, unknown',
  (body) => {
    expect(failureOf(body)).toMatchObject({ detail: 'unreadable_answer' });
  },
);

test('leaves an answer without usage to the estimate of the host', () => {
  const estimated = [{ unit: 'input_text_tokens', quantity: 7, confirmed: true }] as const;
  const body = fakeResponse(undefined, { usage: undefined });
  expect(fromResponses(body, options).usage).toEqual([]);
  expect(fromResponses(body, { ...options, estimateUsage: () => estimated }).usage).toEqual(estimated);
});

test.each([
  ['flex', 'flex'],
  ['default', 'standard'],
  ['unheard of', undefined],
])('reads the service tier %s that was served', (told, tier) => {
  expect(read([fakeResponseMessage('I look.')], { service_tier: told }).servedTier).toBe(tier);
});
