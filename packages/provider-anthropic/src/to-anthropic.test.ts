import { contextBytesMax, type BlobPart, type Content, type GenerationCall } from '@tollgate/provider';
import { encodeJson } from '@tollgate/provider-http';
import { plainCall } from '@tollgate/testing/provider';
import { expect, test } from 'vitest';
import type { CachePrompts } from './cache-control.ts';
import { modelTraitsOf } from './model-traits.ts';
import { toAnthropic } from './to-anthropic.ts';
import { writeCallContext, writeThoughtContext } from './turn-state.ts';

const adaptive = modelTraitsOf('claude-opus-4-8');
const byBudget = modelTraitsOf('claude-sonnet-4-5-20250929');

/** As it goes on the wire. */
const sent = (
  changed: Partial<GenerationCall>,
  traits = adaptive,
  cachePrompts: CachePrompts = 'off',
  standardTier: 'sent' | 'left_out' = 'left_out',
): Record<string, unknown> =>
  JSON.parse(
    JSON.stringify(toAnthropic({ ...plainCall, ...changed }, { traits, cachePrompts, standardTier })),
  ) as Record<string, unknown>;

const turns = (...contents: readonly Content[]): unknown => sent({ contents })['messages'];

test('writes a call as a body', () => {
  const parameters = { type: 'object', properties: { city: { type: 'string' } } };
  expect(
    sent({
      systemInstruction: 'Be brief.',
      tools: [{ kind: 'function', name: 'f', description: 'd', parameters, strict: true }],
      sampling: { temperature: 0.2, topP: 0.9, topK: 4, stopSequences: ['END'] },
      endUser: 'user-1',
    }),
  ).toEqual({
    model: 'upstream-model',
    max_tokens: 100,
    system: 'Be brief.',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
    tools: [{ name: 'f', description: 'd', input_schema: parameters, strict: true }],
    tool_choice: { type: 'auto' },
    temperature: 0.2,
    top_p: 0.9,
    top_k: 4,
    stop_sequences: ['END'],
    metadata: { user_id: 'user-1' },
  });
});

test('gives a function without parameters a schema of an object, and leaves the choice out where there is none', () => {
  expect(sent({})['tools']).toEqual([{ name: 'f', input_schema: { type: 'object' } }]);
  expect(Object.keys(sent({ tools: [] }))).not.toContain('tool_choice');
});

test.each([
  [{ kind: 'auto' }, { type: 'auto', disable_parallel_tool_use: true }],
  [{ kind: 'none' }, { type: 'none' }],
  [{ kind: 'required' }, { type: 'any', disable_parallel_tool_use: true }],
  [{ kind: 'validated' }, { type: 'auto', disable_parallel_tool_use: true }],
  [
    { kind: 'function', name: 'f' },
    { type: 'tool', name: 'f', disable_parallel_tool_use: true },
  ],
] as const)('writes the choice %j, with one call at a time where that is asked for', (toolChoice, choice) => {
  expect(sent({ toolChoice, sampling: { parallelToolCalls: false } })['tool_choice']).toEqual(choice);
});

test('offers only the functions that a choice names, strictly where calls must be as declared', () => {
  const tools = [
    { kind: 'function', name: 'f' },
    { kind: 'function', name: 'g' },
  ] as const;
  expect(sent({ tools, toolChoice: { kind: 'validated', names: ['g'] } })['tools']).toEqual([
    { name: 'g', input_schema: { type: 'object' }, strict: true },
  ]);
});

test('offers the tools that the upstream runs, bounded by what is reserved for them', () => {
  const limits = { allowedDomains: ['example.com'], usesMax: 3 };
  const tools = [
    { kind: 'code_execution' },
    { kind: 'url_context' },
    { kind: 'web_search', ...limits },
    { kind: 'function', name: 'f' },
  ] as const;
  expect(sent({ tools, toolChoice: { kind: 'none' } })).toMatchObject({
    tools: [
      { name: 'f' },
      { type: 'code_execution_20250825', name: 'code_execution' },
      { type: 'web_fetch_20250910', name: 'web_fetch', max_uses: 20 },
      { type: 'web_search_20250305', name: 'web_search', max_uses: 3, allowed_domains: ['example.com'] },
    ],
    tool_choice: { type: 'none' },
  });
  expect(sent({ tools: [{ kind: 'web_search' }] })['tools']).toEqual([
    { type: 'web_search_20250305', name: 'web_search', max_uses: 8 },
  ]);
});

