import { createGoogle } from '@ai-sdk/google';
import {
  sampleCaller,
  fakeGeminiError,
  fakeGeminiResponse,
  startFakeGemini,
  type FakeGemini,
  type FakeGeminiBehaviour,
} from '@tollgate/testing/fakes';
import {
  describeProvider,
  longCity,
  refusalWords,
  type EmbedScenario,
  type ProviderScenario,
  type ProviderUnderTest,
  type StreamScenario,
} from '@tollgate/testing/provider';
import { describe, expect, test } from 'vitest';
import { asArray, asObject, type Attempt, type GenerationCall } from '@tollgate/provider';
import { aiSdkProvider } from './ai-sdk-provider.ts';

const apiKey = 'AIza-not-to-be-shown';
const words = `words of the upstream and ${apiKey}`;

const answer = (...given: Parameters<typeof fakeGeminiResponse>): FakeGeminiBehaviour => ({
  kind: 'answer',
  responses: [fakeGeminiResponse(...given)],
});

const refusal = (code: number, status: string, rest: { message?: string; details?: object[] } = {}) =>
  ({
    kind: 'status',
    status: code,
    body: fakeGeminiError(code, status, `${words} ${rest.message ?? ''}`, rest.details),
  }) as const;

const retryInfo = (retryDelay: string): object => ({ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay });

const weatherCall = (city: string, signature?: string): object => ({
  functionCall: { name: 'get_weather', args: { city } },
  ...(signature === undefined ? {} : { thoughtSignature: signature }),
});

const usageMetadata = {
  promptTokenCount: 100,
  cachedContentTokenCount: 40,
  candidatesTokenCount: 30,
  thoughtsTokenCount: 20,
  totalTokenCount: 150,
  promptTokensDetails: [{ modality: 'TEXT', tokenCount: 100 }],
  cacheTokensDetails: [{ modality: 'TEXT', tokenCount: 40 }],
};

const conduct = {
  busy_once: refusal(429, 'RESOURCE_EXHAUSTED', { details: [retryInfo('0.001s')] }),
  busy_a_second: refusal(429, 'RESOURCE_EXHAUSTED', { details: [retryInfo('1s')] }),
  bad_gateway: refusal(502, 'BAD_GATEWAY'),
  gateway_timeout: refusal(504, 'DEADLINE_EXCEEDED'),
  invalid_request: refusal(400, 'INVALID_ARGUMENT'),
  input_limit: refusal(400, 'INVALID_ARGUMENT', { message: 'The input token count exceeds the maximum.' }),
  rate_limited: refusal(429, 'RESOURCE_EXHAUSTED', { details: [retryInfo('3s')] }),
  unavailable: refusal(503, 'UNAVAILABLE'),
  failed: refusal(500, 'INTERNAL'),
  unknown: { kind: 'raw', bytes: Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{'), end: 'cut' },
  hang: { kind: 'hang' },
} as const satisfies Partial<Record<ProviderScenario, FakeGeminiBehaviour>>;

const generations: { readonly [S in ProviderScenario]: FakeGeminiBehaviour } = {
  ...conduct,
  text: { kind: 'answer' },
  measured: answer(undefined, {}, { usageMetadata }),
  function_call: answer([
    { text: 'Two cities, two calls.', thought: true },
    weatherCall('Lisbon', 'c2lnbmF0dXJlIG9mIGJvdGg='),
    weatherCall('Porto'),
  ]),
  cache_written: { kind: 'answer' },
  partial_usage: answer(undefined, {}, { usageMetadata: { promptTokenCount: 100 } }),
  long_arguments: answer([weatherCall(longCity)]),
  cut_call: answer([], { finishReason: 'MAX_TOKENS', content: undefined }),
  unknown_end: answer(undefined, { finishReason: 'MOON_IN_THE_WAY' }),
  function_result: answer([{ text: 'It is mild in both.' }]),
  json: answer([{ text: '{"city":"Lisbon"}' }]),
  media: answer([{ text: 'A dot, silence, an empty page and words.' }]),
  length: answer(undefined, { finishReason: 'MAX_TOKENS' }),
  content_filter: answer([{ text: 'I would' }], { finishReason: 'SAFETY', finishMessage: refusalWords }),
  missing_usage: answer(undefined, {}, { usageMetadata: undefined }),
};

const piece = { candidates: [{ content: { role: 'model', parts: [{ text: 'Hello ' }] }, index: 0 }] };

const streams: { readonly [S in StreamScenario]: FakeGeminiBehaviour } = {
  ...generations,
  // What has come of refused content is handed over, and is provisional.
  content_filter: answer([], { finishReason: 'SAFETY', content: undefined }),
  cut_before_pieces: { kind: 'events', events: [], end: 'cut' },
  cut_between_pieces: { kind: 'events', events: [piece], end: 'cut' },
  cut_after_usage: {
    kind: 'events',
    events: [{ ...piece, usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 2, totalTokenCount: 102 } }],
    end: 'cut',
  },
  cut_before_end: { kind: 'events', events: [piece, piece], end: 'cut' },
  ended_without_end: { kind: 'events', events: [piece, piece] },
  error_before_pieces: {
    kind: 'events',
    events: [
      { responseId: 'fake-response', usageMetadata: { promptTokenCount: 100 } },
      fakeGeminiError(503, 'UNAVAILABLE', words),
    ],
  },
  growing_usage: {
    kind: 'events',
    events: [
      { ...piece, usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 1, totalTokenCount: 101 } },
      fakeGeminiResponse(
        undefined,
        {},
        {
          usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 50, totalTokenCount: 150 },
        },
      ),
    ],
  },
  error_between_pieces: { kind: 'events', events: [piece, fakeGeminiError(503, 'UNAVAILABLE', words)] },
  hang_between_pieces: { kind: 'events', events: [piece], end: 'hang' },
};

