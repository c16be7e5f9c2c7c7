import assert from 'node:assert/strict';
import type { Generation } from '@tollgate/provider';
import { assertRefused, eventsOf, jsonOf, okJson, requestIdOf, type Json } from './answer.ts';
import { afterUser, assertAllRefused, assertAllTaken, userMessage as user } from './chat-refusal.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { greeting, type GatewayWorld } from './gateway-world.ts';
import { suiteModel, suiteRow } from './suite-tariff.ts';

const parameters = { type: 'object', properties: { city: { type: 'string' } } };
const weather = {
  type: 'function',
  function: { name: 'get_weather', description: 'Tells the weather.', parameters },
} as const;
const asking = { ...greeting, tools: [weather] };

const proposal = (context?: string): Partial<Generation> => ({
  text: '',
  functionCalls: ['Lisbon', 'Porto'].map((city, index) => ({
    kind: 'function_call',
    id: `call-${index}`,
    name: 'get_weather',
    arguments: JSON.stringify({ city }),
    ...(context === undefined ? {} : { context: `${context}-${index}` }),
  })),
});

const results = ['call-0', 'call-1'].map((tool_call_id) => ({ role: 'tool', tool_call_id, content: 'sunny' }));

/** Has the provider propose two calls, and returns the assistant message that proposes them. */
const propose = async (world: GatewayWorld, context?: string): Promise<Json> => {
  world.provider.script({ kind: 'answer', generation: proposal(context) });
  return okJson(await world.chat(asking)).at('choices', 0, 'message');
};

const resend = (message: unknown) => ({ messages: [user, message, ...results], tools: [weather] });

/** The states that the provider got back with its calls. */
const contextsBack = (world: GatewayWorld): readonly (string | undefined)[] =>
  (world.provider.calls.at(-1)?.call.contents ?? []).flatMap(({ parts }) =>
    parts.flatMap((part) => (part.kind === 'function_call' ? [part.context] : [])),
  );

const without = (message: Json, field: string): unknown =>
  Object.fromEntries(message.keys().flatMap((name) => (name === field ? [] : [[name, message.at(name).value]])));

const old = 'old secret of the host, of many letters';

