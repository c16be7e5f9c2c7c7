import { isNotExecuted, type Attempt, type Generation, type GenerationCall, type Part } from '@tollgate/provider';
import {
  sampleCaller,
  fakeGeminiError,
  fakeGeminiEvents,
  fakeGeminiResponse,
  startFakeGemini,
  type FakeGemini,
  type FakeGeminiBehaviour,
} from '@tollgate/testing/fakes';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { googleProvider } from './google-provider.ts';
import type { ModelTraits } from './model-traits.ts';
import type { GoogleProviderOptions } from './upstream.ts';

const apiKey = 'k-1';

let fake: FakeGemini;
beforeEach(async () => {
  fake = await startFakeGemini();
});
afterEach(() => fake.close());

test('refuses an empty key when it is made', () => {
  expect(() => googleProvider({ apiKey: '' })).toThrow('apiKey is empty');
});

const baseCall: GenerationCall = {
  operationId: 'operation',
  upstreamModel: 'gemini-2.5-flash',
  systemInstruction: null,
  contents: [{ role: 'user', parts: [{ kind: 'text', text: 'Hello' }] }],
  tools: [],
  toolChoice: { kind: 'auto' },
  responseFormat: { kind: 'text' },
  sampling: { temperature: 0.7 },
  outputTokensMax: 100_000,
};

interface Outcome {
  readonly answer: Generation | undefined;
  readonly pieces: readonly Part[];
  readonly failure: unknown;
  readonly attempts: readonly (readonly [status: number | null, outcome: Attempt['outcome']])[];
  readonly sleeps: readonly number[];
}

interface Trial extends Partial<GoogleProviderOptions> {
  readonly signal?: AbortSignal;
  readonly call?: Partial<GenerationCall>;
  readonly isStream?: boolean;
}

const textOf = (parts: readonly Part[]): string =>
  parts.map((part) => (part.kind === 'text' && part.thought !== true ? part.text : '')).join('');

const trial = async ({ signal, call = {}, isStream = false, ...options }: Trial = {}): Promise<Outcome> => {
  const sleeps: number[] = [];
  const pieces: Part[] = [];
  const attempts: (readonly [number | null, Attempt['outcome']])[] = [];
  const sleep = (ms: number): Promise<void> => {
    sleeps.push(ms);
    return Promise.resolve();
  };
  const provider = googleProvider({ baseUrl: fake.url, apiKey, sleep, ...options });
  const context = {
    caller: sampleCaller,
    signal: signal ?? new AbortController().signal,
    recordAttempt: ({ status, outcome }: Attempt) => void attempts.push([status, outcome]),
  };
  const run = async (): Promise<Generation> => {
    if (!isStream) return provider.generate({ ...baseCall, ...call }, context);
    const end = await provider.generateStream({ ...baseCall, ...call }, context, (parts) => void pieces.push(...parts));
    return { ...end, text: textOf(pieces), functionCalls: [], parts: pieces };
  };
  try {
    return { answer: await run(), pieces, failure: undefined, attempts, sleeps };
  } catch (failure) {
    return { answer: undefined, pieces, failure, attempts, sleeps };
  } finally {
    await provider.close();
  }
};

const reasonOf = ({ failure }: Outcome): string =>
  isNotExecuted(failure) ? failure.reason : failure instanceof Error ? failure.message : 'no failure';

const refusal = (status: number, name: string, rest: { details?: object[]; headers?: Record<string, string> } = {}) =>
  ({
    kind: 'status',
    status,
    body: fakeGeminiError(status, name, 'words', rest.details),
    headers: rest.headers ?? {},
  }) as const;

test('posts to the model under its version, with its key and headers', async () => {
  const { answer } = await trial({ headers: { 'x-team': 'a' }, apiVersion: 'v1' });
  expect(answer?.text).toBe('Hello from upstream.');
  expect(fake.requests[0]).toMatchObject({
    method: 'POST',
    path: '/v1/models/gemini-2.5-flash:generateContent',
    headers: { 'x-goog-api-key': apiKey, 'content-type': 'application/json', 'x-team': 'a' },
    body: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }], generationConfig: { temperature: 0.7 } },
  });
  expect(fake.requests[0]?.headers['authorization']).toBeUndefined();
});

