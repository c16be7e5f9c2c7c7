import { expect, test } from 'vitest';
import { compatPolicy, parseCompat, parseStrict, refusalOf, strictPolicy, user } from '../../test/chat-calls.ts';
import { samples } from '../../test/media-samples.ts';
import { parseChatRequest } from './chat-request.ts';
import { CompatFields, ignoredFields } from './compat-fields.ts';

const body = (fields: object): unknown => ({ messages: [user], ...fields });
const weather = { type: 'function', function: { name: 'weather', description: 'd', parameters: { type: 'object' } } };

test('fills in no stream, and leaves the temperature to what is known of the model [chat:stream:default]', () => {
  expect(parseStrict(body({}))).toEqual({ messages: [user], stream: false });
  expect(parseCompat(body({}))).toEqual({ messages: [user], stream: false });
});

test.each([0, 0.7, 2])('takes temperature %j [chat:temperature:range]', (temperature) => {
  expect(parseStrict(body({ temperature })).temperature).toBe(temperature);
});

test.each([-0.1, 2.1, '1', null, true, Infinity])('refuses temperature %j [chat:temperature:range]', (temperature) => {
  expect(refusalOf(body({ temperature }))).toMatchObject({ status: 422, code: 'invalid_temperature' });
});

test.each(['true', 1, null, {}])('refuses stream %j [chat:stream:type]', (stream) => {
  expect(refusalOf(body({ stream }))).toMatchObject({ status: 422, code: 'invalid_stream' });
});

test.each([{ include_usage: 'yes' }, { include_usage: 1 }, 'x', null, []])(
  'refuses stream_options %j [chat:stream-options:include-usage]',
  (options) => {
    const refusal = refusalOf(body({ stream: true, stream_options: options }));
    expect(refusal).toMatchObject({ status: 422, code: 'invalid_stream_options' });
  },
);

test('takes include_usage with a stream [chat:stream-options:include-usage]', () => {
  for (const options of [{ include_usage: true }, { include_usage: false }, {}]) {
    expect(parseStrict(body({ stream: true, stream_options: options })).stream_options).toEqual(options);
  }
});

test.each([{}, { stream: false }])('refuses stream_options beside %j [chat:stream-options:needs-stream]', (fields) => {
  const refusal = refusalOf(body({ ...fields, stream_options: { include_usage: true } }));
  expect(refusal).toMatchObject({ status: 422, code: 'invalid_stream_options' });
});

test.each(['max_tokens', 'top_p', 'user', 'contents', 'input', 'n', 'constructor', '__proto__'])(
  'refuses the top-level field %s by name [chat:request:unsupported-field]',
  (field) => {
    const parsed: unknown = JSON.parse(`{"messages":[{"role":"user","content":"x"}],"${field}":1}`);
    expect(refusalOf(parsed)).toMatchObject({
      status: 422,
      code: 'unsupported_parameter',
      message: expect.stringContaining(field),
    });
  },
);

test('tolerates and drops the fields that a host lists [chat:request:allow-list-option]', () => {
  const policy = { openaiCompat: false, extraFields: ['user', 'tier'] };
  const request = parseChatRequest(body({ user: 'u1', tier: { deep: [] } }), policy);
  expect(request).toEqual(parseStrict(body({})));
  expect(refusalOf(body({ tier: 1, other: 1 }), policy)).toMatchObject({ message: expect.stringContaining('other') });
  expect(refusalOf(body({ stream: 1 }), { ...policy, extraFields: ['stream'] }).code).toBe('invalid_stream');
});

test('looks at unknown fields first, then the messages, then the rest', () => {
  expect(refusalOf({ messages: [], temperature: 9, zzz: 1 }).code).toBe('unsupported_parameter');
  expect(refusalOf({ messages: [], temperature: 9 }).code).toBe('invalid_messages');
  expect(refusalOf(body({ stream: 5, temperature: 9 })).code).toBe('invalid_temperature');
});

test.each([null, [], 'x', 5, true])('refuses the body %j', (value) => {
  expect(refusalOf(value)).toMatchObject({ status: 422, code: 'invalid_request' });
});

test.each([5, '', null, 'm'.repeat(513)])('refuses the model %j', (model) => {
  expect(refusalOf(body({ model }))).toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('model'),
  });
});

test('takes the four forms of response_format [chat:response-format:types]', () => {
  for (const format of [{ type: 'text' }, { type: 'json_object' }]) {
    expect(parseStrict(body({ response_format: format })).response_format).toEqual(format);
  }
  for (const format of [{ type: 'xml' }, {}, 'text', null, { type: 'json_object', schema: {} }]) {
    expect(refusalOf(body({ response_format: format })).status).toBe(422);
  }
});