const embeddings: { readonly [S in EmbedScenario]: FakeGeminiBehaviour } = {
  ...conduct,
  vectors: { kind: 'answer' },
  missing_usage: { kind: 'embeddings', rest: { usageMetadata: undefined } },
};

const modelParts = (body: unknown): readonly unknown[] =>
  asArray(asObject(body)?.['contents'])
    .map(asObject)
    .flatMap((content) => (content?.['role'] === 'model' ? asArray(content['parts']) : []));

/** Whether the calls that came in last are those that went out, signatures included. */
const stateCameBack = (fake: FakeGemini): boolean => {
  const parts = modelParts(fake.requests.at(-1)?.body).map(asObject);
  const came = parts.map((part) => [asObject(asObject(part?.['functionCall'])?.['args']), part?.['thoughtSignature']]);
  const wanted = [
    [{ city: 'Lisbon' }, 'c2lnbmF0dXJlIG9mIGJvdGg='],
    [{ city: 'Porto' }, undefined],
  ];
  return JSON.stringify(came) === JSON.stringify(wanted);
};

const googleUnderTest = async (): Promise<ProviderUnderTest> => {
  const fake = await startFakeGemini({ apiKey });
  const google = createGoogle({ baseURL: `${fake.url}/v1beta`, apiKey });
  const arrange =
    <S extends string>(behaviours: { readonly [K in S]: FakeGeminiBehaviour }) =>
    <Call>(scenario: S, call: Call): Call => {
      fake.script(behaviours[scenario]);
      return call;
    };
  return {
    provider: aiSdkProvider({ languageModel: google, embeddingModel: google }),
    arrange: arrange<ProviderScenario>(generations),
    arrangeStream: arrange<StreamScenario>(streams),
    arrangeEmbed: arrange<EmbedScenario>(embeddings),
    upstreamId: () => 'fake-response',
    measures: 'at_the_end',
    impatient: null,
    sentBody: () => JSON.stringify(fake.requests.at(-1)?.body),
    upstreamRequests: fake.count,
    received: fake.received,
    stateCameBack: () => stateCameBack(fake),
    secrets: [apiKey, words],
    close: fake.close,
  };
};

describeProvider({ describe, test }, 'the provider over @ai-sdk/google', googleUnderTest);

test('reads an error inside a 200 answer, which the model takes for an answer without content', async () => {
  const fake = await startFakeGemini({ apiKey });
  const error = fakeGeminiError(429, 'RESOURCE_EXHAUSTED', words, [retryInfo('3s')]);
  fake.script({ kind: 'answer', responses: [error] }, { kind: 'answer', responses: [{ error: { code: 'odd' } }] });
  const model = createGoogle({ apiKey, baseURL: `${fake.url}/v1beta` });
  const attempts: Attempt[] = [];
  const context = {
    caller: sampleCaller,
    signal: new AbortController().signal,
    recordAttempt: (made: Attempt) => void attempts.push(made),
  };
  const call: GenerationCall = {
    operationId: 'operation',
    upstreamModel: 'gemini-2.5-flash',
    systemInstruction: null,
    contents: [{ role: 'user', parts: [{ kind: 'text', text: 'Hello' }] }],
    tools: [],
    toolChoice: { kind: 'auto' },
    responseFormat: { kind: 'text' },
    sampling: {},
    outputTokensMax: 10,
  };
  const provider = aiSdkProvider({ languageModel: model });
  await expect(provider.generate?.(call, context)).rejects.toMatchObject({
    reason: 'rate_limited',
    retryAfterMs: 3_000,
  });
  await expect(provider.generate?.(call, context)).rejects.toMatchObject({ detail: 'upstream_error' });
  expect(attempts.map(({ outcome }) => outcome)).toEqual(['refused', 'unknown']);
  await fake.close();
});
