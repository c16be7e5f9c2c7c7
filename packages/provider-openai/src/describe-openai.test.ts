import {
  fakeChunk,
  fakeCompletion,
  startFakeOpenai,
  type FakeOpenai,
  type FakeOpenaiBehaviour,
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
import { describe, test } from 'vitest';
import { asArray, asObject } from '@tollgate/provider';
import { openaiProvider } from './openai-provider.ts';

const apiKey = 'sk-not-to-be-shown';
const words = 'words of the upstream';
const error = { message: `${words} and ${apiKey}`, type: 'some_error', param: null, code: null };

const answer = (choice: object = {}, rest: object = {}): FakeOpenaiBehaviour => ({
  kind: 'answer',
  body: fakeCompletion(choice, rest),
});

const message = (content: string | null, rest: object = {}): object => ({
  message: { role: 'assistant', content, ...rest },
});

const weatherCall = (id: string, city: string, signature: string): object => ({
  id,
  type: 'function',
  function: { name: 'get_weather', arguments: JSON.stringify({ city }) },
  extra_content: { google: { thought_signature: signature } },
});

const usage = {
  prompt_tokens: 100,
  completion_tokens: 50,
  total_tokens: 150,
  prompt_tokens_details: { cached_tokens: 40, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 20, audio_tokens: 0 },
};

const behaviours: { readonly [S in ProviderScenario]: FakeOpenaiBehaviour } = {
  text: answer(),
  measured: answer({}, { usage }),
  function_call: answer({
    ...message(null, {
      reasoning_content: 'Two cities, two calls.',
      tool_calls: [weatherCall('call_1', 'Lisbon', 'c2lnMQ=='), weatherCall('call_2', 'Porto', 'c2lnMg==')],
    }),
    finish_reason: 'tool_calls',
  }),
  cache_written: answer(),
  partial_usage: answer({}, { usage: { prompt_tokens: 100 } }),
  long_arguments: answer({
    ...message(null, { tool_calls: [weatherCall('call_1', longCity, 'c2lnMQ==')] }),
    finish_reason: 'tool_calls',
  }),
  cut_call: answer({
    ...message(null, {
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '' } }],
    }),
    finish_reason: 'length',
  }),
  unknown_end: answer({ finish_reason: 'moon_in_the_way' }),
  function_result: answer(message('It is mild in both.')),
  json: answer(message('{"city":"Lisbon"}')),
  media: answer(message('A dot, silence, an empty page and words.')),
  length: answer({ finish_reason: 'length' }),
  content_filter: answer({ ...message(null, { refusal: refusalWords }), finish_reason: 'stop' }),
  missing_usage: answer({}, { usage: undefined }),
  busy_once: { kind: 'status', status: 429, headers: { 'retry-after-ms': '1' }, body: { error } },
  busy_a_second: { kind: 'status', status: 429, headers: { 'retry-after': '1' }, body: { error } },
  bad_gateway: { kind: 'status', status: 502, body: { error } },
  gateway_timeout: { kind: 'status', status: 504, body: { error } },
  invalid_request: { kind: 'status', status: 400, body: { error } },
  input_limit: { kind: 'status', status: 400, body: { error: { ...error, code: 'context_length_exceeded' } } },
  rate_limited: { kind: 'status', status: 429, headers: { 'retry-after': '3' }, body: { error } },
  unavailable: { kind: 'status', status: 503, body: { error } },
  failed: { kind: 'status', status: 500, body: { error } },
  unknown: { kind: 'cut_mid_body' },
  hang: { kind: 'hang' },
};

const begun = [fakeChunk({ role: 'assistant', content: '' }), fakeChunk({ content: 'It is ' })];
const measured = [
  fakeChunk({ content: 'It is ' }, {}, { usage: { prompt_tokens: 100, completion_tokens: 2, total_tokens: 102 } }),
];
const whole = [...begun, fakeChunk({ content: 'mild.' })];

const streamBehaviours: { readonly [S in StreamScenario]: FakeOpenaiBehaviour } = {
  ...behaviours,
  cut_before_pieces: { kind: 'stream', chunks: [], afterwards: 'cut' },
  cut_between_pieces: { kind: 'stream', chunks: begun, afterwards: 'cut' },
  cut_after_usage: { kind: 'stream', chunks: measured, afterwards: 'cut' },
  cut_before_end: { kind: 'stream', chunks: whole, afterwards: 'cut' },
  ended_without_end: { kind: 'stream', chunks: whole, afterwards: 'end' },
  error_before_pieces: { kind: 'stream', chunks: [...begun.slice(0, 1), { error }] },
  growing_usage: {
    kind: 'stream',
    chunks: [
      fakeChunk({ content: 'It is ' }, {}, { usage: { prompt_tokens: 100, completion_tokens: 1, total_tokens: 101 } }),
      fakeChunk({ content: 'mild.' }, { finish_reason: 'stop' }),
      fakeChunk({}, {}, { choices: [], usage: { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 } }),
    ],
  },
  error_between_pieces: { kind: 'stream', chunks: [...begun, { error: { ...error, code: 'rate_limit_exceeded' } }] },
  hang_between_pieces: { kind: 'stream', chunks: begun, afterwards: 'hang' },
};

const embedBehaviours: { readonly [S in EmbedScenario]: FakeOpenaiBehaviour } = {
  ...behaviours,
  vectors: { kind: 'answer' },
  missing_usage: { kind: 'embeddings', rest: { usage: undefined } },
};

/** Whether the assistant message that came in last is the one that went out, member by member. */
const stateCameBack = (fake: FakeOpenai): boolean => {
  const messages = asArray(asObject(fake.requests.at(-1)?.body)?.['messages']).map(asObject);
  const assistant = messages.find((sent) => sent?.['role'] === 'assistant');
  const signatures = asArray(assistant?.['tool_calls']).map((call) =>
    JSON.stringify(asObject(call)?.['extra_content']),
  );
  return (
    assistant?.['reasoning_content'] === 'Two cities, two calls.' &&
    signatures.join() === '{"google":{"thought_signature":"c2lnMQ=="}},{"google":{"thought_signature":"c2lnMg=="}}'
  );
};

const openaiUnderTest = async (): Promise<ProviderUnderTest> => {
  const fake = await startFakeOpenai();
  const provider = openaiProvider({ baseUrl: fake.url, apiKey });
  return {
    provider,
    arrange: (scenario, call) => {
      fake.script(behaviours[scenario]);
      return call;
    },
    arrangeStream: (scenario, call) => {
      fake.script(streamBehaviours[scenario]);
      return call;
    },
    arrangeEmbed: (scenario, call) => {
      fake.script(embedBehaviours[scenario]);
      return call;
    },
    upstreamId: fake.requestId,
    measures: 'as_it_goes',
    impatient: () => openaiProvider({ baseUrl: fake.url, apiKey, timeoutMs: 300 }),
    sentBody: () => fake.requests.at(-1)?.text ?? '',
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

describeProvider({ describe, test }, 'the chat completions provider', openaiUnderTest);
