import assert from 'node:assert/strict';
import { jsonOf, okJson } from './answer.ts';
import { ask, messagesWire as wire } from './dialect-wires.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { greeting } from './gateway-world.ts';
import { mediaSamples } from './media-samples.ts';
import { suiteModel } from './suite-tariff.ts';

const { settings } = wire;

const block = (content: object) => ({ messages: [{ role: 'user', content: [content] }] });
const png = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: mediaSamples.png } };

/** What is refused, with the field that the message names. */
const refusals: readonly (readonly [body: object, field: string])[] = [
  [{ messages: [] }, 'messages'],
  [{ messages: 'Hello' }, 'messages'],
  [{ messages: [{ role: 'tool', content: 'x' }] }, 'messages[0].role'],
  [{ messages: [{ role: 'user', content: '' }] }, 'messages'],
  [{ container: 'c' }, 'accepted are model, max_tokens, messages, tools, mcp_servers, '],
  [{ max_tokens: 0 }, 'max_tokens'],
  [{ max_tokens: undefined }, 'max_tokens'],
  [{ mcp_servers: [{ type: 'stdio' }] }, 'mcp_servers[0].type'],
  [{ tools: [{ type: 'mcp_toolset', mcp_server_name: 'a' }] }, 'mcp_servers'],
  [{ container: 'x' }, 'container'],
  [{ temperature: 2 }, 'temperature'],
  [{ tools: [{ type: 'bash_20250124', name: 'bash' }] }, 'tools[0].type'],
  [{ tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, 'web_search'],
  [{ tools: [{ name: 'look' }] }, 'tools[0].input_schema'],
  [{ tools: [wire.tool, wire.tool] }, 'tools'],
  [{ tool_choice: { type: 'tool', name: 'look' } }, 'tool_choice.name'],
  [{ thinking: { type: 'enabled' } }, 'thinking.budget_tokens'],
  [{ output_config: { effort: 'most' } }, 'output_config.effort'],
  [block({ type: 'video' }), 'messages[0].content[0].type'],
  [block({ ...png, source: { ...png.source, data: 'AAAA' } }), 'messages[0].content[0].source.data'],
  [block({ ...png, source: { ...png.source, media_type: 'image/tiff' } }), 'messages[0].content[0].source.media_type'],
  [
    block({ type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }),
    'messages[0].content[0].source.type',
  ],
  [block({ type: 'tool_result', tool_use_id: 'x', content: 'y' }), 'messages[0].content[0].tool_use_id'],
];

/** What agents of this wire send. */
const agentBody = {
  ...wire.saying(''),
  max_tokens: 50,
  system: [
    { type: 'text', text: 'x-anthropic-billing-header: cc_version=2' },
    { type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } },
  ],
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'See', cache_control: { type: 'ephemeral' } }, png] },
    { role: 'system', content: 'Mind the date.', output_config: { effort: 'low' } },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'look', input: { at: 'x' } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', is_error: true, content: 'gone' }] },
    { role: 'user', content: 'And?' },
  ],
  tools: [{ name: 'look', description: 'Looks.', input_schema: { type: 'object' }, eager_input_streaming: true }],
  tool_choice: { type: 'any', disable_parallel_tool_use: true },
  thinking: { type: 'adaptive', display: 'summarized' },
  output_config: { effort: 'max' },
  stop_sequences: ['END'],
  top_p: 0.5,
  metadata: { user_id: 'u' },
  context_management: { edits: [] },
};

