import { isNotExecuted, type Attempt, type BatchCall, type GenerationCall } from '@tollgate/provider';
import {
  fakeAnthropicError,
  fakeMessage,
  sampleCaller,
  startFakeAnthropic,
  type FakeAnthropic,
} from '@tollgate/testing/fakes';
import { plainCall } from '@tollgate/testing/provider';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { anthropicProvider } from './anthropic-provider.ts';
import type { LimitOptions } from './upstream.ts';

let fake: FakeAnthropic;
let attempts: Attempt[];
beforeAll(async () => {
  fake = await startFakeAnthropic();
});
afterAll(() => fake.close());
beforeEach(() => {
  attempts = [];
});

const context = {
  caller: sampleCaller,
  signal: new AbortController().signal,
  recordAttempt: (attempt: Attempt): void => void attempts.push(attempt),
};
const jobsWith = (limits: LimitOptions = {}) => anthropicProvider({ apiKey: 'k', baseUrl: fake.url, limits }).batches;

const item = (key: string, changed: Partial<GenerationCall> = {}) =>
  ({ key, kind: 'generation', call: { ...plainCall, tools: [], ...changed } }) as const;
const batchOf = (...items: BatchCall['items']): BatchCall => ({
  operationId: 'o',
  upstreamModel: 'm',
  displayName: null,
  items,
});

const reply = (body: unknown) => ({ kind: 'status', status: 200, body }) as const;
const state = (status: string) => reply({ id: 'msgbatch_1', processing_status: status });
const line = (place: number, result: object): string => JSON.stringify({ custom_id: `item-${place}`, result });
const said = (text: string, rest: object = {}) => ({
  type: 'succeeded',
  message: fakeMessage(
    [
      { type: 'thinking', thinking: 'Hm.', signature: 's' },
      { type: 'text', text },
    ],
    rest,
  ),
});

const job = JSON.stringify({
  id: 'msgbatch_1',
  items: ['a', 'b', 'c', 'd'].map((key) => ({ key, includeThoughts: key === 'a' })),
});

const failureOf = async (run: Promise<unknown>): Promise<unknown> =>
  run.then(
    () => undefined,
    (failure: unknown) => failure,
  );

test('sends all items in one request under names of their places, and returns what finds them again', async () => {
  fake.script(state('in_progress'));
  const begun = await jobsWith().start(
    batchOf(item('a/ü', { thinking: { includeThoughts: true } }), item('b')),
    context,
  );
  expect(JSON.parse(begun.job)).toEqual({
    id: 'msgbatch_1',
    items: [
      { key: 'a/ü', includeThoughts: true },
      { key: 'b', includeThoughts: false },
    ],
  });
  const request = fake.requests.at(-1);
  expect([request?.method, request?.path]).toEqual(['POST', '/v1/messages/batches']);
  expect(request?.body).toMatchObject({
    requests: [
      { custom_id: 'item-0', params: { max_tokens: 100, thinking: { display: 'summarized' } } },
      { custom_id: 'item-1', params: { messages: [{ role: 'user' }] } },
    ],
  });
});

test('any process reads the results by the text of the job, each as the upstream reports it', async () => {
  const results = [
    line(3, { type: 'expired' }),
    line(1, { type: 'canceled' }),
    line(2, { type: 'errored', error: fakeAnthropicError('overloaded_error', 'busy') }),
    line(0, said('Yes.')),
    line(9, said('of another batch')),
    'no json',
    '',
  ].join('\r\n');
  fake.script(state('ended'), reply(results));
  const progress = await jobsWith().poll(job, context);
  const items = progress.kind === 'done' ? progress.result.items : [];
  expect(items.toSorted((one, other) => one.key.localeCompare(other.key))).toMatchObject([
    { key: 'a', kind: 'generation', generation: { text: 'Yes.', finish: 'stop', parts: [{ text: 'Hm.' }, {}] } },
    { key: 'b', kind: 'cancelled' },
    { key: 'c', kind: 'failed', reason: 'unavailable' },
    { key: 'd', kind: 'failed', reason: 'failed' },
  ]);
  expect(fake.requests.at(-1)?.path).toBe('/v1/messages/batches/msgbatch_1/results');
  expect(attempts.map(({ outcome }) => outcome)).toEqual(['answered', 'answered']);
});

test('reads the last line without an end, and a message that does not say how it ended as cut and unmeasured', async () => {
  const single = JSON.stringify({ id: 'msgbatch_1', items: [{ key: 'a' }] });
  fake.script(state('ended'), reply(line(0, said('Half', { stop_reason: null }))));
  const progress = await jobsWith().poll(single, context);
  const [only] = progress.kind === 'done' ? progress.result.items : [];
  expect(only).toMatchObject({ kind: 'generation', generation: { text: 'Half', finish: 'length' } });
  expect(only?.kind === 'generation' && only.generation.usage.some(({ confirmed }) => confirmed)).toBe(false);
});

test.each([
  ['an item is missing among the results', [state('ended'), reply(line(0, said('a')))], 'unreadable_answer'],
  ['the results are larger than all results may be', [state('ended'), reply('x'.repeat(3_000))], 'response_too_large'],
  ['one result is larger than a response may be', [state('ended'), reply('x'.repeat(1_500))], 'unreadable_answer'],
  ['the question is refused', [{ kind: 'status', status: 404, body: 'gone' }], 'not_answered'],
  ['the results are refused', [state('ended'), { kind: 'status', status: 401, body: 'no' }], 'not_answered'],
  ['the results are cut', [state('ended'), { kind: 'cut_mid_body' }], 'connection_lost'],
] as const)('a question is to be asked again where %s', async (_, replies, detail) => {
  fake.script(...replies);
  const limits = { batchBytesMax: 2_000, responseBytesMax: 1_000 };
  expect(await failureOf(jobsWith(limits).poll(job, context))).toMatchObject({ code: 'unknown_outcome', detail });
});

test('a job of another provider is asked for nowhere', async () => {
  const before = fake.count();
  for (const other of ['', '{}', 'null', '{"name":"batches/1"}'])
    expect(await failureOf(jobsWith().poll(other, context))).toMatchObject({ detail: 'not_answered' });
  expect(fake.count()).toBe(before);
});

test('asks the upstream to stop a batch', async () => {
  fake.script(state('canceling'));
  await jobsWith().cancel?.(job, context);
  const request = fake.requests.at(-1);
  expect([request?.method, request?.path]).toEqual(['POST', '/v1/messages/batches/msgbatch_1/cancel']);
});

const blob = { kind: 'blob', mimeType: 'image/png', sizeBytes: 6, read: async function* () {} } as const;

test.each([
  [item('a', { sampling: { seed: 1 } }), 'unsupported'],
  [
    {
      key: 'a',
      kind: 'embedding',
      call: { operationId: 'o', upstreamModel: 'm', input: { kind: 'texts', texts: [''] } },
    },
    'unsupported',
  ],
  [item('a', { contents: [{ role: 'user', parts: [blob] }] }), 'input_limit'],
] as const)('sends nothing of a batch of which one item cannot be sent', async (one, reason) => {
  const before = fake.count();
  const first = item('first', { contents: [{ role: 'user', parts: [blob] }] });
  const failure = await failureOf(jobsWith({ inlineBytesMax: 10 }).start(batchOf(first, one), context));
  expect([isNotExecuted(failure) && failure.reason, fake.count() - before]).toEqual([reason, 0]);
});

test('a batch without a name may have begun', async () => {
  fake.script(reply({}));
  expect(await failureOf(jobsWith().start(batchOf(item('a')), context))).toMatchObject({ detail: 'unreadable_answer' });
});
