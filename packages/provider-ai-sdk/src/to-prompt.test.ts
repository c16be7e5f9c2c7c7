import type { BlobPart, Content, GenerationCall } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { loadMedia } from './media-bytes.ts';
import { writePartContext } from './part-context.ts';
import { toPrompt } from './to-prompt.ts';
import type { Vendor } from './vendor.ts';

const promptOf = (contents: readonly Content[], vendor: Vendor = 'other', systemInstruction: string | null = null) => {
  const call: GenerationCall = {
    operationId: '11111111-1111-4111-8111-111111111111',
    upstreamModel: 'some-model',
    systemInstruction,
    contents,
    tools: [],
    toolChoice: { kind: 'auto' },
    responseFormat: { kind: 'text' },
    sampling: {},
    outputTokensMax: 500,
  };
  return toPrompt(call, { vendor, media: new Map() });
};

/** The context that a part has where its model said this of it. */
const contextOf = (...given: Parameters<typeof writePartContext>): { context: string } => ({
  context: writePartContext(...given) ?? '',
});

const call = { kind: 'function_call', id: 'c1', name: 'look', arguments: '{"at":1}' } as const;
const wireCall = { type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: { at: 1 } };

test('writes the system instruction first', () => {
  expect(promptOf([{ role: 'user', parts: [{ kind: 'text', text: 'Hi' }] }], 'other', 'Be brief.')).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
  ]);
});

test('writes media as files of the type that models know, with names and details', () => {
  const prompt = promptOf(
    [
      {
        role: 'user',
        parts: [
          { kind: 'media', mimeType: 'audio/x-wav; codecs=1', data: 'UklGRg==' },
          { kind: 'media', mimeType: 'application/pdf', data: 'JVBERg==', filename: 'a.pdf', detail: 'auto' },
          { kind: 'media', mimeType: 'image/png', data: 'iVBORw==', detail: 'low' },
          { kind: 'media', mimeType: 'audio/L16;rate=24000', data: 'AAAA' },
        ],
      },
    ],
    'openai',
  );
  expect(prompt).toEqual([
    {
      role: 'user',
      content: [
        { type: 'file', mediaType: 'audio/wav', data: { type: 'data', data: 'UklGRg==' } },
        { type: 'file', mediaType: 'application/pdf', data: { type: 'data', data: 'JVBERg==' }, filename: 'a.pdf' },
        {
          type: 'file',
          mediaType: 'image/png',
          data: { type: 'data', data: 'iVBORw==' },
          providerOptions: { openai: { imageDetail: 'low' } },
        },
        { type: 'file', mediaType: 'audio/L16;rate=24000', data: { type: 'data', data: 'AAAA' } },
      ],
    },
  ]);
});

test('writes blobs with the bytes that were read', async () => {
  const blob: BlobPart = {
    kind: 'blob',
    mimeType: 'image/png',
    sizeBytes: 3,
    read: async function* () {
      yield Uint8Array.of(1, 2);
      yield Uint8Array.of(3);
    },
  };
  const contents: readonly Content[] = [{ role: 'user', parts: [blob] }];
  const media = await loadMedia(contents, 3);
  const [message] = toPrompt(
    {
      operationId: '1',
      upstreamModel: 'm',
      systemInstruction: null,
      contents,
      tools: [],
      toolChoice: { kind: 'auto' },
      responseFormat: { kind: 'text' },
      sampling: {},
      outputTokensMax: 1,
    },
    { vendor: 'other', media },
  );
  expect(message?.content).toEqual([{ type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AQID' } }]);
});

test('writes answers of functions first, as the client wrote them', () => {
  const contents: readonly Content[] = [
    {
      role: 'user',
      parts: [
        { kind: 'text', text: 'Here.' },
        { kind: 'function_response', id: 'c1', name: 'look', response: '{"big": 12345678901234567890}' },
      ],
    },
  ];
  expect(promptOf(contents)).toEqual([
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'c1',
          toolName: 'look',
          output: { type: 'text', value: '{"big": 12345678901234567890}' },
        },
      ],
    },
    { role: 'user', content: [{ type: 'text', text: 'Here.' }] },
  ]);
});

const result = (response: string): Content => ({
  role: 'user',
  parts: [{ kind: 'function_response', id: 'c1', name: 'look', response }],
});