test('gives code back with its result, and neither without the other', () => {
  const python = { kind: 'executable_code', id: 'srvtoolu_1', language: 'PYTHON', code: '1/0' } as const;
  const bash = { kind: 'executable_code', id: 'srvtoolu_2', language: 'BASH', code: 'ls' } as const;
  const lost = { ...bash, id: 'srvtoolu_3' };
  const failed = { kind: 'code_execution_result', id: 'srvtoolu_1', outcome: 'failed', output: 'no' } as const;
  const done = { kind: 'code_execution_result', id: 'srvtoolu_2', outcome: 'ok', output: 'a.txt' } as const;
  const end = { kind: 'text', text: 'Done.' } as const;
  expect(turns({ role: 'model', parts: [python, failed, bash, done, lost, end] })).toEqual([
    {
      role: 'assistant',
      content: [
        { type: 'server_tool_use', id: 'srvtoolu_1', name: 'code_execution', input: { code: '1/0' } },
        {
          type: 'code_execution_tool_result',
          tool_use_id: 'srvtoolu_1',
          content: { type: 'code_execution_result', stdout: '', stderr: 'no', return_code: 1, content: [] },
        },
        { type: 'server_tool_use', id: 'srvtoolu_2', name: 'bash_code_execution', input: { command: 'ls' } },
        {
          type: 'bash_code_execution_tool_result',
          tool_use_id: 'srvtoolu_2',
          content: { type: 'bash_code_execution_result', stdout: 'a.txt', stderr: '', return_code: 0, content: [] },
        },
        { type: 'text', text: 'Done.' },
      ],
    },
  ]);
});

const inMinutes = { type: 'ephemeral' };
const inAnHour = { type: 'ephemeral', ttl: '1h' };
const minutes = { ttlSeconds: 300 };
const hour = { ttlSeconds: 3_600 };
const kept: Partial<GenerationCall> = {
  systemInstruction: 'Be brief.',
  promptCache: { system: hour, tools: minutes },
  tools: [
    { kind: 'function', name: 'f' },
    { kind: 'function', name: 'g' },
  ],
  contents: [
    {
      role: 'user',
      parts: [
        { kind: 'text', text: 'A' },
        { kind: 'media', mimeType: 'image/png', data: 'aQ==', cache: hour },
      ],
    },
    {
      role: 'model',
      parts: [
        { kind: 'text', text: 'B', cache: minutes },
        { kind: 'text', text: '', cache: hour },
      ],
    },
    { role: 'user', parts: [{ kind: 'text', text: 'C' }] },
  ],
};

test('marks what a client marks, where the host lets it', () => {
  expect(sent(kept, adaptive, 'asked')).toMatchObject({
    system: [{ type: 'text', text: 'Be brief.', cache_control: inAnHour }],
    tools: [{ name: 'f' }, { name: 'g', cache_control: inMinutes }],
    messages: [
      {
        content: [
          { type: 'text', text: 'A' },
          { type: 'image', cache_control: inAnHour },
        ],
      },
      { content: [{ type: 'text', text: 'B', cache_control: inMinutes }] },
      { content: [{ type: 'text', text: 'C' }] },
    ],
  });
  expect(sent(kept, adaptive, 'automatic')).toEqual(sent(kept, adaptive, 'asked'));
  expect(JSON.stringify(sent(kept))).not.toContain('cache_control');
});

test('marks tools, system text and the last turn of the user by itself where nothing is marked', () => {
  const { promptCache: _cache, ...unmarked } = kept;
  const contents: readonly Content[] = [
    { role: 'user', parts: [{ kind: 'text', text: 'A' }] },
    { role: 'model', parts: [{ kind: 'text', text: 'B' }] },
    {
      role: 'user',
      parts: [
        { kind: 'text', text: 'C' },
        { kind: 'text', text: 'D' },
      ],
    },
  ];
  const body = sent({ ...unmarked, contents }, adaptive, 'automatic');
  expect(body['system']).toEqual([{ type: 'text', text: 'Be brief.', cache_control: inMinutes }]);
  expect(body['tools']).toMatchObject([{ name: 'f' }, { name: 'g', cache_control: inMinutes }]);
  expect(body['messages']).toMatchObject([
    { content: [{ text: 'A' }] },
    { content: [{ text: 'B' }] },
    { content: [{ text: 'C' }, { text: 'D', cache_control: inMinutes }] },
  ]);
  expect(JSON.stringify(body).match(/cache_control/g)).toHaveLength(3);
});

