import { expect, test } from 'vitest';
import { compatPolicy, parseCompat, parseStrict, refusalOf, user } from '../test/chat-calls.ts';
import { samples } from '../test/media-samples.ts';
import { parseChatRequest } from './chat-request.ts';

const body = (fields: object): unknown => ({ messages: [user], ...fields });
const weather = { type: 'function', function: { name: 'weather', description: 'd', parameters: { type: 'object' } } };

test('fills in temperature 0.7 and no stream [chat:temperature:default] [chat:stream:default]', () => {
  expect(parseStrict(body({}))).toEqual({ messages: [user], temperature: 0.7, stream: false });
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

const compatible = {
  max_tokens: 100,
  max_completion_tokens: 100,
  top_p: 0.9,
  stop: ['a', 'b'],
  seed: -7,
  user: 'u1',
  parallel_tool_calls: false,
  n: 1,
  store: false,
  metadata: { run: '1' },
  response_format: { type: 'json_schema', json_schema: { name: 'a', description: 'd', strict: true, schema: {} } },
  tools: [{ type: 'function', function: { name: 'a', strict: true } }],
};

test('keeps what compatible clients send, with the option only [chat:compat:openai]', () => {
  expect(parseCompat(body(compatible))).toEqual({ messages: [user], temperature: 0.7, stream: false, ...compatible });
  for (const [field, value] of Object.entries(compatible)) {
    expect(refusalOf(body({ [field]: value })), field).toMatchObject({ status: 422, code: 'unsupported_parameter' });
  }
});

test.each([
  { n: 2 },
  { store: true },
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
  expect(refusalOf(body({ logit_bias: {} }), compatPolicy).code).toBe('unsupported_parameter');
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

test('never repeats a client text other than a field name, cut and cleaned', () => {
  const { message } = refusalOf(body({ [`a\n\u0007é${'x'.repeat(500)}`]: 1 }));
  expect(message).toMatch(/^[\x20-\x7e]+$/);
  expect(message.length).toBeLessThan(120);
  expect(refusalOf(body({ tool_choice: 'SECRET' })).message).not.toContain('SECRET');
});
