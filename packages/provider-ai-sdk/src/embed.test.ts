import { APICallError, type EmbeddingModelV4, type EmbeddingModelV4CallOptions } from '@ai-sdk/provider';
import {
  readUsageAtLeast,
  type Attempt,
  type CallContext,
  type EmbeddingCall,
  type Embeddings,
} from '@tollgate/provider';
import { sampleCaller } from '@tollgate/testing/fakes';
import { describe, expect, test } from 'vitest';
import type { AiSdkProviderOptions } from './ai-sdk-provider-options.ts';
import { aiSdkProvider } from './ai-sdk-provider.ts';
import type { Vendor } from './vendor.ts';

const texts = ['a', 'bb', 'ccc', 'dddd', 'eeeee'];
const baseCall: EmbeddingCall = {
  operationId: '22222222-2222-4222-8222-222222222222',
  upstreamModel: 'some-model',
  input: { kind: 'texts', texts },
};

type Answer = (options: EmbeddingModelV4CallOptions, call: number) => Awaited<ReturnType<EmbeddingModelV4['doEmbed']>>;

const lengths: Answer = ({ values }) => ({
  embeddings: values.map((value) => [value.length]),
  usage: { tokens: 2 * values.length },
  warnings: [],
});

const embedderOf = (answer: Answer, maxEmbeddingsPerCall: EmbeddingModelV4['maxEmbeddingsPerCall'] = 2) => {
  const calls: EmbeddingModelV4CallOptions[] = [];
  const model: EmbeddingModelV4 = {
    specificationVersion: 'v4',
    provider: 'somebody.embedding',
    modelId: 'some-model',
    maxEmbeddingsPerCall,
    supportsParallelCalls: true,
    doEmbed: async (options) => {
      calls.push(options);
      return answer(options, calls.length);
    },
  };
  return { model, calls };
};

const embed = async (
  model: EmbeddingModelV4,
  call: Partial<EmbeddingCall> = {},
  options: Partial<AiSdkProviderOptions> = {},
): Promise<{
  readonly answer: Embeddings | undefined;
  readonly failure: unknown;
  readonly attempts: readonly Attempt[];
}> => {
  const attempts: Attempt[] = [];
  const context: CallContext = {
    caller: sampleCaller,
    signal: new AbortController().signal,
    recordAttempt: (attempt) => void attempts.push(attempt),
  };
  const provider = aiSdkProvider({ embeddingModel: () => model, ...options });
  return (provider.embed?.({ ...baseCall, ...call }, context) ?? Promise.reject(new Error('no embed'))).then(
    (answer) => ({ answer, failure: undefined, attempts }),
    (failure: unknown) => ({ answer: undefined, failure, attempts }),
  );
};

test('makes as many calls as the model needs, records each and adds their usage up', async () => {
  const { model, calls } = embedderOf(lengths);
  const { answer, attempts } = await embed(model, { dimensions: 8 });
  expect(answer).toEqual({
    vectors: [[1], [2], [3], [4], [5]],
    usage: [{ unit: 'embedding_tokens', quantity: 10, confirmed: true }],
  });
  expect(calls.map(({ values, dimensions }) => [values, dimensions])).toEqual([
    [['a', 'bb'], 8],
    [['ccc', 'dddd'], 8],
    [['eeeee'], 8],
  ]);
  expect(attempts.map(({ outcome }) => outcome)).toEqual(['answered', 'answered', 'answered']);
});

test.each([undefined, Number.POSITIVE_INFINITY, 0])(
  'makes one call where the model has no limit (%s)',
  async (limit) => {
    const { model, calls } = embedderOf(lengths, limit);
    await embed(model);
    expect(calls).toHaveLength(limit === undefined ? 3 : 1);
  },
);

test('makes one call where the limit is not known', async () => {
  const { model, calls } = embedderOf(lengths);
  await embed({ ...model, maxEmbeddingsPerCall: Promise.resolve(undefined) });
  expect(calls).toHaveLength(1);
});

test('puts vectors in the order of their places, where the upstream tells them', async () => {
  const { model } = embedderOf(({ values }) => ({
    embeddings: values.map((value) => [value.length]).toReversed(),
    usage: { tokens: 1 },
    warnings: [],
    response: { body: { data: values.map((_, index) => ({ index })).toReversed() } },
  }));
  expect((await embed(model)).answer?.vectors).toEqual([[1], [2], [3], [4], [5]]);
});

