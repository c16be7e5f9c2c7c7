import {
  asArray,
  isNotExecuted,
  type Attempt,
  type Generation,
  type GenerationCall,
  type GenerationEnd,
  type Part,
  UnknownOutcome,
} from '@tollgate/provider';
import {
  fakeAnthropicError,
  fakeMessage,
  fakeMessageEvents,
  fakeMessageUsage,
  sampleCaller,
  startFakeAnthropic,
  type FakeAnthropic,
} from '@tollgate/testing/fakes';
import { plainCall } from '@tollgate/testing/provider';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { anthropicProvider, type AnthropicProvider } from './anthropic-provider.ts';
import type { AnthropicProviderOptions } from './upstream.ts';

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
const call = { ...plainCall, tools: [] };

const providerWith = (options: Partial<AnthropicProviderOptions> = {}): AnthropicProvider =>
  anthropicProvider({ apiKey: 'sk-host', baseUrl: fake.url, ...options });

const lastBody = (): Record<string, unknown> => {
  const body = fake.requests.at(-1)?.body;
  return typeof body === 'object' && body !== null ? { ...body } : {};
};

interface Streamed {
  readonly end: GenerationEnd;
  readonly pieces: readonly Part[];
}

const stream = async (
  of: GenerationCall = call,
  options: Partial<AnthropicProviderOptions> = {},
): Promise<Streamed> => {
  const pieces: Part[] = [];
  const end = await providerWith(options).generateStream(of, context, (parts) => void pieces.push(...parts));
  return { end, pieces };
};

const failureOf = async (run: Promise<unknown>): Promise<unknown> =>
  run.then(
    () => undefined,
    (failure: unknown) => failure,
  );

const usageOf = ({ usage }: Pick<Generation, 'usage'>): object =>
  Object.fromEntries(usage.map(({ unit, quantity }) => [unit, quantity]));

test('sends the key, the version and the features in trial, below the path of the base address', async () => {
  const provider = providerWith({
    baseUrl: `${fake.url}/proxy/`,
    version: '2026-10-21',
    beta: ['one-2026-01-01', 'two-2026-01-01'],
    headers: { 'x-team': 'a' },
  });
  await provider.generate(call, context);
  const request = fake.requests.at(-1);
  expect(request?.path).toBe('/proxy/v1/messages');
  expect(request?.headers).toMatchObject({
    'x-api-key': 'sk-host',
    'anthropic-version': '2026-10-21',
    'anthropic-beta': 'one-2026-01-01,two-2026-01-01',
    'x-team': 'a',
    'content-type': 'application/json',
  });
});

test('refuses a wrong option when it is made', () => {
  expect(() => anthropicProvider({ apiKey: '' })).toThrow('apiKey');
  expect(() => anthropicProvider({ apiKey: 'k', limits: { modelRoundsMax: 0 } })).toThrow('modelRoundsMax');
});

test('refuses what it cannot carry before anything is sent, by its name', async () => {
  const before = fake.count();
  const failure = await failureOf(providerWith().generate({ ...call, sampling: { seed: 1 } }, context));
  expect(isNotExecuted(failure) && [failure.reason, failure.field]).toEqual(['unsupported', 'seed']);
  expect([fake.count() - before, attempts]).toEqual([0, []]);
});

test('lets the host say what a model refuses', async () => {
  const provider = providerWith({ modelTraits: (model) => (model === 'upstream-model' ? { refuses: ['topK'] } : {}) });
  const failure = await failureOf(provider.generate({ ...call, sampling: { topK: 1 } }, context));
  expect(isNotExecuted(failure) && failure.field).toBe('topK');
});

const thinking = [
  { type: 'thinking', thinking: 'First this.', signature: 'c2ln' },
  { type: 'text', text: 'So: ' },
  { type: 'text', text: 'yes.' },
  { type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: [1] } },
];

