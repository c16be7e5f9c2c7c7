import {
  isNotExecuted,
  readUsageAtLeast,
  type Attempt,
  type Generation,
  type GenerationCall,
  type Part,
} from '@tollgate/provider';
import {
  sampleCaller,
  fakeCompletion,
  startFakeOpenai,
  type FakeOpenai,
  type FakeOpenaiBehaviour,
} from '@tollgate/testing/fakes';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openaiProvider } from './openai-provider.ts';
import type { OpenaiProviderOptions } from './upstream.ts';

let fake: FakeOpenai;
beforeEach(async () => {
  fake = await startFakeOpenai();
});
afterEach(() => fake.close());

const call: GenerationCall = {
  operationId: 'operation',
  upstreamModel: 'upstream-model',
  systemInstruction: null,
  contents: [{ role: 'user', parts: [{ kind: 'text', text: 'Hello' }] }],
  tools: [],
  toolChoice: { kind: 'auto' },
  responseFormat: { kind: 'text' },
  sampling: { temperature: 0.7 },
  outputTokensMax: 100,
};

interface Outcome {
  readonly answer: Generation | undefined;
  readonly failure: unknown;
  readonly attempts: readonly (readonly [status: number | null, outcome: Attempt['outcome']])[];
  readonly sleeps: readonly number[];
}

interface Trial extends Partial<OpenaiProviderOptions> {
  readonly signal?: AbortSignal;
  readonly parts?: readonly Part[];
}

const trial = async ({ signal, parts, ...options }: Trial = {}): Promise<Outcome> => {
  const sleeps: number[] = [];
  const attempts: (readonly [number | null, Attempt['outcome']])[] = [];
  const sleep = (ms: number): Promise<void> => {
    sleeps.push(ms);
    return Promise.resolve();
  };
  const provider = openaiProvider({ baseUrl: fake.url, sleep, ...options });
  try {
    const asked = parts === undefined ? call : { ...call, contents: [{ role: 'user', parts } as const] };
    const answer = await provider.generate?.(asked, {
      caller: sampleCaller,
      signal: signal ?? new AbortController().signal,
      recordAttempt: ({ status, outcome }) => void attempts.push([status, outcome]),
    });
    return { answer, failure: undefined, attempts, sleeps };
  } catch (failure) {
    return { answer: undefined, failure, attempts, sleeps };
  } finally {
    await fake.close();
    await provider.close?.();
  }
};

const reasonOf = ({ failure }: Outcome): string =>
  isNotExecuted(failure) ? failure.reason : failure instanceof Error ? failure.message : 'no failure';

const status = (code: number, rest: Partial<Extract<FakeOpenaiBehaviour, { kind: 'status' }>> = {}) =>
  ({ kind: 'status', status: code, ...rest }) as const;

test('posts to the base address with its credential and headers', async () => {
  const { answer } = await trial({ apiKey: 'sk-1', headers: { 'x-team': 'a' }, baseUrl: `${fake.url}/?tenant=1` });
  expect(answer?.text).toBe('Hello from upstream.');
  expect(fake.requests[0]).toMatchObject({
    path: '/v1/chat/completions?tenant=1',
    headers: { authorization: 'Bearer sk-1', 'content-type': 'application/json', 'x-team': 'a' },
    body: { model: 'upstream-model', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 100 },
  });
});

test('tells the upstream its own id of the call, unless the host sends another or leaves it out', async () => {
  await trial();
  expect(fake.requests.at(-1)?.headers['x-client-request-id']).toBe('operation');
});

test.each([
  ['its own header', { headers: { 'X-Client-Request-Id': 'ours' } }, 'ours'],
  ['no header', { clientRequestId: 'left_out' } as const, undefined],
])('leaves the id of the call to a host that wants %s', async (_what, options, sent) => {
  await trial(options);
  expect(fake.requests.at(-1)?.headers['x-client-request-id']).toBe(sent);
});

test('says of an answer that it cannot read what it measured', async () => {
  fake.script({ kind: 'answer', body: fakeCompletion({}, { choices: [] }) });
  const { failure } = await trial();
  expect(readUsageAtLeast(failure)).toEqual([
    { unit: 'input_text_tokens', quantity: 100, confirmed: false },
    { unit: 'output_text_tokens', quantity: 20, confirmed: false },
  ]);
});

