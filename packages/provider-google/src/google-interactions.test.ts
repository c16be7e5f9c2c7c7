import {
  asObject,
  isNotExecuted,
  parseJson,
  type Attempt,
  type BlobPart,
  type CallContext,
  type InteractionCall,
  type Step,
} from '@tollgate/provider';
import {
  sampleCaller,
  fakeGeminiVideo,
  fakeInteractionUsage,
  startFakeGemini,
  type FakeGemini,
} from '@tollgate/testing/fakes';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { googleProvider, type GoogleProvider } from './google-provider.ts';

const apiKey = 'k-1';

let fake: FakeGemini;
let provider: GoogleProvider;
let attempts: Attempt[];
let context: CallContext;
beforeEach(async () => {
  fake = await startFakeGemini({ apiKey });
  provider = googleProvider({ baseUrl: fake.url, apiKey, sleep: () => Promise.resolve() });
  attempts = [];
  context = {
    caller: sampleCaller,
    signal: new AbortController().signal,
    recordAttempt: (attempt) => void attempts.push(attempt),
  };
});
afterEach(async () => {
  await fake.close();
  await provider.close();
});

const said = (text: string): Step => ({ kind: 'user_input', content: [{ kind: 'text', text }] });

const base: InteractionCall = {
  operationId: 'operation',
  upstreamModel: 'gemini-2.5-flash',
  upstreamKind: 'model',
  input: [said('Hello')],
  history: [],
  previousReference: null,
  systemInstruction: null,
  tools: [],
  format: { kind: 'text' },
  sampling: {},
  outputTokensMax: 1_000,
};

const start = async (change: Partial<InteractionCall> = {}): Promise<string> =>
  (await provider.interactions.start({ ...base, ...change }, context)).job;

/** What a call is sent as. */
const bodyOf = async (change: Partial<InteractionCall> = {}): Promise<unknown> => {
  await start(change);
  return fake.requests.at(-1)?.body;
};

const reasonOf = async (running: Promise<unknown>): Promise<string> => {
  try {
    await running;
  } catch (failure) {
    if (isNotExecuted(failure)) return failure.reason;
    return failure instanceof Error ? failure.message : String(failure);
  }
  return 'no failure';
};

const told = (interaction: object) => ({ kind: 'answer' as const, responses: [{ id: 'i', ...interaction }] });

/** What an interaction comes to of which the upstream tells this. */
const resultOf = async (interaction: object) => {
  const job = await start();
  fake.scriptJobs(told({ status: 'completed', usage: fakeInteractionUsage, ...interaction }));
  const progress = await provider.interactions.poll(job, context);
  if (progress.kind !== 'done') throw new Error('not done');
  return progress.result;
};

test('begins in the background, kept, with all of it as steps', async () => {
  expect(await bodyOf({ systemInstruction: 'Be brief.' })).toEqual({
    model: 'gemini-2.5-flash',
    input: [{ type: 'user_input', content: [{ type: 'text', text: 'Hello' }] }],
    system_instruction: 'Be brief.',
    generation_config: { max_output_tokens: 1_000 },
    background: true,
    store: true,
  });
  expect([fake.requests[0]?.method, fake.requests[0]?.path]).toEqual(['POST', '/v1beta/interactions']);
});

test('returns its steps, its usage and a note, whichever process asks', async () => {
  const job = await start();
  const another = googleProvider({ baseUrl: fake.url, apiKey });
  const progress = await another.interactions.poll(job, context);
  expect(progress).toEqual({
    kind: 'done',
    result: {
      steps: [{ kind: 'model_output', content: [{ kind: 'text', text: 'Hello from upstream.' }] }],
      status: 'completed',
      usage: [
        { unit: 'input_text_tokens', quantity: 10, confirmed: true },
        { unit: 'output_text_tokens', quantity: 5, confirmed: true },
      ],
      reference: 'interaction-1',
    },
  });
  expect(attempts.map(({ outcome }) => outcome)).toEqual(['answered', 'answered']);
  await another.close();
});