test('wants a name and a schema for json_schema [chat:response-format:json-schema]', () => {
  const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' };
  const format = { type: 'json_schema', json_schema: { name: 'answer', schema } };
  expect(parseStrict(body({ response_format: format })).response_format).toEqual(format);
  for (const inner of [
    { name: 'answer' },
    { schema },
    { name: 'answer', schema: [] },
    { name: '', schema },
    undefined,
  ]) {
    const refusal = refusalOf(body({ response_format: { type: 'json_schema', json_schema: inner } }));
    expect(refusal).toMatchObject({ status: 422, code: 'invalid_request' });
    expect(refusal.message).toContain('response_format.json_schema');
  }
});

test('takes the three kinds of tool [chat:tools:function-shape]', () => {
  const tools = [
    weather,
    { type: 'code_execution' },
    { type: 'url_context' },
    { type: 'function', function: { name: '_a.b:c-9' } },
  ];
  expect(parseStrict(body({ tools })).tools).toEqual(tools);
});

test.each([
  ['no list', weather],
  ['a function without name', [{ type: 'function', function: { description: 'd' } }]],
  ['a function without body', [{ type: 'function' }]],
  ['a name that begins with a digit', [{ type: 'function', function: { name: '9a' } }]],
  ['a name of 129 characters', [{ type: 'function', function: { name: 'a'.repeat(129) } }]],
  ['parameters as a list', [{ type: 'function', function: { name: 'a', parameters: [] } }]],
  ['a repeated name', [weather, weather]],
  ['another type', [{ type: 'retrieval' }]],
  ['513 tools', Array.from({ length: 513 }, () => ({ type: 'url_context' }))],
])('refuses tools with %s [chat:tools:function-shape]', (_, tools) => {
  expect(refusalOf(body({ tools }))).toMatchObject({
    status: 422,
    code: 'invalid_request',
    message: expect.stringContaining('tools'),
  });
});

test('refuses web search on this route [chat:tools:url-context-not-search]', () => {
  expect(refusalOf(body({ tools: [{ type: 'web_search' }] }))).toMatchObject({ status: 422, code: 'invalid_request' });
});

test('takes the four forms of tool_choice [chat:tool-choice:values]', () => {
  for (const choice of ['auto', 'none', 'required', { type: 'function', function: { name: 'weather' } }]) {
    expect(parseStrict(body({ tools: [weather], tool_choice: choice })).tool_choice).toEqual(choice);
  }
});

test.each(['any', '', null, 5, {}, { type: 'function' }, { type: 'function', function: { name: 'other' } }])(
  'refuses tool_choice %j [chat:tool-choice:values]',
  (choice) => {
    expect(refusalOf(body({ tools: [weather], tool_choice: choice }))).toMatchObject({
      status: 422,
      code: 'invalid_request',
      message: expect.stringContaining('tool_choice'),
    });
  },
);

const carried = {
  max_tokens: 100,
  max_completion_tokens: 100,
  top_p: 0.9,
  stop: ['a', 'b'],
  seed: -7,
  user: 'u1',
  parallel_tool_calls: false,
  service_tier: 'flex',
  frequency_penalty: -2,
  presence_penalty: 2,
  reasoning_effort: 'minimal',
  response_format: { type: 'json_schema', json_schema: { name: 'a', description: 'd', strict: true, schema: {} } },
  tools: [{ type: 'function', function: { name: 'a', strict: true } }],
};

/** What changes no answer. */
const ignored = {
  metadata: { run: '1' },
  prompt_cache_key: 'k',
  prompt_cache_retention: '24h',
  safety_identifier: 's',
  verbosity: 'high',
  store: false,
  n: 1,
  logprobs: false,
  top_logprobs: 0,
  logit_bias: {},
  modalities: ['text'],
};

test('keeps what compatible clients send, with the option only [chat:compat:openai]', () => {
  expect(parseCompat(body(carried))).toEqual({ messages: [user], stream: false, ...carried });
  for (const [field, value] of Object.entries(carried)) {
    expect(refusalOf(body({ [field]: value })), field).toMatchObject({ status: 422, code: 'unsupported_parameter' });
  }
});

test('drops what changes no answer, with the option only [chat:compat:openai]', () => {
  expect(Object.keys(ignored).toSorted()).toEqual(Object.keys(ignoredFields).toSorted());
  expect(parseCompat(body(ignored))).toEqual({ messages: [user], stream: false });
  for (const [field, value] of Object.entries(ignored)) {
    expect(refusalOf(body({ [field]: value })), field).toMatchObject({ status: 422, code: 'unsupported_parameter' });
  }
});