test('returns thoughts with their signature as state, in order, where they are asked for', async () => {
  fake.script({ kind: 'answer', message: fakeMessage(thinking, { stop_reason: 'tool_use' }) });
  const answer = await providerWith().generate({ ...call, thinking: { includeThoughts: true } }, context);
  expect(answer.text).toBe('So: yes.');
  expect(answer.parts).toEqual([
    { kind: 'text', text: 'First this.', thought: true, context: '{"signature":"c2ln"}' },
    { kind: 'text', text: 'So: ' },
    { kind: 'text', text: 'yes.' },
    {
      kind: 'function_call',
      id: 'toolu_1',
      name: 'f',
      arguments: '{"a":[1]}',
      context: '{"thoughts":[{"thinking":"First this.","signature":"c2ln"}]}',
    },
  ]);
});

test('hands over the state of a thought alone where its text is not asked for', async () => {
  fake.script({ kind: 'answer', message: fakeMessage(thinking, { stop_reason: 'tool_use' }) });
  const { pieces } = await stream();
  expect(pieces.slice(0, 2)).toEqual([
    { kind: 'text', text: '', thought: true, context: '{"signature":"c2ln"}' },
    { kind: 'text', text: 'So' },
  ]);
});

test('streams thoughts as they come, and ends each with its state', async () => {
  fake.script({ kind: 'answer', message: fakeMessage(thinking.slice(0, 2)) });
  const { pieces, end } = await stream({ ...call, thinking: { includeThoughts: true } });
  expect(pieces).toEqual([
    { kind: 'text', text: 'First ', thought: true },
    { kind: 'text', text: 'this.', thought: true },
    { kind: 'text', text: '', thought: true, context: '{"signature":"c2ln"}' },
    { kind: 'text', text: 'So' },
    { kind: 'text', text: ': ' },
  ]);
  expect(usageOf(end)).toEqual({ input_text_tokens: 100, output_text_tokens: 20 });
  expect(attempts).toMatchObject([{ outcome: 'answered', upstreamId: fake.requestId(), answerId: 'msg_fake' }]);
});

test('reports a call while it is written, and hands it over as it was written', async () => {
  const [block] = thinking.slice(3);
  fake.script({
    kind: 'answer',
    message: fakeMessage([{ ...block, input: { a: 'é"' } }], { stop_reason: 'tool_use' }),
  });
  const told: string[] = [];
  const pieces: Part[] = [];
  await providerWith().generateStream(
    call,
    context,
    (parts) => void pieces.push(...parts),
    ({ id, name, arguments: text }) => void told.push(`${id} ${name} ${text}`),
  );
  expect(told).toEqual(['toolu_1 f ', 'toolu_1 f {"a":"', 'toolu_1 f é\\""}']);
  expect(pieces).toMatchObject([{ kind: 'function_call', arguments: '{"a":"é\\""}' }]);
});

test('a stream that ends within a block is cut', async () => {
  const [first = {}, ping = {}, begun = {}] = fakeMessageEvents(fakeMessage());
  fake.script({ kind: 'stream', events: [first, ping, begun, ...fakeMessageEvents(fakeMessage()).slice(-2)] });
  expect(await failureOf(stream())).toMatchObject({ detail: 'answer_cut' });
});

test('reads an answer in one piece where a stream was asked for', async () => {
  fake.script({ kind: 'status', status: 200, body: fakeMessage() });
  const { pieces, end } = await stream();
  expect([pieces, end.finish]).toEqual([[{ kind: 'text', text: 'Hello from upstream.' }], 'stop']);
});

test.each([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'stop'],
  ['something_new', 'length'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'content_filter'],
])('takes the end %s for %s', async (reason, finish) => {
  fake.script({ kind: 'answer', message: fakeMessage(undefined, { stop_reason: reason }) });
  expect((await providerWith().generate(call, context)).finish).toBe(finish);
});

test('takes a message that does not say how it ended for none, and keeps what it used', async () => {
  fake.script({ kind: 'answer', message: fakeMessage(undefined, { stop_reason: null }) });
  const failure = await failureOf(providerWith().generate(call, context));
  expect(failure).toBeInstanceOf(UnknownOutcome);
  expect(failure).toMatchObject({ detail: 'interrupted', usageAtLeast: [{ quantity: 100 }, { quantity: 20 }] });
});

