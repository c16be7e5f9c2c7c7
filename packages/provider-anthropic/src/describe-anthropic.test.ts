import { asArray, asObject } from '@tollgate/provider';
import {
  fakeAnthropicError,
  fakeMessage,
  fakeMessageEvents,
  fakeMessageUsage,
  startFakeAnthropic,
  type FakeAnthropic,
  type FakeAnthropicBehaviour,
} from '@tollgate/testing/fakes';
import {
  describeProvider,
  longCity,
  refusalWords,
  type BatchScenario,
  type ProviderScenario,
  type ProviderUnderTest,
  type StreamScenario,
} from '@tollgate/testing/provider';
import { describe, test } from 'vitest';
import { anthropicProvider } from './anthropic-provider.ts';

const apiKey = 'sk-ant-not-to-be-shown';
const words = 'words of the upstream';
const error = (type: string, message = words) => fakeAnthropicError(type, `${message} and ${apiKey}`);

const answer = (content?: readonly object[], rest: object = {}): FakeAnthropicBehaviour => ({
  kind: 'answer',
  message: fakeMessage(content, rest),
});
const saying = (text: string): readonly object[] => [{ type: 'text', text }];

const weatherCall = (id: string, city: string): object => ({
  type: 'tool_use',
  id,
  name: 'get_weather',
  input: { city },
});

const usage = fakeMessageUsage({
  input_tokens: 60,
  cache_read_input_tokens: 40,
  output_tokens: 50,
  output_tokens_details: { thinking_tokens: 20 },
});

const thought = { type: 'thinking', thinking: 'Two cities, two calls.', signature: 'c2lnMQ==' };
const redacted = { type: 'redacted_thinking', data: 'cmVkYWN0ZWQ=' };

const explained = { stop_details: { type: 'refusal', category: null, explanation: refusalWords } };

const behaviours: { readonly [S in ProviderScenario]: FakeAnthropicBehaviour } = {
  text: answer(),
  measured: answer(undefined, { usage }),
  function_call: answer([thought, redacted, weatherCall('toolu_1', 'Lisbon'), weatherCall('toolu_2', 'Porto')], {
    stop_reason: 'tool_use',
  }),
  cache_written: answer(undefined, {
    usage: fakeMessageUsage({ input_tokens: 60, cache_creation_input_tokens: 40 }),
  }),
  partial_usage: answer(undefined, { usage: { input_tokens: 100 } }),
  long_arguments: answer([weatherCall('toolu_1', longCity)], { stop_reason: 'tool_use' }),
  cut_call: answer([{ type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: {} }], {
    stop_reason: 'max_tokens',
  }),
  unknown_end: answer(undefined, { stop_reason: 'moon_in_the_way' }),
  function_result: answer(saying('It is mild in both.')),
  json: answer(saying('{"city":"Lisbon"}')),
  media: answer(saying('A dot, an empty page and words.')),
  length: answer(undefined, { stop_reason: 'max_tokens' }),
  content_filter: answer(saying('I was about to'), { stop_reason: 'refusal', ...explained }),
  missing_usage: answer(undefined, { usage: undefined }),
  busy_once: { kind: 'status', status: 529, headers: { 'retry-after': '0' }, body: error('overloaded_error') },
  busy_a_second: { kind: 'status', status: 429, headers: { 'retry-after': '1' }, body: error('rate_limit_error') },
  bad_gateway: { kind: 'status', status: 502, body: words },
  gateway_timeout: { kind: 'status', status: 504, body: error('timeout_error') },
  invalid_request: { kind: 'status', status: 400, body: error('invalid_request_error') },
  input_limit: {
    kind: 'status',
    status: 400,
    body: error('invalid_request_error', `prompt is too long: 300000 tokens > 200000 maximum, ${words}`),
  },
  rate_limited: { kind: 'status', status: 429, headers: { 'retry-after': '3' }, body: error('rate_limit_error') },
  unavailable: { kind: 'status', status: 401, body: error('authentication_error') },
  failed: { kind: 'status', status: 500, body: error('api_error') },
  unknown: { kind: 'cut_mid_body' },
  hang: { kind: 'hang' },
};

const whole = fakeMessageEvents(fakeMessage(saying('It is mild.')));
/** Up to the first delta of its text. */
const begun = whole.slice(0, 4);

/** As its beginning counts them, and never again. */
const uncounted = whole.map((event) => (event['type'] === 'message_delta' ? { ...event, usage: undefined } : event));
const cutCall = fakeMessageEvents(
  fakeMessage([{ type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: {} }], { stop_reason: 'max_tokens' }),
).filter((event) => event['type'] !== 'content_block_delta');