test('puts all results of a turn first, in one message, whatever turns they came in', () => {
  const calls = ['a', 'b'].map((id) => ({ kind: 'function_call', id, name: 'f', arguments: `{"n":"${id}"}` }) as const);
  expect(
    turns(
      { role: 'user', parts: [{ kind: 'text', text: 'Go' }] },
      { role: 'model', parts: [{ kind: 'text', text: 'I call.' }, ...calls] },
      { role: 'user', parts: [{ kind: 'function_response', id: 'a', name: 'f', response: 'one' }] },
      { role: 'user', parts: [{ kind: 'text', text: 'And?' }] },
      { role: 'user', parts: [{ kind: 'function_response', id: 'b', name: 'f', response: '' }] },
    ),
  ).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'Go' }] },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I call.' },
        { type: 'tool_use', id: 'a', name: 'f', input: { n: 'a' } },
        { type: 'tool_use', id: 'b', name: 'f', input: { n: 'b' } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a', content: 'one' },
        { type: 'tool_result', tool_use_id: 'b' },
        { type: 'text', text: 'And?' },
      ],
    },
  ]);
});

test('writes an id with characters that this upstream refuses the same way on both sides', () => {
  const id = 'call:1/é';
  const messages = JSON.stringify(
    turns(
      { role: 'model', parts: [{ kind: 'function_call', id, name: 'f', arguments: '' }] },
      { role: 'user', parts: [{ kind: 'function_response', id, name: 'f', response: 'r' }] },
    ),
  );
  const written = /"id":"([a-zA-Z0-9_-]+)"/.exec(messages)?.[1];
  expect(written).toBeDefined();
  expect(messages).toContain(`"tool_use_id":"${written}"`);
});

test('sends images, PDF files and texts, and leaves empty texts out', () => {
  const text = Buffer.from('plain words').toString('base64');
  expect(
    turns({
      role: 'user',
      parts: [
        { kind: 'text', text: '' },
        { kind: 'media', mimeType: 'image/PNG', data: 'aW1n' },
        { kind: 'media', mimeType: 'application/pdf', data: 'cGRm', filename: 'a.pdf' },
        { kind: 'media', mimeType: 'text/plain; charset=utf-8', data: text },
      ],
    }),
  ).toEqual([
    {
      role: 'user',
      content: [
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aW1n' } },
        {
          type: 'document',
          source: { type: 'base64', media_type: 'application/pdf', data: 'cGRm' },
          title: 'a.pdf',
        },
        { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'plain words' } },
      ],
    },
  ]);
});

test('reads a blob while the request is sent', async () => {
  const blob: BlobPart = {
    kind: 'blob',
    mimeType: 'image/png',
    sizeBytes: 3,
    async *read() {
      yield Buffer.from('img');
    },
  };
  const body = encodeJson(
    toAnthropic(
      { ...plainCall, contents: [{ role: 'user', parts: [blob] }] },
      { traits: adaptive, cachePrompts: 'off', standardTier: 'left_out' },
    ),
  );
  const chunks: Uint8Array[] = [];
  if (body.kind === 'pieces') for await (const chunk of body.read()) chunks.push(chunk);
  expect(Buffer.concat(chunks).toString('utf8')).toContain('"media_type":"image/png","data":"aW1n"');
});