test.each([
  ['in a header', { 'x-gemini-service-tier': 'PRIORITY' }, {}, 'priority'],
  ['beside the usage', {}, { serviceTier: 'flex' }, 'flex'],
  ['as the type of the traffic', {}, { trafficType: 'ON_DEMAND_PRIORITY' }, 'priority'],
  ['in words that say nothing', { 'x-gemini-service-tier': 'paid' }, { trafficType: 'OTHER' }, undefined],
] as const)(
  'asks for a service tier, and reads %s how it was served, whole and streamed',
  async (_, headers, said, servedTier) => {
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2, ...said };
    const response = { ...fakeGeminiResponse(), usageMetadata };
    const stream = { ...headers, 'content-type': 'text/event-stream' };
    fake.script(
      { kind: 'status', status: 200, body: response, headers },
      { kind: 'status', status: 200, body: `data: ${JSON.stringify(response)}\n\n`, headers: stream },
    );
    for (const isStream of [false, true]) {
      const { answer } = await trial({ isStream, call: { serviceTier: 'priority' } });
      expect(answer?.servedTier).toBe(servedTier);
      expect(fake.requests.at(-1)?.body).toMatchObject({ serviceTier: 'priority' });
    }
  },
);

test('refuses a service tier for a model that has none, and asks for none as standard', async () => {
  const open = await trial({ call: { upstreamModel: 'gemma-4-31b-it', serviceTier: 'flex' } });
  expect(reasonOf(open)).toBe('unsupported');
  await trial({ call: { serviceTier: 'standard' } });
  expect(fake.requests.map(({ body }) => Object.keys(body ?? {}).includes('serviceTier'))).toEqual([false]);
  const provider = googleProvider({ apiKey });
  expect(provider.takesServiceTier('flex', 'gemini-2.5-flash')).toBe(true);
  expect(provider.takesServiceTier('flex', 'gemma-4-31b-it')).toBe(false);
  await provider.close();
});

test('asks for events, and keeps a path in front of the version and the name of a tuned model', async () => {
  const baseUrl = `${fake.url}/proxy/`;
  fake.script({ kind: 'events', events: [fakeGeminiResponse()] });
  await trial({ isStream: true, baseUrl, call: { upstreamModel: 'tunedModels/my model' } });
  expect(fake.requests[0]?.path).toBe('/proxy/v1beta/tunedModels/my%20model:streamGenerateContent?alt=sse');
});

test.each([false, true])('comes back to a busy upstream, as a stream: %s', async (isStream) => {
  const busy = refusal(429, 'RESOURCE_EXHAUSTED', { details: [{ retryDelay: '1.5s' }] });
  fake.script(busy, refusal(503, 'UNAVAILABLE'));
  const outcome = await trial({ isStream });
  expect(outcome.answer?.finish).toBe('stop');
  expect(outcome.sleeps).toEqual([1_500, 400]);
  expect(outcome.attempts).toEqual([
    [429, 'refused'],
    [503, 'refused'],
    [200, 'answered'],
  ]);
});

test.each([
  ['asks for a longer wait than allowed', refusal(429, 'RESOURCE_EXHAUSTED', { headers: { 'retry-after': '60' } })],
  ['is out of its quota of the day', refusal(429, 'X', { details: [{ violations: [{ quotaId: 'RequestsPerDay' }] }] })],
])('does not come back to an upstream that %s', async (_, behaviour) => {
  fake.script(behaviour);
  const outcome = await trial();
  expect([reasonOf(outcome), fake.count()]).toEqual(['rate_limited', 1]);
});

test('gives up on a busy upstream after its attempts', async () => {
  fake.script(...Array.from({ length: 4 }, () => refusal(503, 'UNAVAILABLE')));
  const outcome = await trial({ retry: { attemptsMax: 2 } });
  expect([reasonOf(outcome), fake.count(), outcome.sleeps]).toEqual(['unavailable', 2, [200]]);
});

test('leaves a retry that its signal gives up as it was: certain', async () => {
  fake.script(refusal(429, 'RESOURCE_EXHAUSTED'));
  expect(reasonOf(await trial({ sleep: () => Promise.reject(new Error('aborted')) }))).toBe('rate_limited');
});

test.each([500, 502, 504])('never sends again after a %i', async (code) => {
  fake.script({ kind: 'status', status: code });
  await trial();
  expect(fake.count()).toBe(1);
});

