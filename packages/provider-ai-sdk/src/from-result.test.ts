import type {
  JSONObject,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
} from '@ai-sdk/provider';
import { describe, expect, test } from 'vitest';
import { fromResult } from './from-result.ts';
import { readPartContext } from './part-context.ts';
import type { Vendor } from './vendor.ts';

const resultOf = (
  content: LanguageModelV4Content[],
  rest: Partial<LanguageModelV4GenerateResult> = {},
): LanguageModelV4GenerateResult => ({
  content,
  finishReason: { unified: 'stop', raw: 'stop' },
  usage: {
    inputTokens: { total: 3, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 2, text: undefined, reasoning: undefined },
  },
  warnings: [],
  ...rest,
});

const read = (
  content: LanguageModelV4Content[],
  { vendor = 'other', showThoughts = false }: { vendor?: Vendor; showThoughts?: boolean } = {},
  rest: Partial<LanguageModelV4GenerateResult> = {},
) => fromResult(resultOf(content, rest), { vendor, showThoughts });

const metadata = { anthropic: { signature: 'c2ln' } };
const call = (toolCallId: string, rest: object = {}): LanguageModelV4Content => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'look',
  input: '{"at":1}',
  ...rest,
});

test('answers texts, calls and files in order', () => {
  const generation = read([
    { type: 'text', text: 'Look: ' },
    { type: 'file', mediaType: 'image/png', data: { type: 'data', data: Uint8Array.of(1, 2, 3) } },
    { type: 'text', text: 'there.' },
    call('c1'),
  ]);
  expect(generation.text).toBe('Look: there.');
  expect(generation.functionCalls).toEqual([{ kind: 'function_call', id: 'c1', name: 'look', arguments: '{"at":1}' }]);
  expect(generation.parts).toEqual([
    { kind: 'text', text: 'Look: ' },
    { kind: 'media', mimeType: 'image/png', data: 'AQID' },
    { kind: 'text', text: 'there.' },
    ...generation.functionCalls,
  ]);
  expect(generation.usage).toEqual([
    { unit: 'input_text_tokens', quantity: 3, confirmed: true },
    { unit: 'output_text_tokens', quantity: 2, confirmed: true },
  ]);
});

test('shows thoughts only where they were asked for, and never as the answer', () => {
  const content: LanguageModelV4Content[] = [
    { type: 'reasoning', text: 'Hm.', providerMetadata: metadata },
    { type: 'reasoning-file', mediaType: 'image/png', data: { type: 'data', data: 'iVBORw==' } },
    { type: 'text', text: 'Yes.' },
  ];
  expect(read(content).parts).toEqual([{ kind: 'text', text: 'Yes.' }]);
  const shown = read(content, { showThoughts: true });
  expect(shown.text).toBe('Yes.');
  expect(shown.parts).toMatchObject([
    { kind: 'text', text: 'Hm.', thought: true },
    { kind: 'media', mimeType: 'image/png', thought: true },
    { kind: 'text', text: 'Yes.' },
  ]);
});

test('keeps the state of parts, and the reasoning with the first call', () => {
  const { functionCalls, parts = [] } = read([
    { type: 'reasoning', text: 'First.', providerMetadata: metadata },
    { type: 'reasoning', text: 'Second.' },
    { type: 'text', text: 'So:', providerMetadata: metadata },
    call('c1', { providerMetadata: { openai: { itemId: 'i' } } }),
    call('c2'),
  ]);
  const [first, second] = functionCalls;
  expect(readPartContext(first?.context)).toEqual({
    metadata: { openai: { itemId: 'i' } },
    reasoning: [
      { text: 'First.', metadata },
      { text: 'Second.', metadata: undefined },
    ],
    tool: undefined,
  });
  expect(second).not.toHaveProperty('context');
  const [text] = parts;
  expect(text?.kind === 'text' ? readPartContext(text.context).metadata : undefined).toEqual(metadata);
});

test('keeps no unsigned reasoning for Google', () => {
  const { functionCalls } = read([{ type: 'reasoning', text: 'Hm.' }, call('c1')], { vendor: 'google' });
  expect(functionCalls).toEqual([{ kind: 'function_call', id: 'c1', name: 'look', arguments: '{"at":1}' }]);
});

