import type { GenerationCall, Part } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { toOpenai } from './to-openai.ts';

const options = {
  tokenLimitField: 'max_tokens',
  temperature: 'sent',
  topK: 'refused',
  reasoning: 'sent',
  webSearch: 'refused',
  serviceTier: 'sent',
} as const;

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

const userOf = (parts: readonly Part[]): unknown =>
  toOpenai({ ...call, contents: [{ role: 'user', parts }] }, options)['messages'];

test('writes a plain call with nothing that was not asked for', () => {
  expect(toOpenai(call, options)).toEqual({
    model: 'upstream-model',
    messages: [{ role: 'user', content: 'Hello' }],
    temperature: 0.7,
    max_tokens: 100,
  });
});

test('names the output limit and leaves out the temperature as the host says', () => {
  const body = toOpenai(call, { ...options, tokenLimitField: 'max_completion_tokens', temperature: 'left_out' });
  expect(body).toMatchObject({ max_completion_tokens: 100 });
  expect(JSON.stringify(body)).not.toMatch(/"(?:temperature|max_tokens)"/);
});

test('writes sampling, end user, tools and format as the wire has them', () => {
  const schema = { type: 'object' };
  const body = toOpenai(
    {
      ...call,
      systemInstruction: 'Be brief.',
      sampling: { temperature: 0, topP: 0.5, seed: 7, stopSequences: ['END'], parallelToolCalls: false },
      endUser: 'user-1',
      tools: [
        { kind: 'function', name: 'f', description: 'does f', parameters: schema, strict: true },
        { kind: 'function', name: 'g' },
      ],
      toolChoice: { kind: 'function', name: 'g' },
      responseFormat: { kind: 'json_schema', name: 'shape', schema, strict: true, description: 'a shape' },
    },
    options,
  );
  expect(body).toEqual({
    model: 'upstream-model',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hello' },
    ],
    temperature: 0,
    top_p: 0.5,
    seed: 7,
    stop: ['END'],
    max_tokens: 100,
    tools: [
      { type: 'function', function: { name: 'f', description: 'does f', parameters: schema, strict: true } },
      { type: 'function', function: { name: 'g' } },
    ],
    tool_choice: { type: 'function', function: { name: 'g' } },
    parallel_tool_calls: false,
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'shape', schema, strict: true, description: 'a shape' },
    },
    user: 'user-1',
  });
});

test.each(['auto', 'none', 'required'] as const)('writes tool choice %s even where it is the default', (kind) => {
  const body = toOpenai({ ...call, tools: [{ kind: 'function', name: 'f' }], toolChoice: { kind } }, options);
  expect(body['tool_choice']).toBe(kind);
});

test('asks for any JSON object', () => {
  const body = toOpenai({ ...call, responseFormat: { kind: 'json_object' } }, options);
  expect(body['response_format']).toEqual({ type: 'json_object' });
});

test.each([
  ['image/png', { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } }],
  ['audio/mpeg', { type: 'input_audio', input_audio: { data: 'aGk=', format: 'mp3' } }],
  ['audio/x-wav', { type: 'input_audio', input_audio: { data: 'aGk=', format: 'wav' } }],
  ['audio/flac', { type: 'input_audio', input_audio: { data: 'aGk=', format: 'flac' } }],
  ['video/mp4', { type: 'video_url', video_url: { url: 'data:video/mp4;base64,aGk=' } }],
  ['application/pdf', { type: 'file', file: { filename: 'file.pdf', file_data: 'data:application/pdf;base64,aGk=' } }],
])('carries %s', (mimeType, part) => {
  expect(
    userOf([
      { kind: 'text', text: 'Look' },
      { kind: 'media', mimeType, data: 'aGk=' },
    ]),
  ).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Look' }, part] }]);
});

test('inlines a text file and keeps the name of another', () => {
  expect(userOf([{ kind: 'media', mimeType: 'text/plain; charset=utf-8', data: 'aMOpbGxv' }])).toEqual([
    { role: 'user', content: 'héllo' },
  ]);
  expect(userOf([{ kind: 'media', mimeType: 'application/pdf', data: 'aGk=', filename: 'a.pdf' }])).toMatchObject([
    { content: [{ file: { filename: 'a.pdf' } }] },
  ]);
});

