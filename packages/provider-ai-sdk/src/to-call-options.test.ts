import { isNotExecuted, type GenerationCall, type GenerationTool } from '@tollgate/provider';
import { describe, expect, test } from 'vitest';
import { toCallOptions, type CallWorld } from './to-call-options.ts';
import type { Vendor } from './vendor.ts';

const baseCall: GenerationCall = {
  operationId: '11111111-1111-4111-8111-111111111111',
  upstreamModel: 'some-model',
  systemInstruction: null,
  contents: [{ role: 'user', parts: [{ kind: 'text', text: 'Hello' }] }],
  tools: [],
  toolChoice: { kind: 'auto' },
  responseFormat: { kind: 'text' },
  sampling: {},
  outputTokensMax: 500,
};

const providers: { readonly [V in Vendor]: string } = {
  google: 'google.generative-ai',
  openai: 'openai.responses',
  anthropic: 'anthropic.messages',
  openai_compatible: 'local.chat',
  other: 'somebody.chat',
};

const worldOf = (vendor: Vendor, modelId = 'some-model'): CallWorld => ({
  vendor,
  media: new Map(),
  model: { provider: providers[vendor], modelId },
  builtInTool: () => undefined,
});

const optionsOf = (call: Partial<GenerationCall>, vendor: Vendor = 'other', modelId?: string): object => {
  const { prompt: _, maxOutputTokens: __, ...rest } = toCallOptions({ ...baseCall, ...call }, worldOf(vendor, modelId));
  return rest;
};

const fn = (name: string, rest: object = {}): GenerationTool => ({ kind: 'function', name, ...rest });
const two = [fn('one'), fn('two')];
const parameters = { type: 'object', properties: { city: { type: 'string' } } };
const declared = { type: 'function', name: 'one', inputSchema: { type: 'object', properties: {} } };

test('caps the output', () => {
  expect(toCallOptions(baseCall, worldOf('other')).maxOutputTokens).toBe(500);
});

test('leaves out what was not asked for', () => {
  expect(optionsOf({})).toEqual({});
  expect(optionsOf({ toolChoice: { kind: 'none' }, modalities: ['text'], safety: [] })).toEqual({});
});