test('tells code that ran at the upstream, and counts its runs', () => {
  const generation = read(
    [
      {
        type: 'tool-call',
        toolCallId: 'x1',
        toolName: 'code_execution',
        input: '{"language":"PYTHON","code":"print(1)"}',
        providerExecuted: true,
      },
      {
        type: 'tool-result',
        toolCallId: 'x1',
        toolName: 'code_execution',
        result: { outcome: 'OUTCOME_OK', output: '1\n' },
      },
      { type: 'text', text: 'One.' },
    ],
    { vendor: 'google' },
  );
  expect(generation.parts).toEqual([
    { kind: 'executable_code', id: 'x1', language: 'PYTHON', code: 'print(1)' },
    { kind: 'code_execution_result', id: 'x1', outcome: 'ok', output: '1\n' },
    { kind: 'text', text: 'One.' },
  ]);
  expect(generation.usage).toContainEqual({ unit: 'code_execution_runs', quantity: 1, confirmed: true });
});

const results: readonly (readonly [title: string, result: JSONObject, isError: boolean, expected: object])[] = [
  [
    'logs',
    {
      outputs: [
        { type: 'logs', logs: 'a' },
        { type: 'image', url: 'u' },
      ],
    },
    false,
    { outcome: 'ok', output: 'a' },
  ],
  ['streams', { stdout: 'a', stderr: 'b', return_code: 1 }, false, { outcome: 'failed', output: 'a\nb' }],
  ['an error', { type: 'code_execution_tool_result_error' }, false, { outcome: 'failed', output: '' }],
  ['an error by its flag', { stdout: 'a' }, true, { outcome: 'failed', output: 'a' }],
  ['a deadline', { outcome: 'OUTCOME_DEADLINE_EXCEEDED' }, false, { outcome: 'deadline_exceeded', output: '' }],
];

test.each(results)('reads a result of code: %s', (_title, result, isError, expected) => {
  const { parts } = read([{ type: 'tool-result', toolCallId: 'x1', toolName: 'code_execution', result, isError }]);
  expect(parts).toMatchObject([{ kind: 'code_execution_result', id: 'x1', ...expected }]);
});

test('reads a command as code of a shell', () => {
  const input = '{"type":"bash_code_execution","command":"ls"}';
  const run = {
    type: 'tool-call',
    toolCallId: 'x',
    toolName: 'code_execution',
    input,
    providerExecuted: true,
  } as const;
  expect(read([run], { vendor: 'anthropic' }).parts).toMatchObject([{ language: 'BASH', code: 'ls' }]);
});

test('counts pages that were read, and has no part for them', () => {
  const fetch = {
    type: 'tool-call',
    toolCallId: 'f',
    toolName: 'url_context',
    input: '{}',
    providerExecuted: true,
  } as const;
  const result = { type: 'tool-result', toolCallId: 'f', toolName: 'url_context', result: {} } as const;
  const generation = read([fetch, result], { vendor: 'anthropic' });
  expect(generation.parts).toEqual([]);
  expect(generation.usage).toContainEqual({ unit: 'url_fetches', quantity: 1, confirmed: true });
});