test('writes a tool loop with its results right after the calls, and the state that belongs to them', () => {
  const context = JSON.stringify({ reasoning: 'because', extra_content: { a: { sig: 1 } }, role: 'system' });
  const body = toOpenai(
    {
      ...call,
      contents: [
        {
          role: 'model',
          parts: [
            { kind: 'text', text: 'Let me ' },
            { kind: 'text', text: 'see.' },
            { kind: 'function_call', id: 'a', name: 'f', arguments: '{"x":1}', context },
            { kind: 'function_call', id: 'b', name: 'g', arguments: '{}' },
          ],
        },
        {
          role: 'user',
          parts: [
            { kind: 'text', text: 'Go on.' },
            { kind: 'function_response', id: 'a', name: 'f', response: '1' },
            { kind: 'function_response', id: 'b', name: 'g', response: '2' },
          ],
        },
      ],
    },
    options,
  );
  expect(body['messages']).toEqual([
    {
      role: 'assistant',
      content: 'Let me see.',
      reasoning: 'because',
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":1}' }, extra_content: { sig: 1 } },
        { id: 'b', type: 'function', function: { name: 'g', arguments: '{}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'a', content: '1' },
    { role: 'tool', tool_call_id: 'b', content: '2' },
    { role: 'user', content: 'Go on.' },
  ]);
});

test.each(['not json', '[]', '"text"', '{"extra_content":7}', '{"reasoning":{"a":1}}'])(
  'takes the context %s of elsewhere as none',
  (context) => {
    const parts: readonly Part[] = [{ kind: 'function_call', id: 'a', name: 'f', arguments: '{}', context }];
    const body = toOpenai({ ...call, contents: [{ role: 'model', parts }] }, options);
    expect(body['messages']).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
    ]);
  },
);

const named = (toolChoice: GenerationCall['toolChoice']): unknown => {
  const tools = [
    { kind: 'function', name: 'f' },
    { kind: 'function', name: 'g' },
  ] as const;
  const { tools: offered, tool_choice } = toOpenai({ ...call, tools, toolChoice }, options);
  return { offered, tool_choice };
};

test('offers only the functions that a choice names', () => {
  const offered = [{ type: 'function', function: { name: 'g' } }];
  expect(named({ kind: 'required', names: ['g'] })).toEqual({ offered, tool_choice: 'required' });
});

test('asks for calls that are as declared by strict functions', () => {
  const offered = [{ type: 'function', function: { name: 'f', strict: true } }];
  expect(named({ kind: 'validated', names: ['f'] })).toEqual({ offered, tool_choice: 'auto' });
});

test.each([
  [{ level: 'minimal' }, 'minimal'],
  [{ level: 'high', budgetTokens: 0 }, 'high'],
  [{ budgetTokens: 0 }, 'none'],
  [{ budgetTokens: 1 }, 'low'],
  [{ budgetTokens: 1_024 }, 'low'],
  [{ budgetTokens: 1_025 }, 'medium'],
  [{ budgetTokens: 8_193 }, 'high'],
  [{ budgetTokens: -1 }, undefined],
  [{ includeThoughts: true }, undefined],
] as const)('asks for reasoning of %j as effort %s', (thinking, effort) => {
  expect(toOpenai({ ...call, thinking }, options)['reasoning_effort']).toBe(effort);
});

test('carries the detail of an image and leaves thoughts out of what the model said', () => {
  expect(userOf([{ kind: 'media', mimeType: 'image/png', data: 'aGk=', detail: 'low' }])).toMatchObject([
    { content: [{ image_url: { detail: 'low' } }] },
  ]);
  const parts: readonly Part[] = [
    { kind: 'text', text: 'Hm.', thought: true },
    { kind: 'text', text: 'Yes.' },
  ];
  const body = toOpenai({ ...call, contents: [{ role: 'model', parts }] }, options);
  expect(body['messages']).toEqual([{ role: 'assistant', content: 'Yes.' }]);
});
