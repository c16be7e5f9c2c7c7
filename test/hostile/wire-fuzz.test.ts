import { expect, test } from 'vitest';
import { mediaSamples } from '../clients/media-samples.ts';
import { startGateway, type RunningGateway } from '../clients/running-gateway.ts';
import { hostileBody } from './evil-text.ts';
import { chooseFrom, createRandom, mutate } from './mutations.ts';

const requestsCount = 600 * Number(process.env['TEST_SCALE'] ?? '1');
const atOnce = 8;
const seed = 20_261_124;

const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
const user = { role: 'user', content: 'Hello' };
const png = { type: 'base64', media_type: 'image/png', data: mediaSamples.png };
const message = { model: 'flash-3.8', max_tokens: 100, messages: [user] };

const messageBodies: readonly object[] = [
  message,
  { ...message, stream: true, system: [{ type: 'text', text: 'Be kind.' }], temperature: 1, top_k: 3 },
  {
    ...message,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look.' },
          { type: 'image', source: png },
        ],
      },
      { role: 'system', content: 'Mind the date.' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: 'AAAA' },
          { type: 'tool_use', id: 'call_1', name: 'get_weather', input: { a: [1] } },
        ],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'call_1', content: [{ type: 'text', text: 'Sunny' }] }],
      },
    ],
    tools: [
      { name: 'get_weather', input_schema: schema },
      { type: 'code_execution_20250825', name: 'code_execution' },
    ],
    tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    thinking: { type: 'enabled', budget_tokens: 1_024 },
    metadata: { user_id: 'u' },
  },
  { ...message, output_config: { effort: 'low', format: { type: 'json_schema', schema } } },
  {
    ...message,
    messages: [
      user,
      {
        role: 'assistant',
        content: [
          { type: 'server_tool_use', id: 'a', name: 'web_search', input: { query: 'q' } },
          { type: 'web_search_tool_result', tool_use_id: 'a', content: [] },
          { type: 'mcp_tool_use', id: 'b', name: 'look', server_name: 'library', input: {} },
          { type: 'mcp_tool_result', tool_use_id: 'b', is_error: false, content: [{ type: 'text', text: 'Seen.' }] },
        ],
      },
      user,
    ],
    tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 2, allowed_domains: ['example.com'] }],
  },
  {
    ...message,
    tools: [{ type: 'mcp_toolset', mcp_server_name: 'a', configs: { look: { enabled: true } } }],
    mcp_servers: [{ type: 'url', name: 'a', url: 'https://mcp.example/', authorization_token: 'token' }],
  },
];