test('passes on what Google says beside an answer, without its names', () => {
  const google = {
    promptFeedback: null,
    safetyRatings: [{ category: 'HARM_CATEGORY_HARASSMENT', probability: 'LOW' }],
    groundingMetadata: {
      searchEntryPoint: { renderedContent: '<b>' },
      googleMapsWidgetContextToken: 't',
      groundingChunks: [{ web: { uri: 'https://vertexaisearch.cloud.google.com/x', title: 'A page' } }],
    },
    urlContextMetadata: {
      urlMetadata: [
        { retrievedUrl: 'https://a.test/', urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_SUCCESS' },
        { retrievedUrl: 'https://b.test/', urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_ERROR' },
      ],
    },
    finishMessage: 'Gemini would rather not.',
  };
  const generation = read([{ type: 'text', text: 'Yes.' }], { vendor: 'google' }, { providerMetadata: { google } });
  expect(generation.annotations).toEqual({
    safetyRatings: google.safetyRatings,
    groundingMetadata: { groundingChunks: [{ web: { title: 'A page' } }] },
    urlContextMetadata: google.urlContextMetadata,
  });
  expect(generation.usage).toContainEqual({ unit: 'url_fetches', quantity: 1, confirmed: true });
});

test('says why Google refused a prompt', () => {
  const generation = read(
    [],
    { vendor: 'google' },
    {
      finishReason: { unified: 'content-filter', raw: 'PROHIBITED_CONTENT' },
      providerMetadata: { google: { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } } },
    },
  );
  expect(generation).toMatchObject({ finish: 'content_filter', promptBlock: 'PROHIBITED_CONTENT', parts: [] });
  expect(generation).not.toHaveProperty('finishDetail');
});

test('chooses the text that a model names as its JSON', () => {
  const content: LanguageModelV4Content[] = [
    { type: 'text', text: 'Draft' },
    { type: 'text', text: '{}' },
  ];
  const generation = read(content, {}, { structuredOutputText: '{"a":1}' });
  expect([generation.text, generation.parts]).toEqual(['{"a":1}', [{ kind: 'text', text: '{"a":1}' }]]);
});

const finishes: readonly (readonly [LanguageModelV4FinishReason['unified'], string | undefined, Vendor, object])[] = [
  ['stop', 'stop', 'other', { finish: 'stop', confirmed: true }],
  ['tool-calls', 'tool_use', 'other', { finish: 'stop', confirmed: true }],
  ['length', 'length', 'other', { finish: 'length', confirmed: true }],
  ['content-filter', 'refusal', 'other', { finish: 'content_filter', confirmed: true }],
  ['content-filter', 'RECITATION', 'google', { finish: 'content_filter', finishDetail: 'RECITATION', confirmed: true }],
  ['length', 'MAX_TOKENS', 'google', { finish: 'length', confirmed: true }],
  [
    'other',
    'IMAGE_RECITATION',
    'google',
    { finish: 'content_filter', finishDetail: 'IMAGE_RECITATION', confirmed: true },
  ],
  ['other', 'model_length', 'other', { finish: 'length', confirmed: true }],
  ['other', 'eos', 'other', { finish: 'stop', confirmed: true }],
  ['other', 'NO_IMAGE', 'google', { finish: 'content_filter', finishDetail: 'NO_IMAGE', confirmed: true }],
  ['other', 'abort', 'other', { finish: 'length', confirmed: false }],
  ['other', undefined, 'other', { finish: 'length', confirmed: false }],
];

describe('reads the end', () => {
  test.each(finishes)('%s %s (%s)', (unified, raw, vendor, expected) => {
    const { finish, finishDetail, usage } = read([], { vendor }, { finishReason: { unified, raw } });
    const confirmed = usage.every((measured) => measured.confirmed);
    expect({ finish, ...(finishDetail === undefined ? {} : { finishDetail }), confirmed }).toEqual(expected);
  });
});

test('takes a response that Google ends for an unknown reason for partial', () => {
  const finishReason = { unified: 'other', raw: 'IMAGE_OTHER' } as const;
  expect(read([{ type: 'text', text: 'Hm' }], { vendor: 'google' }, { finishReason }).finish).toBe('length');
});

test.each(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'MALFORMED_RESPONSE', 'TOO_MANY_TOOL_CALLS'])(
  'takes %s of Google for an answer that failed',
  (raw) => {
    const run = (): unknown => read([], { vendor: 'google' }, { finishReason: { unified: 'error', raw } });
    expect(run).toThrow(expect.objectContaining({ code: 'not_executed', reason: 'failed' }));
  },
);

const unreadable: readonly (readonly [title: string, content: LanguageModelV4Content[]])[] = [
  ['two calls of one id', [call('c1'), call('c1')]],
  ['a call without a name', [call('c1', { toolName: '' })]],
  [
    'a file by its address',
    [{ type: 'file', mediaType: 'image/png', data: { type: 'url', url: new URL('https://a.test') } }],
  ],
];

test.each(unreadable)('finds no answer in %s', (_title, content) => {
  expect(() => read(content)).toThrow('outcome unknown: unreadable_answer');
});

test('leaves out what the contract has no place for', () => {
  const { parts } = read([
    { type: 'source', sourceType: 'document', id: 's', mediaType: 'application/pdf', title: 'A' },
    { type: 'custom', kind: 'somebody.thing' },
    { type: 'tool-approval-request', approvalId: 'a', toolCallId: 'c' },
    { type: 'text', text: '' },
    { type: 'text', text: 'Yes.' },
  ]);
  expect(parts).toEqual([{ kind: 'text', text: 'Yes.' }]);
});