const past: readonly Step[] = [
  said('What is the weather?'),
  { kind: 'thought', context: 'c2ln', summary: 'Look it up.' },
  { kind: 'thought', summary: 'Without a signature.' },
  { kind: 'tool_call', tool: 'web_search', id: 's1', arguments: { queries: ['weather'] }, context: 'c2ln' },
  { kind: 'tool_result', tool: 'web_search', callId: 's1', result: [] },
  { kind: 'tool_call', tool: 'maps', id: 'm1', arguments: { queries: ['here'] } },
  {
    kind: 'tool_call',
    tool: 'mcp_server',
    id: 'x1',
    arguments: { name: 'read', server_name: 'docs', arguments: { page: 1 } },
  },
  { kind: 'tool_result', tool: 'mcp_server', callId: 'x1', result: 'text', isError: true },
  { kind: 'function_call', id: 'f1', name: 'get', arguments: '{"city":"Lisbon"}' },
  { kind: 'model_output', content: [{ kind: 'text', text: 'Mild.', annotations: [{ type: 'url_citation' }] }] },
];

const result: Step = { kind: 'function_result', callId: 'f1', name: 'get', result: { celsius: 20 } };

test('sends the history where the upstream does not know it, in its own words', async () => {
  expect(await bodyOf({ history: past, input: [result, said('And tomorrow?')] })).toMatchObject({
    input: [
      { type: 'user_input', content: [{ type: 'text', text: 'What is the weather?' }] },
      { type: 'thought', signature: 'c2ln' },
      { type: 'google_search_call', id: 's1', arguments: { queries: ['weather'] }, signature: 'c2ln' },
      { type: 'google_search_result', call_id: 's1', result: [] },
      { type: 'google_maps_call', id: 'm1', arguments: { queries: ['here'] } },
      { type: 'mcp_server_tool_call', id: 'x1', name: 'read', server_name: 'docs', arguments: { page: 1 } },
      {
        type: 'mcp_server_tool_result',
        call_id: 'x1',
        name: 'read',
        server_name: 'docs',
        result: 'text',
        is_error: true,
      },
      { type: 'function_call', id: 'f1', name: 'get', arguments: { city: 'Lisbon' } },
      { type: 'model_output', content: [{ type: 'text', text: 'Mild.' }] },
      { type: 'function_result', call_id: 'f1', name: 'get', result: { celsius: 20 } },
      { type: 'user_input', content: [{ type: 'text', text: 'And tomorrow?' }] },
    ],
  });
});

test('sends only what is new where the upstream knows the history', async () => {
  const body = await bodyOf({ history: past, previousReference: 'interaction-7', input: [result] });
  expect(body).toMatchObject({
    previous_interaction_id: 'interaction-7',
    input: [{ type: 'function_result', call_id: 'f1' }],
  });
});

test('writes every tool in the words of the upstream', async () => {
  const body = await bodyOf({
    tools: [
      { kind: 'function', name: 'get', description: 'Gets.', parameters: { type: 'object' } },
      { kind: 'code_execution' },
      { kind: 'url_context' },
      { kind: 'web_search' },
      { kind: 'maps', latitude: 1, longitude: 2 },
      { kind: 'maps' },
      { kind: 'file_search', stores: [{ id: 'ours', reference: 'fileSearchStores/s' }] },
      { kind: 'computer_use', environment: 'browser' },
      { kind: 'mcp_server', url: 'https://mcp.example', allowedTools: ['a'], headers: { authorization: 'secret' } },
      { kind: 'mcp_server', url: 'https://mcp.example', name: 'docs' },
    ],
  });
  expect(asObject(body)?.['tools']).toEqual([
    { type: 'function', name: 'get', description: 'Gets.', parameters: { type: 'object' } },
    { type: 'code_execution' },
    { type: 'url_context' },
    { type: 'google_search' },
    { type: 'google_maps', latitude: 1, longitude: 2 },
    { type: 'google_maps' },
    { type: 'file_search', file_search_store_names: ['fileSearchStores/s'] },
    { type: 'computer_use', environment: 'browser' },
    {
      type: 'mcp_server',
      name: 'mcp',
      url: 'https://mcp.example',
      headers: { authorization: 'secret' },
      allowed_tools: [{ tools: ['a'] }],
    },
    { type: 'mcp_server', name: 'docs', url: 'https://mcp.example' },
  ]);
});

test('refuses a store that the upstream does not keep', async () => {
  const tools = [{ kind: 'file_search', stores: [{ id: 'ours', reference: null }] }] as const;
  expect(await reasonOf(start({ tools }))).toBe('unsupported');
  expect(fake.count()).toBe(0);
});