const responseBodies: readonly object[] = [
  { input: 'Hello', model: 'flash-3.8' },
  {
    input: [user],
    stream: true,
    instructions: 'Be kind.',
    reasoning: { effort: 'low', summary: 'auto' },
    store: false,
  },
  {
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Look.' },
          { type: 'input_image', image_url: `data:image/png;base64,${mediaSamples.png}` },
          { type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${mediaSamples.pdf}` },
        ],
      },
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: 'AAAA' },
      { type: 'function_call', call_id: 'call_1', name: 'get_weather', arguments: '{"a":[1]}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'Sunny.' },
      { type: 'custom_tool_call', call_id: 'call_2', name: 'patch', input: '***' },
      { type: 'custom_tool_call_output', call_id: 'call_2', output: [{ type: 'input_text', text: 'Done.' }] },
    ],
    tools: [
      { type: 'function', name: 'get_weather', parameters: schema, strict: false },
      { type: 'custom', name: 'patch' },
      { type: 'namespace', name: 'team', tools: [{ type: 'function', name: 'spawn', parameters: schema }] },
      { type: 'code_interpreter', container: { type: 'auto' } },
    ],
    tool_choice: { type: 'function', name: 'get_weather' },
    parallel_tool_calls: true,
  },
  { input: 'Hello', text: { format: { type: 'json_schema', name: 'n', schema } }, metadata: { a: 'b' }, top_p: 0.5 },
  { input: [{ type: 'item_reference', id: 'msg_01a20dfc-256d-7b5c-ab81-4d1c3ba8965f_0' }, user] },
  { input: 'Later.', background: true, stream: true, metadata: { a: 'b' } },
  { input: 'Later.', background: true, tools: [{ type: 'function', name: 'get_weather', parameters: schema }] },
  {
    input: [
      user,
      { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'q' } },
      { type: 'mcp_call', id: 'mcp_1', server_label: 'a', name: 'look', arguments: '{}', output: 'Seen.' },
      user,
    ],
    tools: [{ type: 'web_search', filters: { allowed_domains: ['example.com'] } }],
    max_tool_calls: 3,
    include: ['file_search_call.results'],
  },
  {
    input: 'Hello',
    tools: [
      { type: 'file_search', vector_store_ids: ['01a20dfc-256d-7b5c-ab81-4d1c3ba8965f'] },
      {
        type: 'mcp',
        server_label: 'a',
        server_url: 'https://mcp.example/',
        headers: { a: 'b' },
        allowed_tools: ['look'],
        require_approval: 'never',
      },
    ],
  },
  { input: 'On.', previous_response_id: 'resp_01a20dfc-256d-7b5c-ab81-4d1c3ba8965f' },
];

interface Wire {
  readonly path: string;
  readonly bodies: readonly object[];
  readonly ends: RegExp;
  /** The model that the key is bound to, where it is not that of text. */
  readonly model?: string;
}

const imageBodies: readonly object[] = [
  { model: 'flash-3.1-image', prompt: 'A ferry.', size: '256x256' },
  { model: 'flash-3.1-image', prompt: 'A ferry.', size: '512x512', stream: true, partial_images: 1, user: 'u' },
];

const imageResponseBodies: readonly object[] = [
  {
    input: [
      user,
      { type: 'image_generation_call', id: 'ig_1', result: mediaSamples.png, encrypted_content: 'A' },
      user,
    ],
    tools: [{ type: 'image_generation', size: '256x256', output_format: 'png', partial_images: 1 }],
    tool_choice: { type: 'image_generation' },
  },
  { input: 'A ferry.', tools: [{ type: 'image_generation', quality: 'low', background: 'opaque' }], stream: true },
];

const editBodies: readonly object[] = [
  {
    model: 'flash-3.1-image',
    prompt: 'Add a boat.',
    size: '256x256',
    images: [{ image_url: `data:image/png;base64,${mediaSamples.png}` }],
  },
];

const chatBodies: readonly object[] = [
  { messages: [user] },
  {
    model: 'flash-3.8',
    messages: [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Look.', images: [mediaSamples.png] },
      {
        role: 'assistant',
        content: '',
        thinking: 'Hm.',
        tool_calls: [{ function: { name: 'get_weather', arguments: { a: [1] } } }],
      },
      { role: 'tool', tool_name: 'get_weather', content: 'Sunny.' },
    ],
    tools: [{ type: 'function', function: { name: 'get_weather', parameters: schema } }],
    options: { temperature: 1, top_k: 3, num_ctx: 4_096, stop: ['END'] },
    think: 'low',
    keep_alive: '5m',
  },
  { messages: [user], stream: false, format: schema },
];

const wires: readonly Wire[] = [
  { path: '/v1/messages', bodies: messageBodies, ends: /event: message_stop\ndata: \{"type":"message_stop"\}\n\n$/ },
  { path: '/api/chat', bodies: chatBodies, ends: /"done":true,[^\n]*\n$/ },
  { path: '/responses', bodies: responseBodies, ends: /event: response\.(?:completed|incomplete)\ndata: [^\n]*\n\n$/ },
  {
    path: '/images/generations',
    bodies: imageBodies,
    ends: /^event: image_generation\.completed\ndata: [^\n]*\n\n$/,
    model: 'flash-3.1-image',
  },
  {
    path: '/responses',
    bodies: imageResponseBodies,
    ends: /event: response\.(?:completed|incomplete)\ndata: [^\n]*\n\n$/,
    model: 'flash-3.1-image',
  },
  {
    path: '/images/edits',
    bodies: editBodies,
    ends: /^event: image_edit\.completed\ndata: [^\n]*\n\n$/,
    model: 'flash-3.1-image',
  },
];

const internals = /node_modules|\.ts\b|\.js\b|zod|sqlite|stack|Error\b|undefined|\[object|packages\//;

const turnsMax = 200;

/** Lets the workers end what clients left to them. */
const endBackground = async ({ gateway, accountId }: RunningGateway): Promise<void> => {
  for (let turn = 0; turn < turnsMax; turn += 1) {
    if ((await gateway.admin.readWallet(accountId))?.reservedMicros === 0n) return;
    await gateway.jobs.runDue();
    await new Promise((resolve) => setImmediate(resolve));
  }
};

/** What is wrong with an answer; null where it is one that the wire knows. */
const faultOf = ({ ends }: Wire, { status, headers }: Response, text: string): string | null => {
  if (headers.get('cache-control') !== 'no-store' || headers.get('x-request-id') === null) return 'headers';
  if (status === 200) {
    if (/event-stream|ndjson/.test(headers.get('content-type') ?? '')) return ends.test(text) ? null : 'stream';
    return text.includes('"service":{') || text.includes('"status":"queued"') ? null : 'whole';
  }
  if (status >= 500 || status === 401 || status === 409) return `status ${status}`;
  const { error } = JSON.parse(text) as { readonly error: string | { readonly message: string } };
  const said = typeof error === 'string' ? error : error.message;
  if (text.length > 800) return `a long error: ${text.slice(0, 200)}`;
  return internals.test(said.replaceAll(/The field \S+|is "[\w.:-]+"/g, '')) ? `message ${said}` : null;
};

const send = (running: RunningGateway, path: string, body: Uint8Array<ArrayBuffer>): Promise<Response> =>
  fetch(`${running.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${running.key}` },
    body,
  });

test.each(wires)(
  'requests of $path that are nearly right get answers of its wire and keep the ledger',
  async (wire) => {
    const running = await startGateway({
      options: { compatibility: { openai: true, anthropic: true, ollama: true } },
      ...(wire.model !== undefined && { model: wire.model }),
    });
    const random = createRandom(seed);
    const bodies = Array.from({ length: requestsCount }, () => {
      const valid = chooseFrom(random, wire.bodies);
      return random() < 0.5 ? mutate(valid, random) : hostileBody(valid, random);
    });
    const faults: string[] = [];
    let completed = 0;
    const work = bodies[Symbol.iterator]();
    const worker = async (): Promise<void> => {
      for (const body of work) {
        const response = await send(running, wire.path, Buffer.from(body));
        const text = await response.text();
        const fault = faultOf(wire, response, text);
        if (fault !== null) faults.push(`${fault}: ${Buffer.from(body).toString('utf8').slice(0, 400)}`);
        if (response.status === 200) completed += 1;
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    expect(faults).toEqual([]);
    expect(running.errors).toEqual([]);
    // Enough of them get through for the test to be about more than refusals.
    expect(completed).toBeGreaterThan(requestsCount / 50);
    expect(completed).toBeLessThan(requestsCount);
    await endBackground(running);
    const wallet = await running.gateway.admin.readWallet(running.accountId);
    expect(wallet).toMatchObject({ reservedMicros: 0n });
    await running.close();
  },
);