test('hides that its key is bad, and the key', async () => {
  await fake.close();
  fake = await startFakeGemini({ apiKey: 'another' });
  const outcome = await trial();
  expect([reasonOf(outcome), outcome.attempts]).toEqual(['unavailable', [[400, 'refused']]]);
});

test('knows that nothing was sent where no server listens, and tries again', async () => {
  await fake.close();
  const outcome = await trial();
  expect([reasonOf(outcome), outcome.attempts.length]).toEqual(['unavailable', 3]);
});

test('follows no redirect', async () => {
  fake.script({ kind: 'status', status: 307, headers: { location: `${fake.url}/elsewhere` } });
  expect([reasonOf(await trial()), fake.count()]).toEqual(['unavailable', 1]);
});

test.each([
  ['is not JSON', { kind: 'status', status: 200, body: '{"candidates":[' }],
  ['is a list', { kind: 'status', status: 200, body: [] }],
] as const)('does not know the outcome of an answer that %s', async (_, behaviour) => {
  fake.script(behaviour);
  const outcome = await trial();
  expect([reasonOf(outcome), outcome.attempts]).toEqual(['outcome unknown: unreadable_answer', [[200, 'answered']]]);
});

test.each([false, true])('stops reading an answer that is too large, as a stream: %s', async (isStream) => {
  fake.script({ kind: 'huge', bytes: 200_000 });
  const outcome = await trial({ isStream, limits: { responseBytesMax: 100_000 } });
  expect([reasonOf(outcome), outcome.attempts]).toEqual(['outcome unknown: response_too_large', [[200, 'unknown']]]);
});

test('stops reading an event that is too large', async () => {
  fake.script({ kind: 'events', events: [fakeGeminiResponse([{ text: 'x'.repeat(50_000) }])] });
  const outcome = await trial({ isStream: true, limits: { eventBytesMax: 10_000 } });
  expect([reasonOf(outcome), outcome.pieces]).toEqual(['outcome unknown: response_too_large', []]);
});

test.each([
  [false, { timeoutMs: 20 }],
  [true, { streamTimeoutMs: 20 }],
])('does not know the outcome of a call that takes too long, as a stream: %s', async (isStream, limits) => {
  fake.script({ kind: 'hang' });
  const outcome = await trial({ isStream, limits });
  expect([reasonOf(outcome), outcome.attempts]).toEqual(['outcome unknown: timed_out', [[null, 'unknown']]]);
});

test('waits for a slow answer', async () => {
  fake.script({ kind: 'answer', afterMs: 30 });
  expect((await trial()).answer?.finish).toBe('stop');
});

