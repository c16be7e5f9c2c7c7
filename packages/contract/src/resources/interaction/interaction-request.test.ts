import { expect, test } from 'vitest';
import { isGatewayError } from '../../http/gateway-error.ts';
import { parseInteractionRequest } from './interaction-request.ts';

const id = '11111111-1111-4111-8111-111111111111';
const png = Buffer.concat([
  Buffer.from('89504e470d0a1a0a', 'hex'),
  Buffer.alloc(40),
  Buffer.from('0000000049454e44ae426082', 'hex'),
]).toString('base64');

const codeOf = (body: unknown): string => {
  try {
    parseInteractionRequest(body);
    return 'accepted';
  } catch (cause) {
    if (!isGatewayError(cause)) throw cause;
    return cause.code;
  }
};

const withField = (field: object): unknown => ({ input: 'Hello', ...field });
const withPng = (more: object): unknown => ({ input: [{ type: 'image', mime_type: 'image/png', ...more }] });
const withResult = (more: object): unknown => ({
  input: [{ type: 'function_result', call_id: 'c1', ...more }],
  previous_interaction_id: id,
});
const named = (name: string) => ({ type: 'function', name });

test('takes a text or a list of items as input, and nothing else [interactions:body:input]', () => {
  expect(parseInteractionRequest({ input: 'Hello' }).input).toEqual([{ kind: 'text', text: 'Hello' }]);
  expect(codeOf({ input: [{ type: 'text', text: 'Hello' }] })).toBe('accepted');
  expect(codeOf({ input: '' })).toBe('empty_message');
  for (const input of [undefined, null, 5, {}, []]) expect(codeOf({ input })).toBe('invalid_request');
  expect(codeOf([])).toBe('invalid_request');
  expect(codeOf(withField({ system_instruction: [] }))).toBe('invalid_request');
});

test.each(['stream', 'store', 'background', 'environment', 'nope', '__proto__x'])(
  'refuses the unknown field %s [interactions:body:unknown-fields]',
  (name) => {
    expect(codeOf(withField({ [name]: true }))).toBe('unsupported_parameter');
  },
);

test('a text item has a text [interactions:input:text-item]', () => {
  expect(codeOf({ input: [{ type: 'text' }] })).toBe('unsupported_content');
  expect(codeOf({ input: [{ type: 'text', text: '' }] })).toBe('empty_message');
  expect(codeOf({ input: [{ type: 'text', text: 'x', extra: 1 }] })).toBe('unsupported_parameter');
  expect(codeOf({ input: [{ type: 'nope' }] })).toBe('unsupported_content');
});

test('a media item has data or a uri of this project, of the kind it names [interactions:input:media-item]', () => {
  expect(codeOf(withPng({ data: png }))).toBe('accepted');
  expect(codeOf(withPng({ uri: `files/${id}` }))).toBe('accepted');
  expect(codeOf(withPng({}))).toBe('unsupported_content');
  expect(codeOf(withPng({ data: png, uri: `files/${id}` }))).toBe('unsupported_content');
  expect(codeOf(withPng({ data: 'AAAA' }))).toBe('invalid_image');
  expect(codeOf({ input: [{ type: 'audio', mime_type: 'image/png', data: png }] })).toBe('unsupported_content');
  expect(codeOf({ input: [{ type: 'image', data: png }] })).toBe('unsupported_content');
});

test('refuses an address outside of the project [interactions:input:external-uri-refused]', () => {
  expect(codeOf(withPng({ uri: 'https://example.com/a.png' }))).toBe('unsupported_content');
  expect(codeOf(withPng({ uri: 'files/nope' }))).toBe('not_found');
});

test('a function result answers a call of an earlier interaction, once [interactions:function-result:needs-previous]', () => {
  const item = { type: 'function_result', call_id: 'c1', result: '42' };
  expect(codeOf({ input: [item] })).toBe('invalid_request');
  expect(codeOf({ input: [item], previous_interaction_id: id })).toBe('accepted');
  expect(codeOf({ input: [item, item], previous_interaction_id: id })).toBe('invalid_request');
});

test('the result of a function is a text or an object [interactions:input:function-result-item]', () => {
  expect(codeOf(withResult({ result: { a: 1 }, is_error: true, name: 'f' }))).toBe('accepted');
  for (const result of [undefined, 5, null]) expect(codeOf(withResult({ result }))).toBe('unsupported_content');
});

test('ids that are no uuid are as good as unknown', () => {
  for (const name of ['previous_interaction_id', 'agent_id', 'environment_id'])
    expect(codeOf(withField({ [name]: 'nope' }))).toBe('not_found');
});

test('response_format is one of five, each with its own members [interactions:response-format:fields]', () => {
  for (const type of ['json', 'text', 'image', 'audio', 'video'])
    expect(codeOf(withField({ response_format: { type } }))).toBe('accepted');
  const refused = [{ type: 'xml' }, {}, { type: 'text', schema: {} }, { type: 'audio', resolution: '1K' }];
  for (const response_format of refused) expect(codeOf(withField({ response_format }))).toBe('invalid_request');
  expect(codeOf(withField({ response_format: { type: 'text', nope: 1 } }))).toBe('unsupported_parameter');
});