/** What only the Messages wire has. */
export const messagesCases: readonly GatewayCase[] = [
  gatewayCase(
    'messages: refuses what it does not take with 400, and names the field',
    async (world) => {
      for (const [body, field] of refusals) {
        const answer = await ask(world, wire, { ...wire.saying('Hello'), ...body });
        assert.equal(answer.status, 400, answer.text);
        const error = jsonOf(JSON.parse(answer.text)).at('error');
        assert.equal(error.at('type').value, 'invalid_request_error');
        assert.ok(error.at('message').text().includes(field), `${field}: ${error.at('message').text()}`);
      }
      assert.equal(world.provider.calls.length, 0);
    },
    settings,
  ),
  gatewayCase(
    'messages: takes the key from either header, and the path with or without a version',
    async (world) => {
      const body = wire.saying('Hello');
      const own = { 'x-api-key': world.key };
      for (const path of ['/messages', '/v1/messages', '/v1/messages?beta=true']) {
        okJson(await world.send({ path, body, key: null, headers: own }));
        okJson(await world.send({ path, body }));
      }
      // Without the option there is no such path, and the header is none that counts.
      assert.equal((await world.send({ path: '/models', key: null, headers: own })).status, 401);
    },
    settings,
  ),
  gatewayCase('messages: has no path without its option', async (world) => {
    assert.equal((await ask(world, wire, wire.saying('Hello'))).status, 404);
  }),
  gatewayCase(
    'messages: carries what these clients send to the call',
    async (world) => {
      okJson(await ask(world, wire, agentBody));
      const call = jsonOf(world.provider.calls.at(-1)?.call);
      assert.equal(call.at('systemInstruction').value, 'Be brief.\n\nMind the date.');
      assert.deepEqual(call.at('contents').value, [
        {
          role: 'user',
          parts: [
            { kind: 'text', text: 'See', cache: { ttlSeconds: 300 } },
            { kind: 'media', mimeType: 'image/png', data: mediaSamples.png },
          ],
        },
        { role: 'model', parts: [{ kind: 'function_call', id: 't', name: 'look', arguments: '{"at":"x"}' }] },
        {
          role: 'user',
          parts: [
            { kind: 'function_response', id: 't', name: 'look', response: '{"error":"gone"}' },
            { kind: 'text', text: 'And?' },
          ],
        },
      ]);
      assert.deepEqual(call.at('promptCache').value, { system: { ttlSeconds: 300 } });
      assert.equal(call.at('outputTokensMax').value, 50);
      assert.deepEqual(call.at('toolChoice').value, { kind: 'required' });
      assert.deepEqual(call.at('thinking').value, { level: 'high', includeThoughts: true });
      assert.deepEqual(call.at('sampling').value, { topP: 0.5, stopSequences: ['END'], parallelToolCalls: false });
      okJson(await ask(world, wire, { ...agentBody, thinking: { type: 'disabled' } }));
      assert.deepEqual(world.provider.calls.at(-1)?.call.thinking, { budgetTokens: 0 });
    },
    settings,
  ),
  gatewayCase(
    'messages: counts input without a charge',
    async (world) => {
      const messages = [{ role: 'user', content: 'Hello' }];
      const answer = await world.send({
        path: '/messages/count_tokens',
        body: { messages, model: suiteModel },
        headers: wire.headers,
      });
      assert.ok(okJson(answer).at('input_tokens').number() > 0);
      assert.deepEqual(await world.admin.listOperations({ kind: 'project', projectId: world.projectId }), []);
    },
    settings,
  ),
  gatewayCase(
    'messages: lists models page by page to clients that name their version, and to no others',
    async (world) => {
      const first = okJson(await world.send({ path: '/models?limit=2', headers: wire.headers }));
      assert.equal(first.at('data').list().length, 2);
      assert.equal(first.at('has_more').value, true);
      const lastId = first.at('last_id').text();
      const next = okJson(await world.send({ path: `/models?limit=2&after_id=${lastId}`, headers: wire.headers }));
      assert.notEqual(next.at('first_id').value, first.at('first_id').value);
      const back = okJson(
        await world.send({ path: `/models?limit=2&before_id=${next.at('first_id').text()}`, headers: wire.headers }),
      );
      assert.deepEqual(back.at('data').value, first.at('data').value);
      const one = okJson(await world.send({ path: `/models/${suiteModel}`, headers: wire.headers }));
      assert.deepEqual([one.at('type').value, one.at('id').value], ['model', suiteModel]);
      assert.equal(okJson(await world.send({ path: '/models' })).at('object').value, 'list');
      okJson(await world.chat(greeting, { headers: wire.headers }));
    },
    settings,
  ),
  gatewayCase(
    'messages: takes long documents aside, and texts as long at the same place as text',
    async (world) => {
      const long = 'A line of a document. '.repeat(10_000);
      const data = Buffer.from(long).toString('base64');
      const content = [
        { type: 'document', source: { type: 'base64', media_type: 'text/plain', data } },
        { type: 'document', source: { type: 'text', media_type: 'text/plain', data: long } },
      ];
      okJson(await ask(world, wire, { ...wire.saying(''), messages: [{ role: 'user', content }] }));
      const parts = jsonOf(world.provider.calls.at(-1)?.call.contents).at(0, 'parts');
      assert.deepEqual([parts.at(0, 'kind').value, parts.at(0, 'sizeBytes').value], ['blob', long.length]);
      assert.equal(parts.at(1, 'text').value, long);
    },
    settings,
  ),
];