const page = { type: 'web_search_result_location', url: 'https://example.com/', title: 'Example', cited_text: 'mild' };
const researched = fakeMessage(
  [
    { type: 'text', text: 'I look. ' },
    { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'weather' } },
    { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [{ type: 'web_search_result', url: 'x' }] },
    { type: 'server_tool_use', id: 'srvtoolu_2', name: 'bash_code_execution', input: { command: 'date' } },
    {
      type: 'bash_code_execution_tool_result',
      tool_use_id: 'srvtoolu_2',
      content: { type: 'bash_code_execution_result', stdout: 'Monday', stderr: '', return_code: 0, content: [] },
    },
    { type: 'server_tool_use', id: 'srvtoolu_3', name: 'code_execution', input: { code: 'loop()' } },
    {
      type: 'code_execution_tool_result',
      tool_use_id: 'srvtoolu_3',
      content: { type: 'code_execution_tool_result_error', error_code: 'execution_time_exceeded' },
    },
    { type: 'text', text: 'It is mild.', citations: [page, { type: 'char_location', cited_text: 'a' }] },
  ],
  { usage: fakeMessageUsage({ server_tool_use: { web_search_requests: 1, web_fetch_requests: 0 } }) },
);
const cited = [{ type: 'url_citation', url: 'https://example.com/', title: 'Example', start_index: 8, end_index: 19 }];
const ran = [
  { kind: 'executable_code', id: 'srvtoolu_2', language: 'BASH', code: 'date' },
  { kind: 'code_execution_result', id: 'srvtoolu_2', outcome: 'ok', output: 'Monday' },
  { kind: 'executable_code', id: 'srvtoolu_3', language: 'PYTHON', code: 'loop()' },
  { kind: 'code_execution_result', id: 'srvtoolu_3', outcome: 'deadline_exceeded', output: '' },
];
const researchUsage = { input_text_tokens: 100, output_text_tokens: 20, web_search_queries: 1, code_execution_runs: 2 };
const research = {
  ...call,
  upstreamModel: 'claude-sonnet-4-5',
  tools: [{ kind: 'web_search' }, { kind: 'code_execution' }] as const,
};

test('returns the code that the upstream ran and the pages that it cites, and counts both', async () => {
  fake.script({ kind: 'answer', message: researched });
  const answer = await providerWith().generate(research, context);
  expect(answer.parts).toEqual([
    { kind: 'text', text: 'I look. ' },
    ...ran,
    { kind: 'text', text: 'It is mild.', annotations: cited },
  ]);
  expect(usageOf(answer)).toEqual(researchUsage);
});

test('streams the same, with what a text cites behind it', async () => {
  fake.script({ kind: 'answer', message: researched });
  const { pieces, end } = await stream(research);
  expect(pieces).toEqual([
    { kind: 'text', text: 'I lo' },
    { kind: 'text', text: 'ok. ' },
    ...ran,
    { kind: 'text', text: 'It is ' },
    { kind: 'text', text: 'mild.' },
    { kind: 'text', text: '', annotations: cited },
  ]);
  expect(usageOf(end)).toEqual(researchUsage);
});

test('runs its tools beside the models of the vendor, and as the host says', () => {
  const tools = ['code_execution', 'url_context', 'web_search', 'maps', 'file_search'] as const;
  const ranBy = (provider: AnthropicProvider, model: string) => tools.filter((tool) => provider.runsTool(tool, model));
  expect(ranBy(providerWith(), 'claude-opus-4-8')).toEqual(['code_execution', 'url_context', 'web_search']);
  expect(ranBy(providerWith(), 'other')).toEqual([]);
  expect(ranBy(providerWith({ modelTraits: () => ({ tools: ['url_context'] }) }), 'other')).toEqual(['url_context']);
});

test('continues a paused turn in the container of its code, with its blocks as they came', async () => {
  const pausing = { ...researched, stop_reason: 'pause_turn', container: { id: 'container_1', expires_at: 'x' } };
  fake.script({ kind: 'answer', message: pausing }, { kind: 'answer', message: researched });
  const { pieces } = await stream(research);
  expect(lastBody()).toMatchObject({
    container: 'container_1',
    messages: [{ role: 'user' }, { role: 'assistant', content: asArray(researched['content']) }],
  });
  expect(pieces.at(-1)).toMatchObject({ annotations: [{ start_index: 27, end_index: 38 }] });
});