test('takes null for what is left out, with the option only', () => {
  const nulls = Object.fromEntries(Object.keys(CompatFields.shape).map((field) => [field, null]));
  expect(parseCompat(body(nulls))).toEqual({ messages: [user], stream: false });
  expect(refusalOf(body({ model: null })).code).toBe('invalid_request');
});

test('takes a hint of the stream that says nothing', () => {
  const stream = { stream: true, stream_options: { include_usage: true, include_obfuscation: false } };
  expect(parseCompat(body(stream))).toMatchObject(stream);
  expect(refusalOf(body(stream)).code).toBe('unsupported_parameter');
});

test.each([
  [{ type: 'json_object', schema: { type: 'object' } }, 'response'],
  [{ type: 'json_schema', schema: { type: 'object' } }, 'response'],
  [{ type: 'json_schema', json_schema: { name: 'a', strict: null, schema: { type: 'object' } } }, 'a'],
])('reads a schema wherever a client writes it: %j', (format, name) => {
  expect(parseCompat(body({ response_format: format })).response_format).toEqual({
    type: 'json_schema',
    json_schema: { name, schema: { type: 'object' } },
  });
});

test('refuses a format with two schemas, or with none where there must be one', () => {
  for (const format of [
    { type: 'json_schema' },
    { type: 'json_schema', schema: {}, json_schema: { name: 'a', schema: {} } },
  ])
    expect(refusalOf(body({ response_format: format }), compatPolicy)).toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('response_format'),
    });
});

test('reads functions of the older form as tools', () => {
  const functions = [weather.function, { name: 'other' }];
  const tools = functions.map((declared) => ({ type: 'function', function: declared }));
  expect(parseCompat(body({ functions }))).toEqual({ messages: [user], stream: false, tools, legacyFunctions: true });
  for (const [choice, tool_choice] of [
    ['none', 'none'],
    ['auto', 'auto'],
    [{ name: 'other' }, { type: 'function', function: { name: 'other' } }],
  ])
    expect(parseCompat(body({ functions, function_call: choice }))).toMatchObject({ tools, tool_choice });
  for (const wrong of [
    { functions, tools },
    { function_call: 'auto' },
    { functions, function_call: { name: 'third' } },
    { functions: [] },
    { functions: [weather] },
  ])
    expect(refusalOf(body(wrong), compatPolicy).status).toBe(422);
});

const messagesOf = (length: number) => ({ messages: Array.from({ length }, () => user) });

test('takes more messages than the contract with the option only: 2,000, or as many as the host says', () => {
  expect(parseChatRequest(messagesOf(2_000), compatPolicy).messages).toHaveLength(2_000);
  expect(refusalOf(messagesOf(2_001), compatPolicy)).toMatchObject({
    code: 'invalid_messages',
    message: expect.stringContaining('2000'),
  });
  expect(parseChatRequest(messagesOf(2_001), { ...compatPolicy, messagesMax: 2_001 }).messages).toHaveLength(2_001);
  expect(refusalOf(messagesOf(101), { ...compatPolicy, messagesMax: 100 }).code).toBe('invalid_messages');
  expect(refusalOf(messagesOf(101), { ...strictPolicy, messagesMax: 101 }).code).toBe('invalid_messages');
});

test.each([
  { n: 2 },
  { store: true },
  { logprobs: true },
  { top_logprobs: 3 },
  { logit_bias: { 50256: -100 } },
  { modalities: ['text', 'audio'] },
  { service_tier: 'scale' },
  { verbosity: 'loud' },
  { frequency_penalty: 2.1 },
  { presence_penalty: '1' },
  { reasoning_effort: 'xhigh' },
  { max_tokens: 0 },
  { max_completion_tokens: 1.5 },
  { top_p: 1.1 },
  { stop: [] },
  { stop: 5 },
  { seed: 'x' },
  { user: 5 },
  { parallel_tool_calls: 'no' },
  { metadata: { run: 1 } },
  { metadata: [] },
  { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`k${index}`, 'v'])) },
])('refuses %j with the option on [chat:compat:openai]', (fields) => {
  expect(refusalOf(body(fields), compatPolicy)).toMatchObject({
    status: 422,
    code: 'invalid_request',
    message: expect.stringContaining(Object.keys(fields)[0] ?? ''),
  });
});