test.each([
  [{ kind: 'text' }, undefined],
  [
    { kind: 'json', schema: { type: 'object' } },
    { type: 'text', mime_type: 'application/json', schema: { type: 'object' } },
  ],
  [{ kind: 'json' }, { type: 'text', mime_type: 'application/json' }],
  [
    { kind: 'image', aspectRatio: '1:1', resolution: '2K' },
    { type: 'image', aspect_ratio: '1:1', image_size: '2K' },
  ],
  [{ kind: 'audio' }, { type: 'audio' }],
  [
    { kind: 'video', aspectRatio: '9:16', resolution: '720p' },
    { type: 'video', aspect_ratio: '9:16', resolution: '720p' },
  ],
] as const)('asks for the format %j', async (format, written) => {
  expect(asObject(await bodyOf({ format }))?.['response_format']).toEqual(written);
});

test('writes the settings of every model', async () => {
  const body = await bodyOf({
    sampling: { temperature: 1, topP: 0.5, seed: 3, stopSequences: ['END'] },
    thinking: { level: 'low' },
    speech: { voice: 'Kore', language: 'pt-BR' },
    transcription: {
      languageCodes: ['pt'],
      customVocabulary: ['Tollgate'],
      mode: { kind: 'verbatim', diarization: 'speaker', timestampGranularities: ['word'] },
    },
    videoTask: 'edit',
  });
  expect(asObject(body)?.['generation_config']).toEqual({
    temperature: 1,
    top_p: 0.5,
    seed: 3,
    stop_sequences: ['END'],
    thinking_level: 'low',
    speech_config: [{ voice: 'Kore', language: 'pt-BR' }],
    transcription_config: {
      language_codes: ['pt'],
      custom_vocabulary: ['Tollgate'],
      mode: { type: 'verbatim', diarization_mode: 'speaker', timestamp_granularities: ['word'] },
    },
    video_config: { task: 'edit' },
  });
  const smart = await bodyOf({ transcription: { mode: { kind: 'smart' } } });
  expect(smart).toMatchObject({ generation_config: { transcription_config: { mode: { type: 'smart' } } } });
});

test('asks agents as agents, with the settings of their kind', async () => {
  const agent = { collaborativePlanning: true, visualization: 'off', thinkingSummaries: 'auto' } as const;
  const research = { upstreamModel: 'deep-research-preview-04-2026', upstreamKind: 'agent', agent } as const;
  expect(await bodyOf(research)).toEqual({
    agent: 'deep-research-preview-04-2026',
    input: [{ type: 'user_input', content: [{ type: 'text', text: 'Hello' }] }],
    agent_config: {
      type: 'deep-research',
      collaborative_planning: true,
      visualization: 'off',
      thinking_summaries: 'auto',
    },
    background: true,
    store: true,
  });
  const working = { upstreamModel: 'antigravity-preview-05-2026', upstreamKind: 'agent' } as const;
  expect(await bodyOf(working)).toMatchObject({
    agent_config: { type: 'antigravity', max_total_tokens: 1_000 },
    environment: 'remote',
  });
  expect(await bodyOf({ ...working, environmentReference: 'env-1' })).toMatchObject({ environment: 'env-1' });
});

async function* once(text: string): AsyncGenerator<Uint8Array, void> {
  yield await Promise.resolve(Buffer.from(text));
}

const blob: BlobPart = { kind: 'blob', mimeType: 'audio/wav', sizeBytes: 5, read: () => once('sound') };

test('sends media inside the request, and names files by their address', async () => {
  const references: string[] = [];
  const file = {
    id: 'f',
    displayName: 'a.pdf',
    mimeType: 'application/pdf',
    sizeBytes: 4,
    sha256: '',
    expiresAtMs: Date.now() + 1e9,
    reference: null,
    keepReference: (reference: string) => Promise.resolve(void references.push(reference)),
    read: () => once('page'),
  };
  const content = [
    { kind: 'media', mimeType: 'image/png', data: 'cGljdHVyZQ==' },
    blob,
    { ...blob, mimeType: 'application/pdf', sizeBytes: 4, file },
  ] as const;
  expect(await bodyOf({ input: [{ kind: 'user_input', content }] })).toMatchObject({
    input: [
      {
        content: [
          { type: 'image', mime_type: 'image/png', data: 'cGljdHVyZQ==' },
          { type: 'audio', mime_type: 'audio/wav', data: Buffer.from('sound').toString('base64') },
          { type: 'document', mime_type: 'application/pdf', uri: fake.files()[0]?.uri },
        ],
      },
    ],
  });
  expect(references).toHaveLength(1);
});

