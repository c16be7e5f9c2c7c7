import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { NoSuchModelError } from '@ai-sdk/provider';
import type { Attempt, BlobPart, CallContext, GenerationCall, Part } from '@tollgate/provider';
import { sampleCaller, fakeCompletion, startFakeOpenai } from '@tollgate/testing/fakes';
import { expect, test } from 'vitest';
import type { ModelWarning } from './ai-sdk-provider-options.ts';
import { aiSdkProvider } from './ai-sdk-provider.ts';
import { readPartContext } from './part-context.ts';

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

const contextOf = (signal = new AbortController().signal): CallContext & { readonly attempts: readonly Attempt[] } => {
  const attempts: Attempt[] = [];
  return { caller: sampleCaller, signal, attempts, recordAttempt: (attempt) => void attempts.push(attempt) };
};

const usage = {
  inputTokens: { total: 3, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 2, text: undefined, reasoning: undefined },
};
const finish = { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage } as const;

interface HandWritten extends LanguageModelV4 {
  readonly calls: readonly LanguageModelV4CallOptions[];
}

const languageModel = (
  pieces: readonly LanguageModelV4StreamPart[],
  rest: Partial<LanguageModelV4> = {},
): HandWritten => {
  const calls: LanguageModelV4CallOptions[] = [];
  return {
    specificationVersion: 'v4',
    provider: 'somebody.chat',
    modelId: 'some-model',
    supportedUrls: {},
    calls,
    doGenerate: async (options) => {
      calls.push(options);
      return {
        content: [{ type: 'text', text: 'Hi.' }],
        finishReason: finish.finishReason,
        usage,
        warnings: [{ type: 'unsupported', feature: 'seed' }],
      };
    },
    doStream: async (options) => {
      calls.push(options);
      return {
        stream: new ReadableStream({
          start: (controller) => {
            for (const piece of pieces) controller.enqueue(piece);
            controller.close();
          },
        }),
      };
    },
    ...rest,
  };
};

const stream = async (model: LanguageModelV4, call: Partial<GenerationCall> = {}, context = contextOf()) => {
  const parts: Part[] = [];
  const provider = aiSdkProvider({ languageModel: () => model });
  const end = await provider.generateStream?.(
    { ...baseCall, ...call },
    context,
    (pieces) => void parts.push(...pieces),
  );
  return { end, parts, attempts: context.attempts };
};

test('has the methods that its models can answer', () => {
  expect(Object.keys(aiSdkProvider({}))).toEqual(['name']);
  expect(aiSdkProvider({ name: 'mine' }).name).toBe('mine');
  const model = languageModel([]);
  expect(Object.keys(aiSdkProvider({ languageModel: () => model }))).toEqual([
    'name',
    'runsTool',
    'generate',
    'generateStream',
  ]);
  expect(Object.keys(aiSdkProvider({ embeddingModel: () => null }))).toEqual(['name', 'embed']);
});

test('records one attempt for a call, and tells the host of warnings', async () => {
  const warnings: ModelWarning[] = [];
  let nowMs = 100;
  const context = contextOf();
  const provider = aiSdkProvider({
    languageModel: () => languageModel([]),
    onWarning: (warning) => void warnings.push(warning),
    now: () => (nowMs += 5),
  });
  const answer = await provider.generate?.({ ...baseCall, sampling: { seed: 1 } }, context);
  expect(answer?.text).toBe('Hi.');
  expect(context.attempts).toEqual([{ startedAtMs: 105, durationMs: 5, status: 200, outcome: 'answered' }]);
  expect(warnings).toEqual([
    {
      operationId: baseCall.operationId,
      provider: 'somebody.chat',
      modelId: 'some-model',
      warning: { type: 'unsupported', feature: 'seed' },
    },
  ]);
});

test('finds models by their upstream name', async () => {
  const names: string[] = [];
  const provider = aiSdkProvider({
    languageModel: (name) => {
      names.push(name);
      return languageModel([]);
    },
  });
  await provider.generate?.(baseCall, contextOf());
  expect(names).toEqual(['some-model']);
});

const without: readonly (readonly [title: string, find: (name: string) => LanguageModelV4 | null])[] = [
  ['there is none', () => null],
  [
    'the AI SDK knows none',
    () => {
      throw new NoSuchModelError({ modelId: 'm', modelType: 'languageModel' });
    },
  ],
  [
    'looking for it fails',
    () => {
      throw new Error('no configuration');
    },
  ],
  [
    'it is of an older AI SDK',
    () => ({ ...languageModel([]), specificationVersion: 'v3' }) as unknown as LanguageModelV4,
  ],
];

test.each(without)('is unavailable for a model where %s', async (_title, find) => {
  const context = contextOf();
  const answer = aiSdkProvider({ languageModel: find }).generate?.(baseCall, context);
  await expect(answer).rejects.toMatchObject({ code: 'not_executed', reason: 'unavailable' });
  expect(context.attempts).toEqual([]);
});