test('refuses other fields with the option on too', () => {
  for (const field of ['audio', 'prediction', 'moderation'])
    expect(refusalOf(body({ [field]: {} }), compatPolicy).code).toBe('unsupported_parameter');
});

test('takes a search of the web with the option alone, and refuses by name how it is to be done', () => {
  const searching = body({ web_search_options: { search_context_size: 'medium', user_location: null } });
  expect(parseChatRequest(searching, compatPolicy).web_search_options).toBeDefined();
  expect(refusalOf(searching, strictPolicy).code).toBe('unsupported_parameter');
  for (const [field, value] of [
    ['search_context_size', 'high'],
    ['user_location', { type: 'approximate', approximate: { country: 'PT' } }],
    ['other', 1],
  ] as const)
    expect(refusalOf(body({ web_search_options: { [field]: value } }), compatPolicy).message).toContain(
      `web_search_options.${field}`,
    );
});

test('takes what the SDK of the compatible provider writes [chat:compat:ai-sdk]', () => {
  const request = {
    model: 'service-auto',
    stream: true,
    stream_options: { include_usage: true },
    tool_choice: 'auto',
    tools: [weather],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Read.' },
          { type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${samples.pdf}` } },
          { type: 'input_audio', input_audio: { data: samples.wav, format: 'wav' } },
        ],
      },
    ],
  };
  expect(parseStrict(request)).toMatchObject({ model: 'service-auto', stream: true, tool_choice: 'auto' });
});

const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));

test('refuses schemas nested 100,000 deep without crashing', () => {
  const deep = { properties: nested(100_000) };
  const format = { type: 'json_schema', json_schema: { name: 'a', schema: deep } };
  expect(refusalOf(body({ response_format: format })).code).toBe('invalid_request');
  const tool = { type: 'function', function: { name: 'a', parameters: deep } };
  expect(refusalOf(body({ tools: [tool] })).code).toBe('invalid_request');
});

test.each(['messages', 'model', 'stream_options', 'tools', 'metadata'])(
  'refuses a value nested 100,000 deep in %s without crashing',
  (field) => {
    expect(refusalOf(body({ [field]: nested(100_000) }), compatPolicy).status).toBe(422);
  },
);

test('refuses 300,000 faulty entries in any list without crashing', () => {
  const many = Array.from({ length: 300_000 }, () => ({}));
  const bodies = [
    { messages: many },
    { messages: [{ role: 'user', content: many }] },
    { messages: [{ role: 'assistant', content: null, tool_calls: many }] },
    body({ tools: many }),
    body({ stop: many }),
  ];
  for (const value of bodies) expect(refusalOf(value, compatPolicy).status).toBe(422);
});

test('repeats nothing of a client but names of fields, numbers and short plain words, all of them cut', () => {
  const { message } = refusalOf(body({ [`a\n\u0007é${'x'.repeat(500)}`]: 1 }));
  expect(message).toMatch(/^[\x20-\x7e]+$/);
  expect(message.length).toBeLessThan(240);
  for (const secret of ['sk-0123456789abcdef0123456789', 'two words', 'пароль', 'a@b.example', '1234567'])
    for (const fields of [
      { tool_choice: secret },
      { model: 5, user: secret },
      { temperature: secret },
      { stop: [secret, 5] },
    ])
      expect(refusalOf(body(fields), compatPolicy).message).not.toContain(secret);
  expect(refusalOf(body({ tool_choice: 'any' })).message).toContain('is "any"');
  expect(refusalOf(body({ temperature: 1.5e300 })).message).toContain('is 1.5e+300, which is above 2');
});

const callOf = (values: number, id: string): object => ({
  id,
  type: 'function',
  function: { name: 'f', arguments: `{"list":[${'0,'.repeat(values - 1)}0]}` },
});

const chatOfCalls = (...values: readonly number[]): object => ({
  messages: [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: null, tool_calls: values.map((count, place) => callOf(count, `c${place}`)) },
    ...values.map((_, place) => ({ role: 'tool', tool_call_id: `c${place}`, content: 'done' })),
  ],
});

test('takes no more values in the arguments of all calls than a body may hold, and parses none of the rest', () => {
  const policy = { ...strictPolicy, bodyNodesMax: 1_000 };
  expect(() => parseChatRequest(chatOfCalls(490, 490), policy)).not.toThrow();
  for (const chat of [chatOfCalls(1_000), chatOfCalls(490, 400, 200)])
    expect(() => parseChatRequest(chat, policy)).toThrow(
      /arguments of calls hold more than 1000 values and field names, or 100 names that differ \(bodyNodesMax\)/,
    );
});