const signed = { kind: 'signed', thinking: 'Hm.', signature: 'c2ln' } as const;
const redacted = { kind: 'redacted', data: 'ZGF0YQ==' } as const;
const call = { kind: 'function_call', id: 'a', name: 'f', arguments: '{}' } as const;
const wireCall = { type: 'tool_use', id: 'a', name: 'f', input: {} };
const wireThoughts = [
  { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
  { type: 'redacted_thinking', data: 'ZGF0YQ==' },
];
const contextOf = (context: string | undefined) => (context === undefined ? {} : { context });

test('gives thoughts back by the calls that carry them, before all else of the turn', () => {
  const parts = [
    { kind: 'text', text: 'Wait.' },
    { ...call, ...contextOf(writeCallContext([signed, redacted])) },
  ] as const;
  expect(turns({ role: 'model', parts })).toEqual([
    { role: 'assistant', content: [...wireThoughts, { type: 'text', text: 'Wait.' }, wireCall] },
  ]);
});

test('gives thoughts back in their places, and once, where a client brings them itself', () => {
  const thought = { kind: 'text', text: 'Hm.', thought: true, ...contextOf(writeThoughtContext(signed)) } as const;
  const hidden = { kind: 'text', text: '', thought: true, ...contextOf(writeThoughtContext(redacted)) } as const;
  const carried = { ...call, ...contextOf(writeCallContext([signed, redacted])) };
  expect(turns({ role: 'model', parts: [thought, hidden, carried] })).toEqual([
    { role: 'assistant', content: [...wireThoughts, wireCall] },
  ]);
});

test.each(['', 'no json', '{"signature":7}', '[]', '{"thoughts":[{"thinking":"x"}]}', '{"thoughts":{"a":1}}'])(
  'leaves out a thought with the state of another provider: %j',
  (context) => {
    const thought = { kind: 'text', text: 'Other.', thought: true, context } as const;
    expect(turns({ role: 'model', parts: [thought, { ...call, context }] })).toEqual([
      { role: 'assistant', content: [wireCall] },
    ]);
  },
);

test('leaves out the text of thoughts before their signatures where the state is too long', () => {
  const context = writeCallContext([{ ...signed, thinking: 'x'.repeat(contextBytesMax) }]);
  expect(context).toBe('{"thoughts":[{"thinking":"","signature":"c2ln"}]}');
  expect(writeCallContext([{ ...signed, signature: 'x'.repeat(contextBytesMax) }])).toBeUndefined();
});

test.each([
  [{ level: 'minimal' }, { type: 'adaptive', display: 'omitted' }, 'low'],
  [{ level: 'high', includeThoughts: true }, { type: 'adaptive', display: 'summarized' }, 'high'],
  [{ budgetTokens: 0 }, { type: 'disabled' }, undefined],
  [{ budgetTokens: -1 }, { type: 'adaptive', display: 'omitted' }, undefined],
  [{ budgetTokens: 4_000 }, { type: 'adaptive', display: 'omitted' }, 'medium'],
  [{ includeThoughts: true }, { type: 'adaptive', display: 'summarized' }, undefined],
  [{ includeThoughts: false }, undefined, undefined],
] as const)('asks a model that decides for itself to think: %j', (thinking, asked, effort) => {
  const body = sent({ thinking });
  expect(body['thinking']).toEqual(asked);
  expect(body['output_config']).toEqual(effort === undefined ? undefined : { effort });
});

test.each([
  [{ level: 'low' }, 2_048],
  [{ budgetTokens: 10 }, 1_024],
  [{ budgetTokens: 3_000 }, 3_000],
  [{ budgetTokens: 90_000 }, 19_999],
  [{ budgetTokens: -1 }, 8_192],
  [{ includeThoughts: true }, 8_192],
] as const)('gives a model that takes one a budget below the output limit: %j', (thinking, budget) => {
  const body = sent({ thinking, outputTokensMax: 20_000 }, byBudget);
  expect(body['thinking']).toEqual({ type: 'enabled', budget_tokens: budget });
  expect(body['output_config']).toBeUndefined();
});

test('closes every object of a schema that says nothing of further members', () => {
  const inner = { type: 'object', properties: { a: { type: 'string' } } };
  const schema = {
    type: 'object',
    properties: { list: { type: 'array', items: inner }, open: { type: 'object', additionalProperties: true } },
    anyOf: [inner],
    $defs: { inner },
  };
  const closed = { ...inner, additionalProperties: false };
  expect(sent({ responseFormat: { kind: 'json_schema', name: 'n', schema } })['output_config']).toEqual({
    format: {
      type: 'json_schema',
      schema: {
        type: 'object',
        properties: { list: { type: 'array', items: closed }, open: { type: 'object', additionalProperties: true } },
        anyOf: [closed],
        $defs: { inner: closed },
        additionalProperties: false,
      },
    },
  });
});

test.each([
  ['claude-3-7-sonnet-20250219', 'budget', 0],
  ['claude-sonnet-4-20250514', 'budget', 0],
  ['anthropic/claude-opus-4-1', 'budget', 0],
  ['claude-haiku-4-5', 'budget', 0],
  ['claude-opus-4-6', 'adaptive', 0],
  ['claude-opus-4-7', 'adaptive', 3],
  ['claude-sonnet-5', 'adaptive', 3],
  ['claude-mythos-preview', 'adaptive', 3],
  ['some-other-model', 'adaptive', 0],
])('knows of %s by its name how it thinks and what it refuses', (model, thinking, refused) => {
  const traits = modelTraitsOf(model);
  expect([traits.thinking, traits.refuses.length]).toEqual([thinking, refused]);
  expect(traits.tools.length).toBe(model.includes('claude') ? 3 : 0);
});

test('asks for priority by auto, and for standard where the call or the host says so', () => {
  const tier = (changed: Partial<GenerationCall>, traits = adaptive, standardTier: 'sent' | 'left_out' = 'left_out') =>
    sent(changed, traits, 'off', standardTier)['service_tier'];
  expect(tier({})).toBeUndefined();
  expect(tier({}, adaptive, 'sent')).toBe('standard_only');
  expect(tier({ serviceTier: 'priority' }, adaptive, 'sent')).toBe('auto');
  expect(tier({ serviceTier: 'standard' })).toBe('standard_only');
  expect(tier({ serviceTier: 'standard' }, { ...adaptive, serviceTiers: [] }, 'sent')).toBeUndefined();
});
