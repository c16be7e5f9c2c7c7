import {
  fakeItemEvents,
  fakeResponseMessage,
  fakeResponse,
  fakeResponseBegun,
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
import { openaiProvider } from '../openai-provider.ts';

const apiKey = 'sk-not-to-be-shown';
const words = 'words of the upstream';
const error = { message: `${words} and ${apiKey}`, type: 'some_error', param: null, code: null };

const answer = (output?: readonly object[], rest: object = {}): FakeOpenaiBehaviour => ({
  kind: 'answer',
  body: fakeResponse(output, rest),
});

const usage = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 40 },
  output_tokens: 50,
  output_tokens_details: { reasoning_tokens: 20 },
  total_tokens: 150,
};

const weatherCall = (id: string, city: string): object => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: id,
  name: 'get_weather',
  arguments: JSON.stringify({ city }),
  status: 'completed',
});

const sealed = 'gAAAAB-sealed-by-the-upstream';
const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: sealed };

const behaviours: { readonly [S in ProviderScenario]: FakeOpenaiBehaviour } = {
  text: answer(),
  measured: answer(undefined, { usage }),
  function_call: answer([reasoning, weatherCall('call_1', 'Lisbon'), weatherCall('call_2', 'Porto')]),
  cache_written: answer(),
  partial_usage: answer(undefined, { usage: { input_tokens: 100 } }),
  long_arguments: answer([weatherCall('call_1', longCity)]),
  cut_call: answer([{ ...weatherCall('call_1', ''), arguments: '', status: 'incomplete' }], {
    status: 'incomplete',
    incomplete_details: { reason: 'max_output_tokens' },
  }),
  unknown_end: answer(undefined, { status: 'moon_in_the_way' }),
  function_result: answer([fakeResponseMessage('It is mild in both.')]),
  json: answer([fakeResponseMessage('{"city":"Lisbon"}')]),
  media: answer([fakeResponseMessage('A dot, silence, an empty page and words.')]),
  length: answer(undefined, { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }),
  content_filter: answer([{ ...fakeResponseMessage(''), content: [{ type: 'refusal', refusal: refusalWords }] }]),
  missing_usage: answer(undefined, { usage: undefined }),
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

const [opened, ...pieces] = fakeItemEvents(fakeResponseMessage('It is mild.'), 0);
const begun = [...fakeResponseBegun(), ...(opened === undefined ? [] : [opened]), ...pieces.slice(0, 1)];
const streamBehaviours: { readonly [S in StreamScenario]: FakeOpenaiBehaviour } = {
  ...behaviours,
  cut_before_pieces: { kind: 'stream', chunks: [], afterwards: 'cut' },
  cut_between_pieces: { kind: 'stream', chunks: begun, afterwards: 'cut' },
  // A response says what it used in its last event alone.
  cut_after_usage: { kind: 'stream', chunks: begun, afterwards: 'cut' },
  cut_before_end: {
    kind: 'stream',
    chunks: [...fakeResponseBegun(), ...fakeItemEvents(fakeResponseMessage('It is mild.'), 0)],
    afterwards: 'cut',
  },
  ended_without_end: {
    kind: 'stream',
    chunks: [...fakeResponseBegun(), ...fakeItemEvents(fakeResponseMessage('It is mild.'), 0)],
    afterwards: 'end',
  },
  error_before_pieces: {
    kind: 'stream',
    chunks: [...fakeResponseBegun(), { ...error, type: 'error' }],
    afterwards: 'end',
  },
  growing_usage: answer(undefined, { usage: { input_tokens: 100, output_tokens: 50, total_tokens: 150 } }),
  error_between_pieces: {
    kind: 'stream',
    chunks: [...begun, { ...error, type: 'error', code: 'rate_limit_exceeded' }],
    afterwards: 'end',
  },
  hang_between_pieces: { kind: 'stream', chunks: begun, afterwards: 'hang' },
};

/** Whether the sealed reasoning stands before the calls that came with it. */
const stateCameBack = (fake: FakeOpenai): boolean => {
  const items = asArray(asObject(fake.requests.at(-1)?.body)?.['input']).map((item) => asObject(item) ?? {});
  const kinds = items.map((item) => item['type']).join();
  const states = items.filter((item) => item['type'] === 'reasoning').map((item) => item['encrypted_content']);
  return kinds.includes('reasoning,function_call,function_call,function_call_output') && states.join() === sealed;
};

const embedBehaviours: { readonly [S in EmbedScenario]: FakeOpenaiBehaviour } = {
  ...behaviours,
  vectors: { kind: 'answer' },
  missing_usage: { kind: 'embeddings', rest: { usage: undefined } },
};

const responsesUnderTest = async (): Promise<ProviderUnderTest> => {
  const fake = await startFakeOpenai();
  const provider = openaiProvider({ baseUrl: fake.url, apiKey, wire: 'responses' });
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
    measures: 'at_the_end',
    impatient: () =>
      openaiProvider({
        baseUrl: fake.url,
        apiKey,
        wire: 'responses',
        timeoutMs: 300,
      }),
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

describeProvider({ describe, test }, 'the Responses wire of the OpenAI provider', responsesUnderTest);