test('sends no credential where it has none', async () => {
  await trial();
  expect(fake.requests[0]?.headers['authorization']).toBeUndefined();
});

const image = Buffer.alloc(300_001, 'pixels');

/** An image that is read in chunks, of as many bytes as it says unless told otherwise. */
const blobOf = (read: () => AsyncIterable<Uint8Array>, sizeBytes = image.length): Part => ({
  kind: 'blob',
  mimeType: 'image/png',
  sizeBytes,
  read,
});

async function* inChunks(): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < image.length; at += 50_000) yield image.subarray(at, at + 50_000);
}

const unread = (): never => {
  throw new Error('read');
};

async function* failing(): AsyncGenerator<Uint8Array> {
  yield image.subarray(0, 200_000);
  throw new Error('the disk is gone');
}

test('sends a blob inline while it is read, and again from its beginning to an upstream that asks for it', async () => {
  fake.script(status(429));
  const { attempts } = await trial({ parts: [{ kind: 'text', text: 'What is this?' }, blobOf(inChunks)] });
  const url = `data:image/png;base64,${image.toString('base64')}`;
  const content = [
    { type: 'text', text: 'What is this?' },
    { type: 'image_url', image_url: { url } },
  ];
  expect(attempts.map(([code]) => code)).toEqual([429, 200]);
  for (const { body } of fake.requests) expect(body).toMatchObject({ messages: [{ role: 'user', content }] });
});

test.each([
  ['cannot be read to its end', blobOf(failing)],
  ['is shorter than it says', blobOf(inChunks, image.length + 1)],
  ['is longer than it says', blobOf(inChunks, image.length - 1)],
])('knows that nothing ran where a blob %s', async (_, part) => {
  const outcome = await trial({ parts: [part] });
  expect(reasonOf(outcome)).toBe('failed');
  expect(outcome.attempts).toEqual([[null, 'not_sent']]);
});

test('reads no blob of a call that was given up', async () => {
  expect(reasonOf(await trial({ signal: AbortSignal.abort(), parts: [blobOf(unread)] }))).toBe('cancelled');
});

test('comes back to a busy upstream when that says so, and no sooner', async () => {
  fake.script(status(429, { headers: { 'retry-after': '2' } }), status(429));
  const outcome = await trial();
  expect(outcome.answer?.finish).toBe('stop');
  expect(outcome.sleeps).toEqual([2_000, 400]);
  expect(outcome.attempts).toEqual([
    [429, 'refused'],
    [429, 'refused'],
    [200, 'answered'],
  ]);
});

test('gives up on a busy upstream after its attempts', async () => {
  fake.script(status(429), status(429), status(429), status(429));
  const outcome = await trial();
  expect([reasonOf(outcome), fake.count(), outcome.sleeps]).toEqual(['rate_limited', 3, [200, 400]]);
});

test.each([
  ['asks for a longer wait than allowed', status(429, { headers: { 'retry-after': '60' } })],
  ['is out of quota', status(429, { body: { error: { code: 'insufficient_quota' } } })],
])('does not come back to an upstream that %s', async (_, behaviour) => {
  fake.script(behaviour);
  const outcome = await trial();
  expect([reasonOf(outcome), fake.count()]).toEqual(['rate_limited', 1]);
});

test('leaves a retry that its signal gives up as it was: certain', async () => {
  fake.script(status(429));
  expect(reasonOf(await trial({ sleep: () => Promise.reject(new Error('aborted')) }))).toBe('rate_limited');
});

test.each([500, 502, 503])('never sends again after a %i', async (code) => {
  fake.script(status(code));
  await trial();
  expect(fake.count()).toBe(1);
});

test.each([
  ['cut_before_headers', null],
  ['cut_mid_body', 200],
] as const)('does not know the outcome of a call that is %s', async (kind, code) => {
  fake.script({ kind });
  const outcome = await trial();
  expect([reasonOf(outcome), outcome.attempts]).toEqual(['outcome unknown: connection_lost', [[code, 'unknown']]]);
});

test('does not know the outcome of a call that takes too long', async () => {
  fake.script({ kind: 'hang' });
  const outcome = await trial({ timeoutMs: 20 });
  expect([reasonOf(outcome), outcome.attempts]).toEqual(['outcome unknown: timed_out', [[null, 'unknown']]]);
});