const bytesOf = (head: string, body: string): Buffer => Buffer.from(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n${body}`);

/** A whole answer as bytes on the connection, and where in it what a test cuts ends. */
const wholeAnswer = (isStream: boolean): Buffer => {
  const half = { candidates: [{ content: { parts: [{ text: 'Hello ' }] }, index: 0 }] };
  if (!isStream) {
    const body = JSON.stringify(fakeGeminiResponse());
    return bytesOf(`content-type: application/json\r\ncontent-length: ${body.length}`, body);
  }
  const events = [half, fakeGeminiResponse()].map((event) => fakeGeminiEvents([event]));
  const chunks = events.map((event) => `${event.length.toString(16)}\r\n${event}\r\n`).join('');
  return bytesOf('content-type: text/event-stream\r\ntransfer-encoding: chunked', `${chunks}0\r\n\r\n`);
};

/** Cuts at every byte class: before and in headers, in the body, in and between events, and right before the end. */
const cutPlaces = (whole: Buffer): readonly number[] => {
  const places = new Set([0, 1, 20, whole.length - 1, whole.length - 2, whole.length - 5, whole.length - 6]);
  for (let at = 25; at < whole.length; at += 29) places.add(at);
  return Array.from(places).filter((at) => at < whole.length);
};

test.each([false, true])('knows no outcome of an answer that is cut at any byte, as a stream: %s', async (isStream) => {
  const whole = wholeAnswer(isStream);
  for (const at of cutPlaces(whole)) {
    fake.script({ kind: 'raw', bytes: whole.subarray(0, at), end: 'cut' });
    const outcome = await trial({ isStream });
    expect([at, reasonOf(outcome)]).toEqual([at, 'outcome unknown: connection_lost']);
    expect(outcome.attempts.map(([, result]) => result)).toEqual(['unknown']);
  }
  fake.script({ kind: 'raw', bytes: whole, end: 'clean' });
  expect((await trial({ isStream })).answer?.finish).toBe('stop');
});

test('does not know the outcome of a stream that a proxy ended in a clean way too soon', async () => {
  const events = [fakeGeminiResponse([{ text: 'Hel' }], { finishReason: undefined })];
  for (const behaviour of [
    { kind: 'events', events },
    { kind: 'events', events: [] },
    { kind: 'raw', bytes: bytesOf('connection: close', fakeGeminiEvents(events)), end: 'clean' },
  ] as const satisfies readonly FakeGeminiBehaviour[]) {
    fake.script(behaviour);
    const outcome = await trial({ isStream: true });
    expect([reasonOf(outcome), outcome.attempts]).toEqual(['outcome unknown: answer_cut', [[200, 'unknown']]]);
  }
});

test('reads events however their bytes are split, and hands each piece over once', async () => {
  const parts = ['é', '日本', '🙂', 'e'].map((text) => ({ text }));
  const events = parts.map((part, index) =>
    fakeGeminiResponse([part], index === parts.length - 1 ? {} : { finishReason: undefined }),
  );
  const body = Buffer.from(fakeGeminiEvents(events));
  const chunks = Array.from(body, (byte) =>
    Buffer.concat([Buffer.from('1\r\n'), Buffer.of(byte), Buffer.from('\r\n')]),
  );
  const head = bytesOf('content-type: text/event-stream\r\ntransfer-encoding: chunked', '');
  fake.script({ kind: 'raw', bytes: Buffer.concat([head, ...chunks, Buffer.from('0\r\n\r\n')]), end: 'clean' });
  const outcome = await trial({ isStream: true });
  expect(outcome.pieces.map((piece) => piece.kind === 'text' && piece.text)).toEqual(['é', '日本', '🙂', 'e']);
});

test.each([
  ['before anything came is a refusal', [fakeGeminiError(503, 'UNAVAILABLE', 'x')], 'unavailable', 'refused'],
  ['without a number is doubt', [{ error: { message: 'x' } }], 'outcome unknown: upstream_error', 'unknown'],
  [
    'after something came is doubt',
    [fakeGeminiResponse([{ text: 'a' }], { finishReason: undefined }), fakeGeminiError(429, 'RESOURCE_EXHAUSTED', 'x')],
    'outcome unknown: upstream_error',
    'unknown',
  ],
])('takes an error inside a stream for what it is: %s', async (_, events, reason, attempt) => {
  fake.script({ kind: 'events', events });
  const outcome = await trial({ isStream: true });
  expect([reasonOf(outcome), outcome.attempts]).toEqual([reason, [[200, attempt]]]);
});

test('takes an error inside a whole answer for what it is', async () => {
  fake.script({ kind: 'status', status: 200, body: fakeGeminiError(429, 'RESOURCE_EXHAUSTED', 'x') });
  expect(reasonOf(await trial())).toBe('rate_limited');
});

test('reads a stream that another kind of gateway ended with its mark', async () => {
  fake.script({ kind: 'events', events: [fakeGeminiResponse(), '[DONE]'] });
  expect((await trial({ isStream: true })).answer?.text).toBe('Hello from upstream.');
});

const round = (text: string, token?: string): unknown =>
  fakeGeminiResponse(
    [{ text }],
    token === undefined ? {} : { finishReason: 'CONTINUATION', continuationToken: token },
    { usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 } },
  );

const quantities = ({ answer }: Outcome): unknown =>
  answer?.usage.map(({ unit, quantity, confirmed }) => [unit, quantity, confirmed]);

test.each([false, true])('goes on with an answer that comes in chunks, as a stream: %s', async (isStream) => {
  fake.script(
    ...[round('One, ', 't1'), round('two, ', 't2'), round('three.')].map(
      (response) => ({ kind: 'answer', responses: [response] }) as const,
    ),
  );
  const outcome = await trial({ isStream });
  expect([outcome.answer?.text, outcome.answer?.finish]).toEqual(['One, two, three.', 'stop']);
  expect(quantities(outcome)).toEqual([
    ['input_text_tokens', 30, true],
    ['output_text_tokens', 15, true],
  ]);
  const bodies = fake.requests.map(({ body }) => body as Record<string, unknown>);
  expect(bodies.map((body) => body['continuationToken'])).toEqual([undefined, 't1', 't2']);
  expect(bodies[1]).toEqual({ ...bodies[0], continuationToken: 't1' });
});

test.each([false, true])('keeps what it has when a chunk is refused, as a stream: %s', async (isStream) => {
  fake.script({ kind: 'answer', responses: [round('One, ', 't1')] }, refusal(400, 'INVALID_ARGUMENT'));
  const outcome = await trial({ isStream });
  expect([outcome.answer?.text, outcome.answer?.finish]).toEqual(['One, ', 'length']);
  expect(quantities(outcome)).toEqual([
    ['input_text_tokens', 10, true],
    ['output_text_tokens', 5, true],
  ]);
});

test('does not know the outcome when a chunk is lost', async () => {
  fake.script(
    { kind: 'answer', responses: [round('One, ', 't1')] },
    { kind: 'raw', bytes: Buffer.from('HTTP/1.1 200'), end: 'cut' },
  );
  expect(reasonOf(await trial())).toBe('outcome unknown: connection_lost');
});

test('never sends a call that was given up while it waited for a connection', async () => {
  fake.script({ kind: 'hang' });
  const provider = googleProvider({ baseUrl: fake.url, apiKey, connections: 1 });
  const first = new AbortController();
  const second = new AbortController();
  const attempts: Attempt['outcome'][] = [];
  const generate = async (signal: AbortSignal): Promise<unknown> =>
    provider
      .generate(baseCall, { caller: sampleCaller, signal, recordAttempt: ({ outcome }) => void attempts.push(outcome) })
      .catch((failure: unknown) => (isNotExecuted(failure) ? failure.reason : 'unknown'));
  const running = generate(first.signal);
  await fake.received(1);
  const waiting = generate(second.signal);
  second.abort();
  expect(await waiting).toBe('cancelled');
  first.abort();
  expect(await running).toBe('unknown');
  expect([fake.count(), attempts]).toEqual([1, ['not_sent', 'unknown']]);
  await provider.close();
});

test('sends nothing that it cannot carry', async () => {
  const contents = [{ role: 'model', parts: [{ kind: 'function_call', id: '1', name: 'f', arguments: '{' }] }] as const;
  const outcome = await trial({ call: { contents } });
  expect([reasonOf(outcome), outcome.attempts]).toEqual(['unsupported', []]);
});

const unsigned = (): Partial<ModelTraits> => ({ signedCalls: false });

test('is understood by an upstream that checks what it takes', async () => {
  const contents = [
    { role: 'user', parts: [{ kind: 'text', text: 'Hello' }] },
    { role: 'model', parts: [{ kind: 'function_call', id: '1', name: 'f', arguments: '{}' }] },
    { role: 'user', parts: [{ kind: 'function_response', id: '1', name: 'f', response: 'done' }] },
  ] as const;
  const schema = { type: 'object', properties: { a: { const: 1 } } };
  const call = {
    contents,
    systemInstruction: 'Be short.',
    responseFormat: { kind: 'json_schema', name: 'a', schema } as const,
  };
  for (const upstreamModel of ['gemini-3.8-flash', 'gemma-4-31b-it']) {
    expect(reasonOf(await trial({ call: { ...call, upstreamModel } }))).toBe('no failure');
  }
  expect(reasonOf(await trial({ call: { ...call, upstreamModel: 'gemini-3.8-flash' }, modelTraits: unsigned }))).toBe(
    'invalid_request',
  );
});

test('says which setting of the call the upstream refused, streamed or not', async () => {
  const details = [
    {
      '@type': 'type.googleapis.com/google.rpc.BadRequest',
      fieldViolations: [
        {
          field: 'generation_config.top_k',
          description: "Invalid value at 'generation_config.top_k' (TYPE_INT32), 4.5",
        },
      ],
    },
  ];
  for (const isStream of [false, true]) {
    fake.script(refusal(400, 'INVALID_ARGUMENT', { details }));
    const { failure } = await trial({ isStream });
    expect(failure).toMatchObject({
      reason: 'invalid_request',
      field: 'topK',
      message: 'not executed: invalid_request',
    });
  }
});