test.each([
  ['queued', 'running'],
  ['in_progress', 'running'],
  ['completed', 'completed'],
  ['requires_action', 'requires_action'],
  ['incomplete', 'incomplete'],
  ['budget_exceeded', 'budget_exceeded'],
  ['cancelled', 'cancelled'],
  ['failed', 'failed'],
  ['something_new', 'outcome unknown: unreadable_answer'],
  [undefined, 'outcome unknown: unreadable_answer'],
])('knows the status %s', async (status, expected) => {
  const job = await start();
  fake.scriptJobs(told({ status, usage: fakeInteractionUsage }));
  const asked = provider.interactions.poll(job, context);
  const progress = await asked.catch(() => null);
  const known = progress?.kind === 'done' ? progress.result.status : progress?.kind;
  expect(known ?? (await reasonOf(asked))).toBe(expected);
});

test('says why an interaction failed, by kind alone', async () => {
  const job = await start();
  fake.scriptJobs(told({ status: 'failed', errors: [{ code: 'invalid_request', message: 'words' }] }));
  expect(await reasonOf(provider.interactions.poll(job, context))).toBe('invalid_request');
});

test('reads steps in the words of the contract', async () => {
  const { steps } = await resultOf({
    steps: [
      { type: 'user_input', content: [{ type: 'text', text: 'Hello' }] },
      { type: 'thought', signature: 'c2ln', summary: [{ type: 'text', text: 'First.' }, { text: 'Then.' }] },
      { type: 'google_search_call', id: 's1', arguments: { queries: ['a'] } },
      {
        type: 'google_search_result',
        call_id: 's1',
        result: [{ search_suggestions: '<a href="https://google.com">' }],
      },
      { type: 'google_maps_result', call_id: 'm1', result: [{ places: [], widget_context_token: 'w' }] },
      { type: 'url_context_result', call_id: 'u1', result: [{ url: 'https://a.org', status: 'success' }] },
      { type: 'mcp_server_tool_call', id: 'x1', name: 'read', server_name: 'docs', arguments: { page: 1 } },
      { type: 'mcp_server_tool_result', call_id: 'x1', result: 'text', is_error: true },
      { type: 'function_call', id: 'f1', name: 'get', arguments: { city: 'Porto' }, signature: 'c2ln' },
      { type: 'retrieval_call', id: 'r1' },
      { type: 'function_result', call_id: 'f0', result: 'echo' },
      {
        type: 'model_output',
        content: [
          {
            type: 'text',
            text: 'Sunny.',
            annotations: [
              { type: 'url_citation', url: 'https://a.org', start_index: 0, end_index: 5 },
              { type: 'file_citation', document_uri: 'https://upstream/x', file_name: 'a.pdf' },
              { type: 'speech_metadata' },
            ],
          },
          { type: 'image', mime_type: 'image/jpeg', data: 'cGljdHVyZQ==' },
          { type: 'unknown' },
        ],
      },
    ],
  });
  expect(steps).toEqual([
    { kind: 'thought', summary: 'First.\nThen.', context: 'c2ln' },
    { kind: 'tool_call', tool: 'web_search', id: 's1', arguments: { queries: ['a'] } },
    { kind: 'tool_result', tool: 'web_search', callId: 's1', result: [{}] },
    { kind: 'tool_result', tool: 'maps', callId: 'm1', result: [{ places: [] }] },
    { kind: 'tool_result', tool: 'url_context', callId: 'u1', result: [{ url: 'https://a.org', status: 'success' }] },
    {
      kind: 'tool_call',
      tool: 'mcp_server',
      id: 'x1',
      arguments: { name: 'read', server_name: 'docs', arguments: { page: 1 } },
    },
    { kind: 'tool_result', tool: 'mcp_server', callId: 'x1', result: 'text', isError: true },
    { kind: 'function_call', id: 'f1', name: 'get', arguments: '{"city":"Porto"}', context: 'c2ln' },
    {
      kind: 'model_output',
      content: [
        {
          kind: 'text',
          text: 'Sunny.',
          annotations: [
            { type: 'url_citation', url: 'https://a.org', start_index: 0, end_index: 5 },
            { type: 'file_citation', file_name: 'a.pdf' },
          ],
        },
        { kind: 'media', mimeType: 'image/jpeg', data: 'cGljdHVyZQ==' },
      ],
    },
  ]);
});