const carried: readonly (readonly [title: string, vendor: Vendor, call: Partial<GenerationCall>, options: object])[] = [
  [
    'sampling',
    'other',
    { sampling: { temperature: 0, topP: 0.5, topK: 4, seed: 7, stopSequences: ['END'], parallelToolCalls: true } },
    { temperature: 0, topP: 0.5, topK: 4, seed: 7, stopSequences: ['END'] },
  ],
  ['no stop sequences', 'other', { sampling: { stopSequences: [] } }, {}],
  [
    'functions with their schema',
    'other',
    { tools: [fn('one', { description: 'First.', parameters, strict: true })] },
    {
      tools: [{ type: 'function', name: 'one', description: 'First.', inputSchema: parameters, strict: true }],
      toolChoice: { type: 'auto' },
    },
  ],
  [
    'a choice of no function',
    'other',
    { tools: [fn('one')], toolChoice: { kind: 'none' } },
    { tools: [declared], toolChoice: { type: 'none' } },
  ],
  [
    'a choice of a function',
    'other',
    { tools: [fn('one')], toolChoice: { kind: 'function', name: 'one' } },
    { tools: [declared], toolChoice: { type: 'tool', toolName: 'one' } },
  ],
  [
    'a choice of any function',
    'other',
    { tools: [fn('one')], toolChoice: { kind: 'required' } },
    { tools: [declared], toolChoice: { type: 'required' } },
  ],
  [
    'a choice of all functions by name',
    'other',
    { tools: [fn('one')], toolChoice: { kind: 'required', names: ['one'] } },
    { tools: [declared], toolChoice: { type: 'required' } },
  ],
  [
    'a choice of one name',
    'other',
    { tools: two, toolChoice: { kind: 'required', names: ['two'] } },
    { tools: [declared, { ...declared, name: 'two' }], toolChoice: { type: 'tool', toolName: 'two' } },
  ],
  [
    'calls as declared, by strict functions',
    'google',
    { tools: [fn('one')], toolChoice: { kind: 'validated' } },
    { tools: [{ ...declared, strict: true }], toolChoice: { type: 'auto' } },
  ],
  [
    'built-in tools of Google',
    'google',
    { tools: [{ kind: 'code_execution' }, { kind: 'url_context' }] },
    {
      tools: [
        { type: 'provider', id: 'google.code_execution', name: 'code_execution', args: {} },
        { type: 'provider', id: 'google.url_context', name: 'url_context', args: {} },
      ],
      toolChoice: { type: 'auto' },
    },
  ],
  [
    'code execution of OpenAI',
    'openai',
    { tools: [{ kind: 'code_execution' }] },
    {
      tools: [{ type: 'provider', id: 'openai.code_interpreter', name: 'code_execution', args: {} }],
      toolChoice: { type: 'auto' },
    },
  ],
  [
    'pages read by Anthropic',
    'anthropic',
    { tools: [{ kind: 'url_context' }] },
    {
      tools: [{ type: 'provider', id: 'anthropic.web_fetch_20250910', name: 'url_context', args: {} }],
      toolChoice: { type: 'auto' },
    },
  ],
  ['any JSON', 'other', { responseFormat: { kind: 'json_object' } }, { responseFormat: { type: 'json' } }],
  [
    'JSON of a schema',
    'other',
    { responseFormat: { kind: 'json_schema', name: 'city', schema: parameters, description: 'A city.' } },
    { responseFormat: { type: 'json', name: 'city', schema: parameters, description: 'A city.' } },
  ],
  [
    'a schema that is not strict',
    'openai',
    { responseFormat: { kind: 'json_schema', name: 'city', schema: parameters, strict: false } },
    {
      responseFormat: { type: 'json', name: 'city', schema: parameters },
      providerOptions: { openai: { strictJsonSchema: false } },
    },
  ],
  ['a level of reasoning', 'other', { thinking: { level: 'low' } }, { reasoning: 'low' }],
  ['no reasoning', 'other', { thinking: { budgetTokens: 0 } }, { reasoning: 'none' }],
  ['reasoning as the model likes', 'other', { thinking: { budgetTokens: -1 } }, {}],
  ['thoughts of whoever tells them', 'other', { thinking: { includeThoughts: true } }, {}],
  [
    'thoughts of OpenAI',
    'openai',
    { thinking: { includeThoughts: true, level: 'high' } },
    { reasoning: 'high', providerOptions: { openai: { reasoningSummary: 'auto' } } },
  ],
  [
    'a budget of Anthropic',
    'anthropic',
    { thinking: { budgetTokens: 2_048 } },
    { providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens: 2_048 } } } },
  ],
  [
    'a budget of Google',
    'google',
    { thinking: { budgetTokens: 64, includeThoughts: true } },
    { providerOptions: { google: { thinkingConfig: { includeThoughts: true, thinkingBudget: 64 } } } },
  ],
  [
    'a level of Google, which older models take as a budget',
    'google',
    { thinking: { level: 'low', includeThoughts: false } },
    { reasoning: 'low', providerOptions: { google: { thinkingConfig: { includeThoughts: false } } } },
  ],
  ['the end user to OpenAI', 'openai', { endUser: 'u1' }, { providerOptions: { openai: { user: 'u1' } } }],
  [
    'the end user to Anthropic',
    'anthropic',
    { endUser: 'u1' },
    { providerOptions: { anthropic: { metadata: { userId: 'u1' } } } },
  ],
  [
    'the end user to compatible upstreams',
    'openai_compatible',
    { endUser: 'u1' },
    { providerOptions: { openaiCompatible: { user: 'u1' } } },
  ],
  [
    'one call at a time, in the namespace that goes onto the wire',
    'openai_compatible',
    { tools: [fn('one')], sampling: { parallelToolCalls: false } },
    {
      tools: [declared],
      toolChoice: { type: 'auto' },
      providerOptions: { local: { parallel_tool_calls: false } },
    },
  ],
  [
    'one call at a time to Anthropic',
    'anthropic',
    { tools: [fn('one')], sampling: { parallelToolCalls: false } },
    {
      tools: [declared],
      toolChoice: { type: 'auto' },
      providerOptions: { anthropic: { disableParallelToolUse: true } },
    },
  ],
  [
    'what only Google takes',
    'google',
    {
      modalities: ['text', 'image'],
      image: { aspectRatio: '16:9', size: '2K' },
      mediaResolution: 'low',
      safety: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_ONLY_HIGH' }],
    },
    {
      providerOptions: {
        google: {
          responseModalities: ['TEXT', 'IMAGE'],
          imageConfig: { aspectRatio: '16:9', imageSize: '2K' },
          mediaResolution: 'MEDIA_RESOLUTION_LOW',
          safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_ONLY_HIGH' }],
        },
      },
    },
  ],
];

describe('carries', () => {
  test.each(carried)('%s (%s)', (_title, vendor, call, options) => {
    expect(optionsOf(call, vendor)).toEqual(options);
  });
});

test('carries functions beside built-in tools to models of Google that take both', () => {
  const tools = [fn('one'), { kind: 'url_context' } as const];
  expect(optionsOf({ tools }, 'google', 'gemini-3-pro-preview')).toMatchObject({ tools: [{}, {}] });
});