test.each([
  [{ temperature: 0, top_p: 0 }, 'accepted'],
  [{ temperature: 2, top_p: 1 }, 'accepted'],
  [{ temperature: 2.1 }, 'invalid_temperature'],
  [{ temperature: -0.1 }, 'invalid_temperature'],
  [{ top_p: 1.1 }, 'invalid_request'],
  [{ top_p: -0.1 }, 'invalid_request'],
])('bounds sampling: %j [interactions:generation-config:sampling]', (generation_config, code) => {
  expect(codeOf(withField({ generation_config }))).toBe(code);
});

test.each([
  [{ seed: 7, stop_sequences: ['END'] }, 'accepted'],
  [{ seed: 1.5 }, 'invalid_request'],
  [{ stop_sequences: 'x' }, 'invalid_request'],
  [{ stop_sequences: [1] }, 'invalid_request'],
])('takes seed and stop sequences: %j [interactions:generation-config:seed-stop]', (generation_config, code) => {
  expect(codeOf(withField({ generation_config }))).toBe(code);
});

test.each([
  [{ speech_config: { voice: 'Kore', language: 'en-US' } }, 'accepted'],
  [{ speech_config: { speaker: 'x' } }, 'unsupported_parameter'],
  [{ thinking_level: 'minimal' }, 'accepted'],
  [{ thinking_level: 'max' }, 'invalid_request'],
  [{ transcription_config: { language_codes: ['pt-BR'], mode: { type: 'smart' } } }, 'accepted'],
  [
    {
      transcription_config: {
        mode: { type: 'verbatim', diarization_mode: 'speaker', timestamp_granularities: ['word'] },
      },
    },
    'accepted',
  ],
  [{ transcription_config: { mode: { type: 'verbatim', diarization_mode: 'x' } } }, 'invalid_request'],
  [{ video_config: { task: 'extend' } }, 'accepted'],
  [{ video_config: { task: 'upscale' } }, 'invalid_request'],
])('takes the settings of the contract: %j', (generation_config, code) => {
  expect(codeOf(withField({ generation_config }))).toBe(code);
});

test.each([
  [{ collaborative_planning: true, visualization: 'auto', thinking_summaries: 'none' }, 'accepted'],
  [{ visualization: 'on' }, 'invalid_request'],
  [{ thinking_summaries: true }, 'invalid_request'],
  [{ collaborative_planning: 'yes' }, 'invalid_request'],
])('takes the settings of an agent: %j [interactions:agent-config:fields]', (agent_config, code) => {
  expect(codeOf(withField({ agent_config }))).toBe(code);
});

test.each([
  [{ type: 'web_search' }, 'accepted'],
  [{ type: 'code_execution' }, 'accepted'],
  [{ type: 'url_context' }, 'accepted'],
  [{ type: 'nope' }, 'invalid_request'],
  [{ type: 'function', name: 'f', description: 'd', parameters: { type: 'object' } }, 'accepted'],
  [{ type: 'function' }, 'invalid_request'],
  [{ type: 'maps', latitude: 90, longitude: -180 }, 'accepted'],
  [{ type: 'maps', latitude: 90.1, longitude: 0 }, 'invalid_request'],
  [{ type: 'maps', latitude: 0, longitude: 180.1 }, 'invalid_request'],
  [{ type: 'maps', latitude: 0 }, 'invalid_request'],
  [{ type: 'file_search', stores: [id] }, 'accepted'],
  [{ type: 'file_search', stores: [] }, 'invalid_request'],
  [{ type: 'file_search', stores: ['nope'] }, 'not_found'],
  [{ type: 'computer_use', environment: 'browser' }, 'accepted'],
  [{ type: 'computer_use', environment: 'mobile' }, 'invalid_request'],
  [
    { type: 'mcp_server', url: 'https://mcp.example/x', name: 'x', allowed_tools: ['a'], headers: { 'X-Key': 'v' } },
    'accepted',
  ],
  [{ type: 'mcp_server' }, 'invalid_request'],
  [{ type: 'mcp_server', url: 'file:///etc/passwd' }, 'invalid_request'],
  [{ type: 'mcp_server', url: 'https://user:secret@mcp.example' }, 'invalid_request'],
  [{ type: 'mcp_server', url: 'https://mcp.example', headers: { 'X-Key': 'a\r\nb: c' } }, 'invalid_request'],
])('checks the tool %j', (tool, code) => {
  expect(codeOf(withField({ tools: [tool] }))).toBe(code);
});

test('a tool stands once', () => {
  expect(codeOf(withField({ tools: [{ type: 'web_search' }, { type: 'web_search' }] }))).toBe('invalid_request');
  expect(codeOf(withField({ tools: [named('a'), named('b')] }))).toBe('accepted');
  expect(codeOf(withField({ tools: [named('a'), named('a')] }))).toBe('invalid_request');
});

test.each([
  ['headers', Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`wrong name ${index}`, 0]))],
  ['allowed_tools', Array.from({ length: 200_000 }, () => 0)],
])('refuses two hundred thousand wrong %s of a server as it refuses one, and throws nothing else', (field, value) => {
  const server = { type: 'mcp_server', url: 'https://mcp.example.com', [field]: value };
  expect(() => parseInteractionRequest({ input: 'Hello', tools: [server] })).toThrow(
    expect.objectContaining({
      code: 'invalid_request',
      message: expect.stringMatching(new RegExp(`^The field tools\\[0\\]\\.${field} `)),
    }),
  );
});