test('downloads media that the upstream names by an address', async () => {
  const uri = `${fake.url}/v1beta/files/video-1:download?alt=media`;
  const { steps } = await resultOf({ steps: [{ type: 'model_output', content: [{ type: 'video', uri }] }] });
  const [step] = steps;
  const [medium] = step?.kind === 'model_output' ? step.content : [];
  if (medium?.kind !== 'blob') throw new Error('no medium');
  const chunks: Uint8Array[] = [];
  for await (const chunk of medium.read()) chunks.push(chunk);
  expect(medium.mimeType).toBe('video/mp4');
  expect(Buffer.concat(chunks).equals(fakeGeminiVideo)).toBe(true);
});

test('measures tokens by modality, what was searched, and what ran', async () => {
  const { usage } = await resultOf({
    usage: {
      total_input_tokens: 100,
      total_output_tokens: 50,
      total_thought_tokens: 20,
      total_cached_tokens: 40,
      total_tool_use_tokens: 5,
      total_tokens: 175,
      input_tokens_by_modality: [
        { modality: 'text', tokens: 60 },
        { modality: 'image', tokens: 40 },
      ],
      output_tokens_by_modality: [{ modality: 'audio', tokens: 50 }],
      cached_tokens_by_modality: [{ modality: 'text', tokens: 40 }],
      grounding_tool_count: [
        { type: 'google_search', count: 2 },
        { type: 'google_maps', count: 1 },
        { type: 'retrieval', count: 3 },
      ],
    },
    steps: [
      { type: 'code_execution_call', id: 'c1', arguments: { language: 'python', code: '1' } },
      { type: 'mcp_server_tool_call', id: 'x1', name: 'read', server_name: 'docs', arguments: {} },
      {
        type: 'url_context_result',
        call_id: 'u1',
        result: [
          { url: 'https://a.org', status: 'success' },
          { url: 'https://b.org', status: 'error' },
        ],
      },
    ],
  });
  expect(Object.fromEntries(usage.map(({ unit, quantity }) => [unit, quantity]))).toEqual({
    input_text_tokens: 20,
    input_image_tokens: 40,
    cached_input_tokens: 40,
    output_text_tokens: 0,
    output_audio_tokens: 50,
    thought_tokens: 20,
    tool_use_input_tokens: 5,
    web_search_queries: 2,
    maps_queries: 1,
    retrieval_queries: 3,
    code_execution_runs: 1,
    mcp_calls: 1,
    url_fetches: 1,
  });
});

test('counts searches by the steps where the usage leaves them out', async () => {
  const steps = [
    { type: 'google_search_call', id: 's1', arguments: { queries: ['a', 'b'] } },
    { type: 'google_search_call', id: 's2' },
    { type: 'google_maps_call', id: 'm1', arguments: { queries: ['here'] } },
  ];
  const counts = async (usage: object): Promise<unknown> =>
    (await resultOf({ steps, usage: { ...fakeInteractionUsage, ...usage } })).usage
      .filter(({ unit }) => unit.endsWith('_queries'))
      .map(({ unit, quantity }) => [unit, quantity]);
  expect(await counts({})).toEqual([
    ['web_search_queries', 3],
    ['maps_queries', 1],
  ]);
  expect(await counts({ grounding_tool_count: [{ type: 'google_search', count: 2 }] })).toEqual([
    ['web_search_queries', 2],
    ['maps_queries', 1],
  ]);
});

test('measures nothing where the upstream says nothing', async () => {
  expect((await resultOf({ usage: undefined })).usage).toEqual([]);
});

const spoken = (text: string) => [{ type: 'model_output', content: [{ type: 'text', text }] }];

test('goes on with an answer in chunks, and adds up what they used', async () => {
  const job = await start();
  const first = {
    status: 'requires_continuation',
    continuation_token: 't1',
    steps: spoken('One '),
    usage: fakeInteractionUsage,
  };
  fake.scriptJobs(told(first));
  const going = await provider.interactions.poll(job, context);
  if (going.kind !== 'running' || going.job === undefined) throw new Error('not going on');
  expect(fake.requests.at(-1)?.body).toMatchObject({ continuation_token: 't1', model: 'gemini-2.5-flash' });
  fake.scriptJobs(told({ status: 'completed', steps: spoken('two.'), usage: fakeInteractionUsage }), told(first));
  const progress = await provider.interactions.poll(going.job, context);
  expect(progress.kind === 'done' && progress.result).toMatchObject({
    status: 'completed',
    reference: 'interaction-2',
    steps: [{ content: [{ text: 'One ' }] }, { content: [{ text: 'two.' }] }],
    usage: [
      { unit: 'input_text_tokens', quantity: 20 },
      { unit: 'output_text_tokens', quantity: 10 },
    ],
  });
});