const streamBehaviours: { readonly [S in StreamScenario]: FakeAnthropicBehaviour } = {
  ...behaviours,
  // A refusal hands over what was said before it; here it comes at once.
  content_filter: answer([], { stop_reason: 'refusal', ...explained }),
  cut_before_pieces: { kind: 'stream', events: whole.slice(0, 1), afterwards: 'cut' },
  cut_between_pieces: { kind: 'stream', events: begun, afterwards: 'cut' },
  cut_after_usage: { kind: 'stream', events: begun, afterwards: 'cut' },
  cut_before_end: { kind: 'stream', events: whole.slice(0, -1), afterwards: 'cut' },
  ended_without_end: { kind: 'stream', events: whole.slice(0, -2), afterwards: 'end' },
  error_before_pieces: { kind: 'stream', events: [...whole.slice(0, 1), error('overloaded_error')] },
  partial_usage: { kind: 'stream', events: uncounted },
  cut_call: { kind: 'stream', events: cutCall },
  growing_usage: answer(saying('It is mild.'), { usage: fakeMessageUsage({ output_tokens: 50 }) }),
  error_between_pieces: { kind: 'stream', events: [...begun, error('overloaded_error')] },
  hang_between_pieces: { kind: 'stream', events: begun, afterwards: 'hang' },
};

const json = (body: unknown): FakeAnthropicBehaviour => ({ kind: 'status', status: 200, body });
const batch = (status: string): FakeAnthropicBehaviour =>
  json({ id: 'msgbatch_1', type: 'message_batch', processing_status: status, results_url: 'http://127.0.0.1:1/' });
const succeeded = { type: 'succeeded', message: fakeMessage() };
const errored = { type: 'errored', error: error('invalid_request_error') };
const results = (...of: readonly object[]): FakeAnthropicBehaviour =>
  // In another order than they were sent in.
  json(
    of
      .map((result, place) => `${JSON.stringify({ custom_id: `item-${place}`, result })}\n`)
      .toReversed()
      .join(''),
  );
const taken = batch('in_progress');
const ended = [batch('ended'), results(succeeded, succeeded)];

const batchBehaviours: { readonly [S in BatchScenario]: readonly FakeAnthropicBehaviour[] } = {
  done: [taken, ...ended],
  running: [taken, taken, batch('canceling'), ...ended],
  item_failed: [taken, batch('ended'), results(succeeded, errored)],
  busy_once: [behaviours.busy_once, taken],
  poll_lost: [taken, behaviours.unknown, ...ended],
  poll_refused: [taken, behaviours.unavailable, ...ended],
  busy_a_second: [behaviours.busy_a_second],
  bad_gateway: [behaviours.bad_gateway],
  gateway_timeout: [behaviours.gateway_timeout],
  invalid_request: [behaviours.invalid_request],
  input_limit: [behaviours.input_limit],
  rate_limited: [behaviours.rate_limited],
  unavailable: [behaviours.unavailable],
  failed: [behaviours.failed],
  unknown: [behaviours.unknown],
  hang: [behaviours.hang],
};

/** Whether the thoughts that came in last are those that went out, before the calls that they belong to. */
const stateCameBack = (fake: FakeAnthropic): boolean => {
  const messages = asArray(asObject(fake.requests.at(-1)?.body)?.['messages']).map(asObject);
  const content = asArray(messages.find((message) => message?.['role'] === 'assistant')?.['content']);
  return JSON.stringify(content.slice(0, 2)) === JSON.stringify([thought, redacted]);
};

const anthropicUnderTest = async (): Promise<ProviderUnderTest> => {
  const fake = await startFakeAnthropic();
  const provider = anthropicProvider({ baseUrl: fake.url, apiKey });
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
    arrangeCount: (scenario, call) => {
      fake.script(scenario === 'counted' ? json({ input_tokens: 12 }) : behaviours.unavailable);
      return call;
    },
    arrangeBatch: (scenario, call) => {
      fake.script(...batchBehaviours[scenario]);
      return call;
    },
    upstreamId: fake.requestId,
    measures: 'as_it_goes',
    impatient: () => anthropicProvider({ baseUrl: fake.url, apiKey, limits: { timeoutMs: 300, streamTimeoutMs: 300 } }),
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

describeProvider({ describe, test }, 'the Messages provider', anthropicUnderTest);