test.each([
  ['is not JSON', { kind: 'answer', body: '{"choices":[' }],
  ['holds no choice', { kind: 'answer', body: {} }],
] as const)('does not know the outcome of an answer that %s', async (_, behaviour) => {
  fake.script(behaviour);
  const outcome = await trial();
  expect([reasonOf(outcome), outcome.attempts]).toEqual(['outcome unknown: unreadable_answer', [[200, 'answered']]]);
});

test('stops reading an answer that is too large', async () => {
  fake.script({ kind: 'huge', bytes: 200_000 });
  const outcome = await trial({ responseBytesMax: 100_000 });
  expect([reasonOf(outcome), outcome.attempts]).toEqual(['outcome unknown: response_too_large', [[200, 'unknown']]]);
});

test('reads a large answer in pieces', async () => {
  const content = 'é'.repeat(300_000);
  fake.script({ kind: 'answer', body: fakeCompletion({ message: { role: 'assistant', content } }) });
  expect((await trial()).answer?.text).toBe(content);
});

test('follows no redirect', async () => {
  fake.script(status(307, { headers: { location: `${fake.url}/elsewhere` } }));
  const outcome = await trial();
  expect([reasonOf(outcome), fake.count()]).toEqual(['unavailable', 1]);
});

test('knows that nothing was sent where no server listens, and tries again', async () => {
  const baseUrl = fake.url;
  await fake.close();
  const outcome = await trial({ baseUrl });
  expect(reasonOf(outcome)).toBe('unavailable');
  expect(outcome.attempts).toEqual([
    [null, 'not_sent'],
    [null, 'not_sent'],
    [null, 'not_sent'],
  ]);
});

test('knows that nothing was sent where no secure connection comes about', async () => {
  const outcome = await trial({ baseUrl: fake.url.replace('http:', 'https:') });
  expect([reasonOf(outcome), outcome.attempts]).toEqual(['unavailable', [[null, 'not_sent']]]);
});

test('never sends a call that was given up while it waited for a connection', async () => {
  fake.script({ kind: 'hang' });
  const provider = openaiProvider({ baseUrl: fake.url, connections: 1 });
  const first = new AbortController();
  const second = new AbortController();
  const attempts: Attempt['outcome'][] = [];
  const generate = async (signal: AbortSignal): Promise<unknown> =>
    provider
      .generate?.(call, { caller: sampleCaller, signal, recordAttempt: ({ outcome }) => void attempts.push(outcome) })
      .catch((failure: unknown) => (isNotExecuted(failure) ? failure.reason : 'unknown'));
  const running = generate(first.signal);
  await fake.received(1);
  const waiting = generate(second.signal);
  second.abort();
  expect(await waiting).toBe('cancelled');
  first.abort();
  expect(await running).toBe('unknown');
  expect(await generate(new AbortController().signal)).toMatchObject({ finish: 'stop' });
  expect([fake.count(), attempts]).toEqual([2, ['not_sent', 'unknown', 'answered']]);
  await fake.close();
  await provider.close?.();
});

test('takes the host estimate for a whole answer without usage', async () => {
  fake.script({ kind: 'answer', body: fakeCompletion({}, { usage: undefined }) });
  const { answer } = await trial({
    missingUsage: ({ upstreamModel }, { text }) => [
      { unit: 'output_text_tokens', quantity: upstreamModel.length + text.length, confirmed: true },
    ],
  });
  expect(answer?.usage).toEqual([{ unit: 'output_text_tokens', quantity: 34, confirmed: true }]);
});

test('runs no tool by itself, so that the gateway does', () => {
  const provider = openaiProvider({ baseUrl: 'http://127.0.0.1:9/v1' });
  expect(provider.runsTool?.('code_execution', 'model')).toBe(false);
});

test('says which setting of the call the upstream refused, and nothing else of its words', async () => {
  fake.script(
    status(400, {
      body: {
        error: {
          message:
            "Unsupported value: 'temperature' does not support 0.7 with this model. Only the default (1) is supported.",
          type: 'invalid_request_error',
          param: 'temperature',
          code: 'unsupported_value',
        },
      },
    }),
  );
  const { failure } = await trial();
  expect(failure).toMatchObject({
    reason: 'invalid_request',
    field: 'temperature',
    message: 'not executed: invalid_request',
  });
});