test.each([
  ['without a token', { continuation_token: undefined }, {}],
  ['where the next part is refused', {}, { refused: true }],
  ['where the request is too long to be kept', {}, { text: 'x'.repeat(70_000) }],
])(
  'ends an answer in chunks as partial %s',
  async (_, change, { refused = false, text = 'Hello' }: { refused?: boolean; text?: string }) => {
    const job = await start({ input: [said(text)] });
    fake.scriptJobs(
      told({ status: 'requires_continuation', continuation_token: 't', usage: fakeInteractionUsage, ...change }),
    );
    if (refused)
      fake.script({ kind: 'status', status: 400, body: { error: { code: 'invalid_request', message: 'w' } } });
    const progress = await provider.interactions.poll(job, context);
    expect(progress.kind === 'done' && progress.result.status).toBe('incomplete');
  },
);

test('cancels by its id, and says what was done until then', async () => {
  const job = await start();
  await provider.interactions.cancel?.(job, context);
  expect(fake.requests.at(-1)?.path).toBe('/v1beta/interactions/interaction-1/cancel');
  const progress = await provider.interactions.poll(job, context);
  expect(progress.kind === 'done' && progress.result.status).toBe('cancelled');
});

test('does not take a question that was refused for an interaction that failed', async () => {
  const job = await start();
  for (const status of [400, 403, 404, 429, 500, 503]) {
    fake.scriptJobs(
      ...Array.from({ length: status === 429 || status === 503 ? 3 : 1 }, () => ({ kind: 'status', status }) as const),
    );
    expect(await reasonOf(provider.interactions.poll(job, context))).toMatch(/^outcome unknown/);
  }
});

const refuse = (status: number, code: string, message = 'words') =>
  ({ kind: 'status', status, body: { error: { code, message } } }) as const;

test('tells refusals of the other family of errors by their status', async () => {
  fake.script(
    refuse(400, 'invalid_request'),
    refuse(400, 'invalid_request', 'The input token count exceeds the maximum.'),
  );
  expect(await reasonOf(start())).toBe('invalid_request');
  expect(await reasonOf(start())).toBe('input_limit');
  fake.script(...Array.from({ length: 3 }, () => refuse(429, 'rate_limit_exceeded')));
  expect(await reasonOf(start())).toBe('rate_limited');
});

test('sends the history where the upstream has lost it, once', async () => {
  const gone = refuse(404, 'not_found', 'Interaction not found.');
  fake.script(gone);
  const body = await bodyOf({ history: [said('Before.')], previousReference: 'interaction-7' });
  expect(body).not.toHaveProperty('previous_interaction_id');
  expect(body).toMatchObject({ input: [{ content: [{ text: 'Before.' }] }, { content: [{ text: 'Hello' }] }] });
  fake.script(gone, gone);
  expect(await reasonOf(start({ previousReference: 'interaction-7' }))).toBe('unavailable');
  fake.script(gone);
  expect(await reasonOf(start())).toBe('unavailable');
  expect(attempts).toHaveLength(5);
});

test('sends no signature that another provider wrote', async () => {
  const foreign = '{"reasoning_content":"Hm."}';
  const history: readonly Step[] = [
    { kind: 'thought', summary: 'Hm.', context: foreign },
    { kind: 'function_call', id: 'f1', name: 'get', arguments: '{}', context: foreign },
  ];
  const body = asObject(await bodyOf({ history, input: [result] }));
  expect(body?.['input']).toEqual([
    { type: 'function_call', id: 'f1', name: 'get', arguments: {} },
    { type: 'function_result', call_id: 'f1', name: 'get', result: { celsius: 20 } },
  ]);
});

test('keeps no secrets in a job, which lies in the storage as it is', async () => {
  const server = { kind: 'mcp_server', url: 'https://mcp.example' } as const;
  expect(asObject(parseJson(await start({ tools: [server] })))?.['request']).not.toBeNull();
  expect(await start({ tools: [{ ...server, headers: { authorization: 'Bearer s3cret' } }] })).not.toContain('s3cret');
});

test('keeps no bytes and no more than it must in a job', async () => {
  const large = await start({ input: [{ kind: 'user_input', content: [blob] }] });
  expect(asObject(parseJson(large))?.['request']).toBeNull();
});