test('measures nothing where one of the calls did not', async () => {
  const { model } = embedderOf((options, call) => {
    const { usage, ...rest } = lengths(options, call);
    return call === 2 || usage === undefined ? rest : { ...rest, usage };
  });
  expect((await embed(model)).answer?.usage).toEqual([]);
});

test('counts inputs where the host says so', async () => {
  const { model } = embedderOf(lengths);
  const { answer } = await embed(model, {}, { embeddingMeter: 'embedding_inputs' });
  expect(answer?.usage).toEqual([{ unit: 'embedding_inputs', quantity: 5, confirmed: true }]);
});

const busy = (): never => {
  throw new APICallError({ message: 'busy', url: 'u', requestBodyValues: {}, statusCode: 429 });
};

test('is certain of a refusal only before the first answer', async () => {
  const first = await embed(embedderOf(busy).model);
  expect(first.failure).toMatchObject({ code: 'not_executed', reason: 'rate_limited' });
  const second = await embed(embedderOf((options, call) => (call === 2 ? busy() : lengths(options, call))).model);
  expect(String(second.failure)).toContain('outcome unknown: part_executed');
  expect(second.attempts.map(({ outcome }) => outcome)).toEqual(['answered', 'refused']);
  // What was answered before is billed.
  expect(readUsageAtLeast(second.failure)).toEqual([{ unit: 'embedding_tokens', quantity: 4, confirmed: false }]);
});

test('finds no answer where vectors are missing', async () => {
  const { failure } = await embed(embedderOf(() => ({ embeddings: [[1]], warnings: [] })).model);
  expect(String(failure)).toContain('outcome unknown: unreadable_answer');
});

const image = { kind: 'media', mimeType: 'image/png', data: 'iVBORw==' } as const;

test('hands content and task to Google in its own words', async () => {
  const { model, calls } = embedderOf(lengths);
  const input = { kind: 'content', parts: [{ kind: 'text', text: 'A dot.' }, image], documentOcr: false } as const;
  const { answer } = await embed(model, { input, task: 'CLASSIFICATION' }, { vendorOf: () => 'google' });
  expect(answer?.vectors).toHaveLength(1);
  expect(calls[0]).toMatchObject({
    values: [''],
    providerOptions: {
      google: {
        taskType: 'CLASSIFICATION',
        content: [[{ text: 'A dot.' }, { inlineData: { mimeType: 'image/png', data: 'iVBORw==' } }]],
      },
    },
  });
});

test.each([
  ['openai', { openai: { user: 'u1' } }],
  ['openai_compatible', { openaiCompatible: { user: 'u1' } }],
] as const)('hands the end user to %s', async (vendor, providerOptions) => {
  const { model, calls } = embedderOf(lengths);
  await embed(model, { endUser: 'u1' }, { vendorOf: () => vendor });
  expect(calls[0]?.providerOptions).toEqual(providerOptions);
});

const refused: readonly (readonly [title: string, vendor: Vendor, call: Partial<EmbeddingCall>])[] = [
  ['a title', 'google', { title: 'T', task: 'RETRIEVAL_DOCUMENT' }],
  ['a task', 'openai', { task: 'CLUSTERING' }],
  ['content', 'openai', { input: { kind: 'content', parts: [image] } }],
  ['reading of documents', 'google', { input: { kind: 'content', parts: [image], documentOcr: true } }],
  ['the sound of films', 'google', { input: { kind: 'content', parts: [image], audioTrackExtraction: true } }],
  ['the end user', 'google', { endUser: 'u1' }],
];

describe('refuses', () => {
  test.each(refused)('%s (%s)', async (_title, vendor, call) => {
    const { model, calls } = embedderOf(lengths);
    const { failure, attempts } = await embed(model, call, { vendorOf: () => vendor });
    expect(failure).toMatchObject({ code: 'not_executed', reason: 'unsupported' });
    expect([calls, attempts]).toEqual([[], []]);
  });
});

test('is unavailable for a model that the host has not', async () => {
  const { failure } = await embed(embedderOf(lengths).model, {}, { embeddingModel: () => null });
  expect(failure).toMatchObject({ reason: 'unavailable' });
});