test('writes answers of functions as objects for Google, where they are any', () => {
  const outputs = promptOf([result('{"c":21}'), result('mild'), result('[1]')], 'google').map(({ content }) => content);
  expect(outputs).toMatchObject([
    [{ output: { type: 'json', value: { c: 21 } } }],
    [{ output: { type: 'text', value: 'mild' } }],
    [{ output: { type: 'text', value: '[1]' } }],
  ]);
});

test('hands the state of parts back as their provider options', () => {
  const metadata = { google: { thoughtSignature: 'c2ln' } };
  const state = contextOf({ metadata });
  const contents: readonly Content[] = [
    {
      role: 'model',
      parts: [
        { kind: 'text', text: 'Hm.', thought: true, ...state },
        { kind: 'text', text: 'Here:', ...state },
        { kind: 'media', mimeType: 'image/png', data: 'iVBORw==', ...state },
        { ...call, ...state },
      ],
    },
  ];
  expect(promptOf(contents, 'google')).toEqual([
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Hm.', providerOptions: metadata },
        { type: 'text', text: 'Here:', providerOptions: metadata },
        {
          type: 'file',
          mediaType: 'image/png',
          data: { type: 'data', data: 'iVBORw==' },
          providerOptions: metadata,
        },
        { ...wireCall, providerOptions: metadata },
      ],
    },
  ]);
});

test('puts reasoning before the call that it led to', () => {
  const anthropic = { anthropic: { signature: 'c2ln' } };
  const context = contextOf({ reasoning: [{ text: 'Look there.', metadata: anthropic }] });
  expect(promptOf([{ role: 'model', parts: [{ ...call, ...context }] }])).toEqual([
    {
      role: 'assistant',
      content: [{ type: 'reasoning', text: 'Look there.', providerOptions: anthropic }, wireCall],
    },
  ]);
});

test('does not repeat reasoning that the client sent itself', () => {
  const context = contextOf({ reasoning: [{ text: 'Look there.', metadata: undefined }] });
  const parts = [{ kind: 'text', text: 'Look there.', thought: true } as const, { ...call, ...context }];
  expect(promptOf([{ role: 'model', parts }])).toEqual([
    { role: 'assistant', content: [{ type: 'reasoning', text: 'Look there.' }, wireCall] },
  ]);
});

test('takes a context of another provider for none', () => {
  for (const context of ['plain words', 'c2ln', '{"metadata":1}']) {
    expect(promptOf([{ role: 'model', parts: [{ ...call, context }] }])).toEqual([
      { role: 'assistant', content: [wireCall] },
    ]);
  }
});

test('writes a call without arguments as an empty object', () => {
  const [message] = promptOf([{ role: 'model', parts: [{ ...call, arguments: ' ' }] }]);
  expect(message?.content).toEqual([{ ...wireCall, input: {} }]);
});

test('tells Google the code of earlier turns, and what came of it', () => {
  const parts = [
    { kind: 'executable_code', id: 'x1', language: 'PYTHON', code: 'print(1)' },
    { kind: 'code_execution_result', id: 'x1', outcome: 'deadline_exceeded', output: '' },
  ] as const;
  expect(promptOf([{ role: 'model', parts }], 'google')).toEqual([
    {
      role: 'assistant',
      content: [
        {
          type: 'tool-call',
          toolCallId: 'x1',
          toolName: 'code_execution',
          input: { language: 'PYTHON', code: 'print(1)' },
          providerExecuted: true,
        },
        {
          type: 'tool-result',
          toolCallId: 'x1',
          toolName: 'code_execution',
          output: { type: 'json', value: { outcome: 'OUTCOME_DEADLINE_EXCEEDED', output: '' } },
        },
      ],
    },
  ]);
});

test('tells other vendors the code of earlier turns out of its context', () => {
  const parts = [
    {
      kind: 'executable_code',
      id: 'x1',
      language: 'PYTHON',
      code: '1',
      ...contextOf({ tool: { code: '1', box: 'b' } }),
    },
    { kind: 'code_execution_result', id: 'x1', outcome: 'ok', output: '1', ...contextOf({ tool: { stdout: '1' } }) },
  ] as const;
  const [message] = promptOf([{ role: 'model', parts }], 'anthropic');
  expect(message?.content).toMatchObject([
    { type: 'tool-call', input: { code: '1', box: 'b' }, providerExecuted: true },
    { type: 'tool-result', output: { type: 'json', value: { stdout: '1' } } },
  ]);
});