/** Tools, their calls and the state that travels with them. */
export const chatToolCases: readonly GatewayCase[] = [
  gatewayCase('takes three kinds of tools [chat:tools:function-shape]', async (world) => {
    const tools = [weather, { type: 'code_execution' }, { type: 'url_context' }];
    okJson(await world.chat({ ...greeting, tools }));
    assert.deepEqual(world.provider.calls[0]?.call.tools, [
      { kind: 'function', name: 'get_weather', description: 'Tells the weather.', parameters },
      { kind: 'code_execution' },
      { kind: 'url_context' },
    ]);
    const bad = [
      { type: 'function', function: { parameters } },
      { type: 'function' },
      { type: 'web_search' },
      { type: 'function', function: { name: 'a b' } },
      'code_execution',
    ];
    for (const tool of bad) assert.equal((await world.chat({ ...greeting, tools: [tool] })).status, 422);
    assert.equal(world.provider.calls.length, 1);
  }),
  gatewayCase(
    'offers the reading of addresses and no search of the web [chat:tools:url-context-not-search]',
    async (world) => {
      for (const type of ['web_search', 'google_search', 'maps', 'file_search'])
        assert.equal((await world.chat({ ...greeting, tools: [{ type }] })).status, 422);
      okJson(await world.chat({ ...greeting, tools: [{ type: 'url_context' }] }));
      assert.deepEqual(world.provider.calls[0]?.call.tools, [{ kind: 'url_context' }]);
      assert.equal(world.provider.calls.length, 1);
    },
  ),
  gatewayCase('takes four choices of a tool [chat:tool-choice:values]', async (world) => {
    const named = { type: 'function', function: { name: 'get_weather' } };
    await assertAllTaken(
      world,
      ['auto', 'none', 'required', named].map((tool_choice) => ({ ...asking, tool_choice })),
    );
    assert.deepEqual(
      world.provider.calls.map(({ call }) => call.toolChoice),
      [{ kind: 'auto' }, { kind: 'none' }, { kind: 'required' }, { kind: 'function', name: 'get_weather' }],
    );
    for (const tool_choice of ['any', {}, { type: 'function' }, { type: 'function', function: { name: 'other' } }, 1])
      assert.equal((await world.chat({ ...asking, tool_choice })).status, 422);
  }),
  gatewayCase('hands on several proposed calls with their ids [chat:response:tool-calls-several]', async (world) => {
    const message = await propose(world);
    assert.equal(message.at('content').value, null);
    assert.deepEqual(message.at('tool_calls').value, [
      { id: 'call-0', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Lisbon"}' } },
      { id: 'call-1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Porto"}' } },
    ]);
  }),
  gatewayCase('goes on with the results of the calls as a new operation [chat:tools:round-trip]', async (world) => {
    world.provider.script({ kind: 'answer', generation: proposal('state') });
    const first = await world.chat(asking, { headers: { 'idempotency-key': 'turn-1' } });
    const message = okJson(first).at('choices', 0, 'message').value;
    world.provider.script({ kind: 'answer', generation: { text: 'Sunny in both.' } });
    const second = await world.chat(resend(message), { headers: { 'idempotency-key': 'turn-2' } });
    assert.equal(okJson(second).at('choices', 0, 'message', 'content').value, 'Sunny in both.');
    assert.notEqual(requestIdOf(second), requestIdOf(first));
    assert.deepEqual(world.provider.calls.at(-1)?.call.contents.at(-1), {
      role: 'user',
      parts: ['call-0', 'call-1'].map((id) => ({
        kind: 'function_response',
        id,
        name: 'get_weather',
        response: 'sunny',
      })),
    });
  }),
  gatewayCase(
    'gives the provider its state back from the returned message [chat:message:context-return]',
    async (world) => {
      const message = await propose(world, 'state');
      const context = message.at('context').text();
      assert.ok(!context.includes('state'), 'the state is sealed');
      okJson(await world.chat(resend(message.value)));
      assert.deepEqual(contextsBack(world), ['state-0', 'state-1']);
    },
  ),
  gatewayCase('takes the message of a stream back as it came, its calls numbered', async (world) => {
    world.provider.script({ kind: 'answer', generation: proposal('state') });
    const [first = ''] = eventsOf(await world.chat({ ...asking, stream: true }));
    const delta = jsonOf(JSON.parse(first)).at('choices', 0, 'delta');
    assert.equal(delta.at('tool_calls', 1, 'index').value, 1);
    okJson(await world.chat(resend(delta.value)));
    assert.deepEqual(contextsBack(world), ['state-0', 'state-1']);
    const calls = [{ ...Object(delta.at('tool_calls', 0).value), index: 'first' }];
    assertRefused(await world.chat(resend({ role: 'assistant', tool_calls: calls })), 422, 'invalid_messages');
  }),
  gatewayCase('finds the state again when a client drops it [chat:message:context-fallback]', async (world) => {
    const message = await propose(world, 'state');
    okJson(await world.chat(resend(without(message, 'context'))));
    assert.deepEqual(contextsBack(world), ['state-0', 'state-1']);
    await world.reopen();
    okJson(await world.chat(resend(without(message, 'context'))));
    assert.deepEqual(contextsBack(world), ['state-0', 'state-1']);
  }),
  gatewayCase(
    'takes back what a former secret of the host has sealed, and nothing of a secret that it never had [chat:message:context-sealed]',
    async (world) => {
      const message = await propose(world, 'state');
      await world.reopen({ contextSecret: ['fresh secret of the host, of many letters', old] });
      okJson(await world.chat(resend(message.value)));
      assert.deepEqual(contextsBack(world), ['state-0', 'state-1']);
      await world.reopen({ contextSecret: 'other secret of the host, of many letters' });
      assertRefused(await world.chat(resend(message.value)), 422, 'invalid_messages');
    },
    { contextSecret: old },
  ),
  gatewayCase('keeps the state of a call to its project', async (world) => {
    const message = await propose(world, 'state');
    const foreign = await world.createCaller({
      projectId: await world.createProject(world.accountId),
      model: suiteModel,
    });
    assertRefused(await world.chat(resend(message.value), { key: foreign.key }), 422, 'invalid_messages');
    okJson(await world.chat(resend(without(message, 'context')), { key: foreign.key }));
    assert.deepEqual(contextsBack(world), [undefined, undefined]);
  }),
  gatewayCase('refuses a state that was altered, foreign or too large [chat:message:context-sealed]', async (world) => {
    const message = await propose(world, 'state');
    const sealed = message.at('context').text();
    const flipped = [0, Math.floor(sealed.length / 2), sealed.length - 1].map((place) => {
      const other = sealed[place] === 'A' ? 'B' : 'A';
      return `${sealed.slice(0, place)}${other}${sealed.slice(place + 1)}`;
    });
    const wrong = [...flipped, sealed.slice(0, -4), '', 'made elsewhere', 'A'.repeat(65_537)];
    await assertAllRefused(
      world,
      'invalid_messages',
      wrong.map((context) => resend({ role: 'assistant', content: null, tool_calls: toolCalls(message), context })),
    );
  }),
  gatewayCase('says stop when tools are called [chat:response:finish-with-tools]', async (world) => {
    world.provider.script({ kind: 'answer', generation: proposal() });
    assert.equal(okJson(await world.chat(asking)).at('choices', 0, 'finish_reason').value, 'stop');
  }),
  gatewayCase(
    'says tool_calls where the host asks for it [chat:response:finish-with-tools]',
    async (world) => {
      world.provider.script({ kind: 'answer', generation: proposal() });
      assert.equal(okJson(await world.chat(asking)).at('choices', 0, 'finish_reason').value, 'tool_calls');
      assert.equal(okJson(await world.chat()).at('choices', 0, 'finish_reason').value, 'stop');
    },
    { finishReasonWithTools: 'tool_calls' },
  ),
  gatewayCase(
    'says tool_calls in the compatible mode, where the host says nothing else [chat:response:finish-with-tools]',
    async (world) => {
      world.provider.script({ kind: 'answer', generation: proposal() });
      assert.equal(okJson(await world.chat(asking)).at('choices', 0, 'finish_reason').value, 'tool_calls');
    },
    { compatibility: { openai: true } },
  ),
  gatewayCase(
    'says stop in the compatible mode, where the host says so [chat:response:finish-with-tools]',
    async (world) => {
      world.provider.script({ kind: 'answer', generation: proposal() });
      assert.equal(okJson(await world.chat(asking)).at('choices', 0, 'finish_reason').value, 'stop');
    },
    { compatibility: { openai: true }, finishReasonWithTools: 'stop' },
  ),
  gatewayCase('refuses a tool that the model does not offer [catalog:release:tools-per-model]', async (world) => {
    const { key } = await world.createCaller({ projectId: world.projectId, model: 'open-4-31b-it' });
    for (const type of ['code_execution', 'url_context'])
      assertRefused(await world.chat({ ...greeting, tools: [{ type }] }, { key }), 422, 'model_incompatible');
    okJson(await world.chat(asking, { key }));
    assert.equal(world.provider.calls.length, 1);
  }),
  gatewayCase(
    'refuses functions and schemas for a model without them',
    async (world) => {
      assertRefused(await world.chat(asking), 422, 'model_incompatible');
      const response_format = { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'object' } } };
      assertRefused(await world.chat({ ...greeting, response_format }), 422, 'model_incompatible');
      okJson(await world.chat());
    },
    { catalog: [suiteRow({ id: suiteModel, capabilities: ['chat'] })] },
  ),
  gatewayCase('takes a conversation whose calls were answered before', async (world) => {
    const message = await propose(world);
    await assertAllTaken(world, [afterUser(message.value, ...results, { role: 'assistant', content: 'Sunny.' }, user)]);
  }),
];

const toolCalls = (message: Json): unknown => message.at('tool_calls').value;