test("takes the host's own provider tool, also where the table has none", () => {
  const world = { ...worldOf('other'), builtInTool: () => ({ id: 'mine.run', args: { size: 2 } }) as const };
  expect(toCallOptions({ ...baseCall, tools: [{ kind: 'code_execution' }] }, world).tools).toEqual([
    { type: 'provider', id: 'mine.run', name: 'code_execution', args: { size: 2 } },
  ]);
});

const image = { kind: 'media', mimeType: 'image/png', data: 'iVBORw0KGgo=' } as const;
const userTurn = (part: object): Partial<GenerationCall> => ({
  contents: [{ role: 'user', parts: [part as typeof image] }],
});
const modelTurn = (part: object): Partial<GenerationCall> => ({
  contents: [{ role: 'model', parts: [part as typeof image] }],
});

const refused: readonly (readonly [title: string, vendor: Vendor, call: Partial<GenerationCall>])[] = [
  [
    'a choice of some functions',
    'other',
    { tools: [...two, fn('c')], toolChoice: { kind: 'required', names: ['one', 'two'] } },
  ],
  ['a choice without functions', 'other', { toolChoice: { kind: 'required' } }],
  [
    'a choice of functions among built-in tools',
    'google',
    { tools: [{ kind: 'url_context' }], toolChoice: { kind: 'required' } },
  ],
  ['calls only as declared', 'openai', { tools: [fn('one')], toolChoice: { kind: 'validated' } }],
  ['some calls only as declared', 'google', { tools: two, toolChoice: { kind: 'validated', names: ['one'] } }],
  ['code execution', 'other', { tools: [{ kind: 'code_execution' }] }],
  ['code execution', 'openai_compatible', { tools: [{ kind: 'code_execution' }] }],
  ['reading of pages', 'openai', { tools: [{ kind: 'url_context' }] }],
  ['a budget of reasoning', 'other', { thinking: { budgetTokens: 64 } }],
  ['a budget of reasoning', 'openai', { thinking: { budgetTokens: 64 } }],
  ['a budget and a level of reasoning', 'anthropic', { thinking: { budgetTokens: 64, level: 'low' } }],
  ['the end user', 'other', { endUser: 'u1' }],
  ['the end user', 'google', { endUser: 'u1' }],
  ['calls one at a time', 'other', { tools: [fn('one')], sampling: { parallelToolCalls: false } }],
  ['calls one at a time', 'google', { tools: [fn('one')], sampling: { parallelToolCalls: false } }],
  ['images that come out', 'openai', { modalities: ['text', 'image'] }],
  ['sound that comes out', 'anthropic', { modalities: ['audio'] }],
  ['an aspect ratio', 'other', { image: { aspectRatio: '1:1' } }],
  ['a media resolution', 'other', { mediaResolution: 'high' }],
  ['safety settings', 'openai', { safety: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }] }],
  ['a voice', 'google', { speech: { kind: 'one_voice', voice: 'Kore' } }],
  ['the detail of an image', 'google', userTurn({ ...image, detail: 'high' })],
  ['the detail of an image', 'openai_compatible', userTurn({ ...image, detail: 'low' })],
  ['media that the model made', 'openai', modelTurn(image)],
  ['code of an earlier turn', 'openai', modelTurn({ kind: 'executable_code', language: 'PYTHON', code: '1' })],
  [
    'a result of an earlier turn',
    'anthropic',
    modelTurn({ kind: 'code_execution_result', outcome: 'ok', output: '1' }),
  ],
  ['arguments that are no JSON', 'other', modelTurn({ kind: 'function_call', id: 'c', name: 'one', arguments: '{' })],
  ['a call that the client made', 'other', userTurn({ kind: 'function_call', id: 'c', name: 'one', arguments: '{}' })],
  [
    'an answer that the model gave',
    'other',
    modelTurn({ kind: 'function_response', id: 'c', name: 'one', response: '1' }),
  ],
];

const refusalOf = (run: () => unknown): unknown => {
  try {
    run();
    return undefined;
  } catch (cause) {
    return isNotExecuted(cause) ? cause.reason : cause;
  }
};

describe('refuses', () => {
  test.each(refused)('%s (%s)', (_title, vendor, call) => {
    expect(refusalOf(() => optionsOf(call, vendor))).toBe('unsupported');
  });

  test.each(['gemini-2.5-flash', 'gemini-1.5-pro'])('functions beside built-in tools (%s)', (modelId) => {
    const tools = [fn('one'), { kind: 'url_context' } as const];
    expect(refusalOf(() => optionsOf({ tools }, 'google', modelId))).toBe('unsupported');
  });

  test('a built-in tool that the host takes away', () => {
    const world = { ...worldOf('google'), builtInTool: () => null };
    const call: GenerationCall = { ...baseCall, tools: [{ kind: 'code_execution' }] };
    expect(refusalOf(() => toCallOptions(call, world))).toBe('unsupported');
  });
});