test('asks functions before a provider, which has a model for any name', async () => {
  const fake = await startFakeOpenai();
  const upstream = createOpenAICompatible({ name: 'fake', baseURL: fake.url });
  const provider = aiSdkProvider({
    imageModel: upstream,
    languageModel: (name) => (name === 'some-model' ? languageModel([]) : null),
  });
  expect((await provider.generate?.(baseCall, contextOf()))?.text).toBe('Hi.');
  expect(fake.count()).toBe(0);
  await fake.close();
});

test('takes no two providers of which one could never be asked, and none without models of the kind', () => {
  const upstream = createOpenAICompatible({ name: 'fake', baseURL: 'http://127.0.0.1:9' });
  expect(() => aiSdkProvider({ imageModel: upstream, languageModel: upstream })).toThrow(TypeError);
  expect(() => aiSdkProvider({ speechModel: upstream })).toThrow('the provider has no models of this kind');
});

test('refuses beforehand what a model would leave out, where the model can tell', async () => {
  const fake = await startFakeOpenai();
  const upstream = createOpenAICompatible({ name: 'fake', baseURL: fake.url });
  const provider = aiSdkProvider({ languageModel: upstream });
  const schema = { kind: 'json_schema', name: 'city', schema: { type: 'object' } } as const;
  for (const call of [{ sampling: { topK: 3 } }, { responseFormat: schema }]) {
    const context = contextOf();
    const answer = provider.generate?.({ ...baseCall, ...call }, context);
    await expect(answer).rejects.toMatchObject({ reason: 'unsupported' });
    expect(context.attempts).toEqual([]);
  }
  expect(fake.count()).toBe(0);
  await fake.close();
});

test('puts what the AI SDK has no name for onto the wire', async () => {
  const fake = await startFakeOpenai();
  fake.script({ kind: 'answer', body: fakeCompletion() });
  const upstream = createOpenAICompatible({ name: 'fake', baseURL: fake.url });
  const provider = aiSdkProvider({ languageModel: upstream, vendorOf: () => 'openai_compatible' });
  await provider.generate?.(
    { ...baseCall, endUser: 'u1', tools: [{ kind: 'function', name: 'look' }], sampling: { parallelToolCalls: false } },
    contextOf(),
  );
  expect(fake.requests[0]?.body).toMatchObject({ user: 'u1', parallel_tool_calls: false, max_tokens: 500 });
  await fake.close();
});

test('executes nothing where the upstream does not listen', async () => {
  const fake = await startFakeOpenai();
  await fake.close();
  const upstream = createOpenAICompatible({ name: 'fake', baseURL: fake.url });
  const context = contextOf();
  const answer = aiSdkProvider({ languageModel: upstream }).generate?.(baseCall, context);
  await expect(answer).rejects.toMatchObject({ code: 'not_executed', reason: 'unavailable' });
  expect(context.attempts.map(({ status, outcome }) => [status, outcome])).toEqual([[null, 'not_sent']]);
});

test('executes nothing where a blob cannot be read', async () => {
  const model = languageModel([]);
  const blob: BlobPart = {
    kind: 'blob',
    mimeType: 'image/png',
    sizeBytes: 3,
    read: () => {
      throw new Error('the disk is gone');
    },
  };
  const context = contextOf();
  const call: GenerationCall = { ...baseCall, contents: [{ role: 'user', parts: [blob] }] };
  const answer = aiSdkProvider({ languageModel: () => model }).generate?.(call, context);
  await expect(answer).rejects.toMatchObject({ reason: 'unavailable' });
  expect([model.calls, context.attempts]).toEqual([[], []]);
});

test('hands a stream over piece by piece', async () => {
  const { end, parts, attempts } = await stream(
    languageModel([
      { type: 'stream-start', warnings: [] },
      { type: 'response-metadata', id: 'r' },
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'Hel' },
      { type: 'text-delta', id: '1', delta: 'lo' },
      { type: 'text-end', id: '1' },
      { type: 'tool-input-start', id: 'c', toolName: 'look' },
      { type: 'tool-input-delta', id: 'c', delta: '{}' },
      { type: 'tool-input-end', id: 'c' },
      { type: 'tool-call', toolCallId: 'c', toolName: 'look', input: '{}' },
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'iVBORw==' } },
      { type: 'ping' },
      finish,
    ]),
  );
  expect(parts).toEqual([
    { kind: 'text', text: 'Hel' },
    { kind: 'text', text: 'lo' },
    { kind: 'function_call', id: 'c', name: 'look', arguments: '{}' },
    { kind: 'media', mimeType: 'image/png', data: 'iVBORw==' },
  ]);
  expect(end).toEqual({
    finish: 'stop',
    usage: [
      { unit: 'input_text_tokens', quantity: 3, confirmed: true },
      { unit: 'output_text_tokens', quantity: 2, confirmed: true },
    ],
  });
  expect(attempts.map(({ outcome }) => outcome)).toEqual(['answered']);
});

