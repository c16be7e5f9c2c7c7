import { asArray, asObject, type GenerationCall } from '@tollgate/provider';
import {
  fakeGeminiError,
  fakeGeminiResponse,
  fakeInteractionUsage,
  startFakeGemini,
  type FakeGemini,
  type FakeGeminiBehaviour,
} from '@tollgate/testing/fakes';
import {
  describeProvider,
  longCity,
  refusalWords,
  type BatchScenario,
  type CacheScenario,
  type CountScenario,
  type EmbedScenario,
  type FileScenario,
  type InteractionScenario,
  type ProviderScenario,
  type ProviderUnderTest,
  type StreamScenario,
  type VideoScenario,
} from '@tollgate/testing/provider';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, test } from 'vitest';
import { googleProvider } from './google-provider.ts';
import { wireKey } from './to-google-batch.ts';

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

/** Enough of them that every attempt meets one. */
const often = (behaviour: FakeGeminiBehaviour): readonly FakeGeminiBehaviour[] => [behaviour, behaviour, behaviour];

const conduct = {
  busy_once: [refusal(429, 'RESOURCE_EXHAUSTED', { details: [retryInfo('0.001s')] })],
  busy_a_second: [refusal(429, 'RESOURCE_EXHAUSTED', { details: [retryInfo('1s')] })],
  bad_gateway: [refusal(502, 'BAD_GATEWAY')],
  gateway_timeout: [refusal(504, 'DEADLINE_EXCEEDED')],
  invalid_request: [refusal(400, 'INVALID_ARGUMENT')],
  input_limit: [refusal(400, 'INVALID_ARGUMENT', { message: 'The input token count exceeds the maximum.' })],
  rate_limited: [refusal(429, 'RESOURCE_EXHAUSTED', { details: [retryInfo('3s')] })],
  unavailable: often(refusal(503, 'UNAVAILABLE')),
  failed: [refusal(500, 'INTERNAL')],
  unknown: [{ kind: 'raw', bytes: Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{'), end: 'cut' }],
  hang: [{ kind: 'hang' }],
} as const satisfies Partial<Record<ProviderScenario, readonly FakeGeminiBehaviour[]>>;

const generations: { readonly [S in ProviderScenario]: readonly FakeGeminiBehaviour[] } = {
  ...conduct,
  text: [{ kind: 'answer' }],
  measured: [answer(undefined, {}, { usageMetadata })],
  function_call: [
    answer([
      { text: 'Two cities, two calls.', thought: true },
      weatherCall('Lisbon', 'c2lnbmF0dXJlIG9mIGJvdGg='),
      weatherCall('Porto'),
    ]),
  ],
  cache_written: [{ kind: 'answer' }],
  partial_usage: [answer(undefined, {}, { usageMetadata: { promptTokenCount: 100 } })],
  long_arguments: [answer([weatherCall(longCity)])],
  cut_call: [answer([], { finishReason: 'MAX_TOKENS', content: undefined })],
  unknown_end: [answer(undefined, { finishReason: 'MOON_IN_THE_WAY' })],
  function_result: [answer([{ text: 'It is mild in both.' }])],
  json: [answer([{ text: '{"city":"Lisbon"}' }])],
  media: [answer([{ text: 'A dot, silence, an empty page and words.' }])],
  length: [answer(undefined, { finishReason: 'MAX_TOKENS' })],
  content_filter: [answer([{ text: 'I would' }], { finishReason: 'SAFETY', finishMessage: refusalWords })],
  missing_usage: [answer(undefined, {}, { usageMetadata: undefined })],
};

const piece = { candidates: [{ content: { role: 'model', parts: [{ text: 'Hello ' }] }, index: 0 }] };

const going: FakeGeminiBehaviour = { kind: 'answer', responses: [{ name: 'models/x/operations/y', done: false }] };

type Phases = readonly [begin: readonly FakeGeminiBehaviour[], ask: readonly FakeGeminiBehaviour[]];

const onBegin = <S extends string>(behaviours: { readonly [K in S]: readonly FakeGeminiBehaviour[] }): {
  readonly [K in S]: Phases;
} => {
  const entries = Object.entries<readonly FakeGeminiBehaviour[]>(behaviours).map(([name, begin]) => [
    name,
    [begin, []],
  ]);
  // Sound: the keys are those of the argument.
  return Object.fromEntries(entries) as { readonly [K in S]: Phases };
};

const streams: { readonly [S in StreamScenario]: readonly FakeGeminiBehaviour[] } = {
  ...generations,
  // What has come of refused content is handed over, and is provisional.
  content_filter: [answer([], { finishReason: 'SAFETY', content: undefined })],
  cut_before_pieces: [{ kind: 'events', events: [], end: 'cut' }],
  cut_between_pieces: [{ kind: 'events', events: [piece], end: 'cut' }],
  cut_after_usage: [
    {
      kind: 'events',
      events: [{ ...piece, usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 2, totalTokenCount: 102 } }],
      end: 'cut',
    },
  ],
  cut_before_end: [{ kind: 'events', events: [piece, piece], end: 'cut' }],
  ended_without_end: [{ kind: 'events', events: [piece, piece] }],
  error_before_pieces: [
    {
      kind: 'events',
      events: [
        { responseId: 'fake-response', usageMetadata: { promptTokenCount: 100 } },
        fakeGeminiError(503, 'UNAVAILABLE', words),
      ],
    },
  ],
  growing_usage: [
    {
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
  ],
  error_between_pieces: [{ kind: 'events', events: [piece, fakeGeminiError(503, 'UNAVAILABLE', words)] }],
  hang_between_pieces: [{ kind: 'events', events: [piece], end: 'hang' }],
};

const embeddings: { readonly [S in EmbedScenario]: readonly FakeGeminiBehaviour[] } = {
  ...conduct,
  vectors: [{ kind: 'answer' }],
  // Neither with the vectors nor when it is asked.
  missing_usage: [{ kind: 'embeddings', rest: { usageMetadata: undefined } }, refusal(500, 'INTERNAL')],
};

const counts: { readonly [S in CountScenario]: readonly FakeGeminiBehaviour[] } = {
  counted: [{ kind: 'answer' }],
  unavailable: conduct.unavailable,
};

const files: { readonly [S in FileScenario]: readonly FakeGeminiBehaviour[] } = {
  done: [],
  gone: [refusal(403, 'PERMISSION_DENIED', { message: 'You may not access the File, or it may not exist.' })],
  unavailable: conduct.unavailable,
};

/** What a scenario has the upstream do when the video is begun, and when it is asked for. */
const videos: {
  readonly [S in VideoScenario]: Phases;
} = {
  ...onBegin(conduct),
  done: [[], []],
  running: [[], [going, going]],
  missing_usage: [[], []],
  job_failed: [[], [{ kind: 'answer', responses: [{ done: true, error: { code: 13, message: words } }] }]],
  poll_lost: [[], conduct.unknown],
  poll_refused: [[], [refusal(401, 'UNAUTHENTICATED')]],
};

const oneFailed: FakeGeminiBehaviour = {
  kind: 'answer',
  responses: [
    {
      name: 'batches/x',
      done: true,
      metadata: {
        state: 'BATCH_STATE_SUCCEEDED',
        output: {
          inlinedResponses: {
            inlinedResponses: [
              { metadata: { key: wireKey(0) }, response: fakeGeminiResponse() },
              { metadata: { key: wireKey(1) }, error: { code: 13, message: words, status: 'INTERNAL' } },
            ],
          },
        },
      },
    },
  ],
};

const batches: { readonly [S in BatchScenario]: Phases } = {
  ...onBegin(conduct),
  done: [[], []],
  running: [[], [going, going]],
  item_failed: [[], [oneFailed]],
  poll_lost: [[], conduct.unknown],
  poll_refused: [[], [refusal(401, 'UNAUTHENTICATED')]],
};

const caches: { readonly [S in CacheScenario]: readonly FakeGeminiBehaviour[] } = { ...conduct, done: [] };

const ended = (rest: object): readonly FakeGeminiBehaviour[] => [
  { kind: 'answer', responses: [{ id: 'i', status: 'completed', usage: fakeInteractionUsage, ...rest }] },
];

const interactions: { readonly [S in InteractionScenario]: Phases } = {
  ...onBegin(conduct),
  done: [[], []],
  running: [[], [...ended({ status: 'queued' }), ...ended({ status: 'in_progress' })]],
  requires_action: [
    [],
    ended({
      status: 'requires_action',
      steps: [{ type: 'function_call', id: 'f1', name: 'get_weather', arguments: { city: 'Lisbon' } }],
    }),
  ],
  missing_usage: [[], ended({ usage: undefined })],
  job_failed: [[], ended({ status: 'failed', errors: [{ code: 'api_error', message: words }] })],
  poll_lost: [[], conduct.unknown],
  poll_refused: [[], [refusal(401, 'UNAUTHENTICATED')]],
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

/** Waits of less than a second are not what is tested. */
const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  ms < 1_000 ? Promise.resolve() : wait(ms, undefined, { signal });

const googleUnderTest = async (): Promise<ProviderUnderTest> => {
  const fake = await startFakeGemini({ apiKey });
  const provider = googleProvider({ baseUrl: fake.url, apiKey, sleep });
  const arrange =
    <S extends string>(behaviours: { readonly [K in S]: readonly FakeGeminiBehaviour[] }) =>
    <Call>(scenario: S, call: Call): Call => {
      fake.script(...behaviours[scenario]);
      return call;
    };
  const arrangeJob = <Call>([begin, ask]: Phases, call: Call): Call => {
    fake.script(...begin);
    fake.scriptJobs(...ask);
    return call;
  };
  return {
    provider,
    arrange: arrange<ProviderScenario>(generations),
    arrangeStream: arrange<StreamScenario>(streams),
    arrangeEmbed: arrange<EmbedScenario>(embeddings),
    arrangeCount: (scenario: CountScenario, call: GenerationCall) => arrange<CountScenario>(counts)(scenario, call),
    arrangeFile: (scenario) => fake.scriptFiles(...files[scenario]),
    arrangeVideo: (scenario, call) => arrangeJob(videos[scenario], call),
    arrangeInteraction: (scenario, call) =>
      arrangeJob(interactions[scenario], { ...call, upstreamModel: 'gemini-2.5-flash' }),
    arrangeBatch: (scenario, call) => arrangeJob(batches[scenario], call),
    arrangeCache: arrange<CacheScenario>(caches),
    upstreamId: () => 'fake-response',
    measures: 'as_it_goes',
    impatient: () => googleProvider({ baseUrl: fake.url, apiKey, limits: { timeoutMs: 300, streamTimeoutMs: 300 } }),
    sentBody: () => JSON.stringify(fake.requests.at(-1)?.body),
    upstreamRequests: fake.count,
    received: fake.received,
    stateCameBack: () => stateCameBack(fake),
    secrets: [apiKey, words],
    close: async () => {
      await fake.close();
      await provider.close?.();
    },
  };
};

describeProvider({ describe, test }, 'the provider for the Gemini API', googleUnderTest);