const events = fakeMessageEvents(fakeMessage());

test('a stream whose last event is missing is cut, whatever came before, and what it used is kept', async () => {
  fake.script({ kind: 'stream', events: events.slice(0, -1) });
  const failure = await failureOf(stream());
  expect(failure).toMatchObject({ detail: 'answer_cut', usageAtLeast: [{ quantity: 100 }, { quantity: 20 }] });
  expect(attempts).toMatchObject([{ outcome: 'unknown' }]);
});

test('a stream that is cut after its beginning used its input at least, and invents no output', async () => {
  const usage = fakeMessageUsage({ cache_read_input_tokens: 7 });
  const [first = {}] = fakeMessageEvents(fakeMessage(undefined, { usage }));
  fake.script({ kind: 'stream', events: [first], afterwards: 'cut' });
  const failure = await failureOf(stream());
  expect(failure).toMatchObject({
    usageAtLeast: [
      { unit: 'input_text_tokens', quantity: 100, confirmed: false },
      { unit: 'cached_input_tokens', quantity: 7, confirmed: false },
    ],
  });
});

test('an error before the message began is certain, and may be repeated by the caller', async () => {
  fake.script({ kind: 'stream', events: [fakeAnthropicError('overloaded_error', 'busy')] });
  const failure = await failureOf(stream());
  expect(isNotExecuted(failure) && failure.reason).toBe('unavailable');
  expect(attempts).toMatchObject([{ outcome: 'refused' }]);
});

test('an error after the message began leaves the outcome unknown, though nothing was said', async () => {
  fake.script({ kind: 'stream', events: [...events.slice(0, 1), fakeAnthropicError('overloaded_error', 'busy')] });
  const failure = await failureOf(stream());
  expect(failure).toMatchObject({ detail: 'upstream_error', usageAtLeast: [{ quantity: 100 }] });
});

test('a hole in a stream leaves the outcome unknown', async () => {
  fake.script({
    kind: 'status',
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    body: 'event: message_start\ndata: {"type":"message_start","message":{}}\n\ndata: {"type\n\n',
  });
  expect(await failureOf(stream())).toMatchObject({ detail: 'unreadable_answer' });
});

test('an event that is too large leaves the outcome unknown', async () => {
  fake.script({ kind: 'answer', message: fakeMessage([{ type: 'text', text: 'x'.repeat(5_000) }]) });
  expect(await failureOf(stream(call, { limits: { eventBytesMax: 1_000 } }))).toMatchObject({
    detail: 'response_too_large',
  });
});

const paused = (text: string, output: number) =>
  fakeMessage([{ type: 'text', text }], {
    stop_reason: 'pause_turn',
    usage: fakeMessageUsage({ output_tokens: output }),
  });

test.each(['whole', 'streamed'])(
  'continues a turn that the upstream pauses, %s, and adds up what it used',
  async (way) => {
    fake.script({ kind: 'answer', message: paused('One, ', 30) }, { kind: 'answer' });
    const limited = { ...call, outputTokensMax: 100 };
    const answer =
      way === 'whole'
        ? await providerWith().generate(limited, context)
        : await stream(limited).then(({ end, pieces }) => ({
            ...end,
            text: pieces.map((part) => (part.kind === 'text' ? part.text : '')).join(''),
          }));
    expect(answer).toMatchObject({ text: 'One, Hello from upstream.', finish: 'stop' });
    expect(usageOf(answer)).toEqual({ input_text_tokens: 200, output_text_tokens: 50 });
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['answered', 'answered']);
    expect(lastBody()).toMatchObject({
      max_tokens: 70,
      messages: [{ role: 'user' }, { role: 'assistant', content: [{ type: 'text', text: 'One, ' }] }],
    });
  },
);