const thinking = [
  { type: 'reasoning-start', id: '1' },
  { type: 'reasoning-delta', id: '1', delta: 'Look ' },
  { type: 'reasoning-delta', id: '1', delta: 'there.' },
  { type: 'reasoning-end', id: '1', providerMetadata: { anthropic: { signature: 's1' } } },
  { type: 'reasoning-start', id: '2', providerMetadata: { anthropic: { redactedData: 'r' } } },
  { type: 'reasoning-end', id: '2' },
  { type: 'text-start', id: '3', providerMetadata: { openai: { itemId: 'i' } } },
  { type: 'text-delta', id: '3', delta: 'So:' },
  { type: 'text-end', id: '3' },
  { type: 'tool-call', toolCallId: 'c', toolName: 'look', input: '{}' },
  finish,
] as const satisfies readonly LanguageModelV4StreamPart[];

test('keeps the reasoning of a stream with its first call, signatures included', async () => {
  const { parts } = await stream(languageModel(thinking));
  const [text, call] = parts;
  expect(text).toMatchObject({ kind: 'text', text: 'So:' });
  expect(text?.kind === 'text' ? readPartContext(text.context).metadata : null).toEqual({ openai: { itemId: 'i' } });
  expect(call?.kind === 'function_call' ? readPartContext(call.context).reasoning : null).toEqual([
    { text: 'Look there.', metadata: { anthropic: { signature: 's1' } } },
    { text: '', metadata: { anthropic: { redactedData: 'r' } } },
  ]);
});

test('shows the thoughts of a stream where they were asked for', async () => {
  const { parts } = await stream(languageModel(thinking), { thinking: { includeThoughts: true } });
  const thoughts = parts.filter((part) => part.kind === 'text' && part.thought === true);
  expect(thoughts.map((part) => (part.kind === 'text' ? part.text : ''))).toEqual(['Look ', 'there.', '', '']);
});

test('takes a malformed end of Google for a partial answer where something was handed over', async () => {
  const text = { type: 'text-delta', id: '1', delta: 'Hel' } as const;
  const end = { ...finish, finishReason: { unified: 'error', raw: 'MALFORMED_FUNCTION_CALL' } } as const;
  const google = { provider: 'google.generative-ai' };
  expect((await stream(languageModel([text, end], google))).end?.finish).toBe('length');
  await expect(stream(languageModel([end], google))).rejects.toMatchObject({ reason: 'failed' });
});

test('takes a stream without an end for interrupted', async () => {
  const context = contextOf();
  const model = languageModel([{ type: 'text-delta', id: '1', delta: 'Hel' }]);
  await expect(stream(model, {}, context)).rejects.toThrow('outcome unknown: interrupted');
  expect(context.attempts.map(({ status, outcome }) => [status, outcome])).toEqual([[200, 'unknown']]);
});

test('reads an error before any content, and doubts one after thoughts that were not shown', async () => {
  const error = { type: 'error', error: { message: 'busy', statusCode: 429 } } as const;
  await expect(stream(languageModel([{ type: 'stream-start', warnings: [] }, error]))).rejects.toMatchObject({
    reason: 'rate_limited',
  });
  const thought = { type: 'reasoning-delta', id: '1', delta: 'Hm' } as const;
  await expect(stream(languageModel([thought, error]))).rejects.toThrow('outcome unknown: upstream_error');
});

test('stops waiting for a model that does not heed its signal, and cancels its stream', async () => {
  const controller = new AbortController();
  const cancelled = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const model = languageModel([], {
    doStream: async () => ({
      stream: new ReadableStream({
        start: (given) => given.enqueue({ type: 'text-delta', id: '1', delta: 'Hel' }),
        cancel: () => cancelled.resolve(),
      }),
    }),
  });
  const context = contextOf(controller.signal);
  const provider = aiSdkProvider({ languageModel: () => model });
  const running = provider.generateStream?.(baseCall, context, () => begun.resolve());
  await begun.promise;
  controller.abort();
  await expect(running).rejects.toThrow('outcome unknown: aborted');
  await cancelled.promise;
  expect(context.attempts.map(({ status, outcome }) => [status, outcome])).toEqual([[200, 'unknown']]);
});

test('stops waiting for a generation that does not heed its signal', async () => {
  const controller = new AbortController();
  const begun = Promise.withResolvers<void>();
  const model = languageModel([], {
    doGenerate: () => {
      begun.resolve();
      return new Promise(() => {});
    },
  });
  const running = aiSdkProvider({ languageModel: () => model }).generate?.(baseCall, contextOf(controller.signal));
  await begun.promise;
  controller.abort();
  await expect(running).rejects.toThrow('outcome unknown: aborted');
});