test('does not continue a paused turn beyond its limit of requests, nor beyond its limit of output', async () => {
  fake.script({ kind: 'answer', message: paused('a', 10) }, { kind: 'answer', message: paused('b', 10) });
  const rounds = await providerWith({ limits: { modelRoundsMax: 2 } }).generate(call, context);
  expect([rounds.text, rounds.finish, attempts.length]).toEqual(['ab', 'length', 2]);
  fake.script({ kind: 'answer', message: paused('a', 100) });
  const spent = await providerWith().generate({ ...call, outputTokensMax: 100 }, context);
  expect([spent.text, spent.finish, attempts.length]).toEqual(['a', 'length', 3]);
});

test('a further request of a paused turn that certainly did not run leaves a partial answer, paid for', async () => {
  fake.script({ kind: 'answer', message: paused('a', 10) }, { kind: 'status', status: 400, body: 'no' });
  const answer = await providerWith().generate(call, context);
  expect([answer.text, answer.finish]).toEqual(['a', 'length']);
  expect(usageOf(answer)).toEqual({ input_text_tokens: 100, output_text_tokens: 10 });
});

test('a further request of a paused turn that was lost leaves the outcome unknown, with all that was used', async () => {
  fake.script({ kind: 'answer', message: paused('a', 10) }, { kind: 'cut_before_headers' });
  const failure = await failureOf(providerWith().generate(call, context));
  expect(failure).toMatchObject({
    detail: 'connection_lost',
    usageAtLeast: [{ quantity: 100 }, { quantity: 10 }],
  });
});

test('confirms nothing of a paused turn of which one request said nothing of its usage', async () => {
  const silent = fakeMessage(undefined, { usage: undefined });
  fake.script({ kind: 'answer', message: paused('a', 10) }, { kind: 'answer', message: silent });
  const { usage } = await providerWith().generate(call, context);
  expect(usage.map(({ confirmed }) => confirmed)).toEqual([false, false]);
});

test.each([429, 503, 529])('repeats a request after %d, unless the upstream says that it is no use', async (status) => {
  const waits: number[] = [];
  const sleep = async (ms: number): Promise<void> => void waits.push(ms);
  fake.script({ kind: 'status', status, headers: { 'retry-after': '1' } }, { kind: 'answer' });
  await providerWith({ sleep }).generate(call, context);
  expect([waits, attempts.map(({ outcome }) => outcome)]).toEqual([[1_000], ['refused', 'answered']]);
  fake.script({ kind: 'status', status, headers: { 'x-should-retry': 'false' } });
  expect(isNotExecuted(await failureOf(providerWith({ sleep }).generate(call, context)))).toBe(true);
  expect(attempts).toHaveLength(3);
});

test('refuses blobs that are too large together before it reads any', async () => {
  const blob = {
    kind: 'blob',
    mimeType: 'text/plain',
    sizeBytes: 11,
    read: () => {
      throw new Error('read');
    },
  } as const;
  const big = { ...call, contents: [{ role: 'user', parts: [blob] }] } as const;
  const failure = await failureOf(providerWith({ limits: { inlineBytesMax: 10 } }).generate(big, context));
  expect(isNotExecuted(failure) && failure.reason).toBe('input_limit');
  const unread = await failureOf(providerWith().generate(big, context));
  expect(isNotExecuted(unread) && unread.reason).toBe('failed');
});

test('sends a blob of text as the text that it is', async () => {
  const blob = {
    kind: 'blob',
    mimeType: 'text/markdown',
    sizeBytes: 7,
    filename: 'a.md',
    async *read() {
      yield Buffer.from('# T');
      yield Buffer.from('itle');
    },
  } as const;
  await providerWith().generate({ ...call, contents: [{ role: 'user', parts: [blob] }] }, context);
  expect(lastBody()['messages']).toEqual([
    {
      role: 'user',
      content: [
        { type: 'document', source: { type: 'text', media_type: 'text/plain', data: '# Title' }, title: 'a.md' },
      ],
    },
  ]);
});

test.each([
  ['priority', 'priority'],
  ['standard', 'standard'],
  ['batch', undefined],
])('reads the service tier %s that was served', async (told, tier) => {
  fake.script({ kind: 'answer', message: fakeMessage(undefined, { usage: fakeMessageUsage({ service_tier: told }) }) });
  expect((await providerWith().generate(call, context)).servedTier).toBe(tier);
});
