import assert from 'node:assert/strict';
import { assertRefused, okJson, requestIdOf } from './answer.ts';
import { afterUser, assertAllRefused, assertAllTaken, ofParts, userMessage as user } from './chat-refusal.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { greeting } from './gateway-world.ts';
import { suiteModel } from './suite-tariff.ts';

const bodyBytesMax = 2_000_000;

/** A body of exactly so many bytes, of ASCII text. */
const bodyOf = (bytes: number): string => {
  const frame = JSON.stringify({ messages: [{ role: 'user', content: '' }] }).length;
  return JSON.stringify({ messages: [{ role: 'user', content: 'a'.repeat(bytes - frame) }] });
};

/** A body of so many messages. */
const many = (count: number) => ({ messages: Array.from({ length: count }, () => user) });

/** The fields of a chat request and its messages. */
export const chatRequestCases: readonly GatewayCase[] = [
  gatewayCase('takes a body of 2,000,000 bytes and none of one more [chat:body:max-bytes]', async (world) => {
    okJson(await world.chat(bodyOf(bodyBytesMax)));
    assertRefused(await world.chat(bodyOf(bodyBytesMax + 1)), 413, 'body_too_large');
    assert.equal(world.provider.calls.length, 1);
  }),
  gatewayCase('counts bytes and not characters, media included [chat:body:media-counted-in-bytes]', async (world) => {
    const wide = JSON.stringify({ messages: [{ role: 'user', content: 'é'.repeat(bodyBytesMax / 2) }] });
    assert.ok(wide.length < bodyBytesMax);
    assertRefused(await world.chat(wide), 413, 'body_too_large');
    const url = `data:image/png;base64,${'A'.repeat(bodyBytesMax)}`;
    assertRefused(await world.chat(ofParts({ type: 'image_url', image_url: { url } })), 413, 'body_too_large');
  }),
  gatewayCase('takes 1 to 100 messages [chat:messages:count]', async (world) => {
    await assertAllTaken(world, [many(1), many(100)]);
    await assertAllRefused(world, 'invalid_messages', [
      {},
      { messages: 'Hello' },
      { messages: null },
      { messages: user },
      many(0),
      many(101),
    ]);
  }),
  gatewayCase('needs a message of a user [chat:messages:missing-user]', async (world) => {
    await assertAllRefused(world, 'missing_user_message', [
      { messages: [{ role: 'system', content: 'Be brief.' }] },
      { messages: [{ role: 'assistant', content: 'Hello.' }] },
    ]);
  }),
  gatewayCase('knows four roles [chat:messages:role]', async (world) => {
    await assertAllTaken(world, [
      {
        messages: [
          { role: 'system', content: 'Be brief.' },
          user,
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }],
          },
          { role: 'tool', tool_call_id: 'c1', content: 'seen' },
        ],
      },
    ]);
    const roles = ['robot', 'developer', 'function', 'User', '', 7, null];
    await assertAllRefused(
      world,
      'invalid_role',
      roles.map((role) => afterUser({ role, content: 'x' })),
    );
  }),
  gatewayCase('refuses empty messages [chat:message:empty]', async (world) => {
    await assertAllRefused(world, 'empty_message', [
      { messages: [{ role: 'system', content: '' }, user] },
      { messages: [{ role: 'user', content: '' }] },
      { messages: [{ role: 'user', content: [] }] },
      ofParts({ type: 'text', text: '' }),
      afterUser({ role: 'assistant', content: '' }),
    ]);
  }),
  gatewayCase('merges system messages in the order sent [chat:message:system-merged]', async (world) => {
    okJson(
      await world.chat({
        messages: [{ role: 'system', content: 'First.' }, user, { role: 'system', content: 'Second.' }],
      }),
    );
    const call = world.provider.calls[0]?.call;
    assert.equal(call?.systemInstruction, 'First.\n\nSecond.');
    assert.deepEqual(call?.contents, [{ role: 'user', parts: [{ kind: 'text', text: 'Hello' }] }]);
  }),
  gatewayCase(
    'wants text of an assistant, or null beside tool calls [chat:message:assistant-content]',
    async (world) => {
      const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } };
      const result = { role: 'tool', tool_call_id: 'c1', content: 'seen' };
      await assertAllTaken(world, [
        afterUser({ role: 'assistant', content: 'Hello.' }, user),
        afterUser({ role: 'assistant', content: null, tool_calls: [call] }, result),
      ]);
      await assertAllRefused(world, 'empty_message', [afterUser({ role: 'assistant', content: null })]);
    },
  ),
  gatewayCase(
    'takes null, nothing and empty text beside tool calls alike [chat:message:assistant-empty-forms]',
    async (world) => {
      const tool_calls = [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }];
      const result = { role: 'tool', tool_call_id: 'c1', content: 'seen' };
      const forms = [{ content: null }, {}, { content: '' }];
      await assertAllTaken(
        world,
        forms.map((form) => afterUser({ role: 'assistant', ...form, tool_calls }, result)),
      );
      const [first, ...rest] = world.provider.calls.map(({ call }) => call.contents);
      for (const contents of rest) assert.deepEqual(contents, first);
      await assertAllRefused(world, 'empty_message', [
        afterUser({ role: 'assistant', content: null }),
        afterUser({ role: 'assistant' }),
      ]);
    },
  ),
  gatewayCase(
    'wants tool calls with an id and arguments as JSON text [chat:message:tool-calls-shape]',
    async (world) => {
      const bad: readonly unknown[] = [
        { type: 'function', function: { name: 'look', arguments: '{}' } },
        { id: 'c1', type: 'function', function: { name: 'look', arguments: {} } },
        { id: 'c1', type: 'function', function: { name: 'look', arguments: '{' } },
        { id: 'c1', type: 'function', function: { arguments: '{}' } },
        { id: 'c1', type: 'other', function: { name: 'look', arguments: '{}' } },
        { id: 'c1', function: { name: 'look', arguments: '{}' } },
      ];
      await assertAllRefused(
        world,
        'invalid_messages',
        bad.map((call) => afterUser({ role: 'assistant', content: null, tool_calls: [call] })),
      );
      await assertAllRefused(world, 'invalid_messages', [
        afterUser({ role: 'assistant', content: null, tool_calls: { id: 'c1' } }),
      ]);
    },
  ),
  gatewayCase('wants the id of the call in a tool message [chat:message:tool-result]', async (world) => {
    const call = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }],
    };
    await assertAllTaken(world, [afterUser(call, { role: 'tool', tool_call_id: 'c1', content: '{"seen":true}' })]);
    const parts = world.provider.calls[0]?.call.contents.at(-1)?.parts;
    assert.deepEqual(parts, [{ kind: 'function_response', id: 'c1', name: 'look', response: '{"seen":true}' }]);
    await assertAllRefused(world, 'invalid_messages', [
      afterUser(call, { role: 'tool', content: 'seen' }),
      afterUser(call, { role: 'tool', tool_call_id: 'c1', content: { seen: true } }),
      afterUser(call, { role: 'tool', tool_call_id: 'never-made', content: 'seen' }),
    ]);
  }),
  gatewayCase('refuses fields outside the contract and names them [chat:request:unsupported-field]', async (world) => {
    for (const field of ['max_tokens', 'top_p', 'user', 'n', 'contents', 'input', 'conversation_id']) {
      const error = assertRefused(await world.chat({ ...greeting, [field]: 1 }), 422, 'unsupported_parameter');
      assert.ok(error.at('message').text().includes(field), field);
    }
    assert.equal(world.provider.calls.length, 0);
  }),
  gatewayCase(
    'tolerates the fields that the host lists [chat:request:allow-list-option]',
    async (world) => {
      okJson(await world.chat({ ...greeting, user: 'someone' }));
      await assertAllRefused(world, 'unsupported_parameter', [{ ...greeting, max_tokens: 1 }]);
    },
    { extraFields: ['user'] },
  ),
  gatewayCase("uses the key's model when none is named", async (world) => {
    assert.equal(okJson(await world.chat()).at('model').value, suiteModel);
  }),
  gatewayCase('has a temperature of 0.7 by default [chat:temperature:default]', async (world) => {
    okJson(await world.chat());
    assert.equal(world.provider.calls[0]?.call.sampling.temperature, 0.7);
  }),
  gatewayCase('takes temperatures from 0 to 2 [chat:temperature:range]', async (world) => {
    await assertAllTaken(world, [
      { ...greeting, temperature: 0 },
      { ...greeting, temperature: 2 },
    ]);
    assert.deepEqual(
      world.provider.calls.map(({ call }) => call.sampling.temperature),
      [0, 2],
    );
    const bad = [-0.1, 2.1, '1', null, true, [1]];
    await assertAllRefused(
      world,
      'invalid_temperature',
      bad.map((temperature) => ({ ...greeting, temperature })),
    );
  }),
  gatewayCase('does not stream unless asked to [chat:stream:default]', async (world) => {
    for (const body of [greeting, { ...greeting, stream: false }]) {
      const answer = await world.chat(body);
      okJson(answer);
      assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
    }
  }),
  gatewayCase('takes only true and false for stream [chat:stream:type]', async (world) => {
    const bad = ['true', 1, 0, null, {}];
    await assertAllRefused(
      world,
      'invalid_stream',
      bad.map((stream) => ({ ...greeting, stream })),
    );
  }),
  gatewayCase('takes stream options only with a stream [chat:stream-options:needs-stream]', async (world) => {
    await assertAllRefused(world, 'invalid_stream_options', [
      { ...greeting, stream_options: { include_usage: true } },
      { ...greeting, stream: false, stream_options: { include_usage: true } },
    ]);
  }),
  gatewayCase(
    'takes a boolean include_usage as the only stream option [chat:stream-options:include-usage]',
    async (world) => {
      const streaming = { ...greeting, stream: true };
      const bad = [{ include_usage: 'yes' }, { include_usage: 1 }, { include_usage: null }, true, 'include_usage'];
      await assertAllRefused(
        world,
        'invalid_stream_options',
        bad.map((stream_options) => ({ ...streaming, stream_options })),
      );
      for (const stream_options of [{ include_usage: true }, { include_usage: false }, {}])
        assert.equal((await world.chat({ ...streaming, stream_options })).status, 200);
    },
  ),
  gatewayCase('knows three forms of answers [chat:response-format:types]', async (world) => {
    const json_schema = { name: 'city', schema: { type: 'object' } };
    const formats = [{ type: 'text' }, { type: 'json_object' }, { type: 'json_schema', json_schema }];
    await assertAllTaken(
      world,
      formats.map((response_format) => ({ ...greeting, response_format })),
    );
    assert.deepEqual(
      world.provider.calls.map(({ call }) => call.responseFormat.kind),
      ['text', 'json_object', 'json_schema'],
    );
    for (const response_format of [{ type: 'xml' }, {}, 'json_object', { type: 7 }])
      assert.equal((await world.chat({ ...greeting, response_format })).status, 422);
    assert.equal(world.provider.calls.length, formats.length);
  }),
  gatewayCase('passes a schema on, which needs a name [chat:response-format:json-schema]', async (world) => {
    const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    const full = { type: 'json_schema', json_schema: { name: 'city', schema } };
    okJson(await world.chat({ ...greeting, response_format: full }));
    assert.deepEqual(world.provider.calls[0]?.call.responseFormat, { kind: 'json_schema', name: 'city', schema });
    for (const json_schema of [{ schema }, { name: 'city' }, undefined, {}, { name: '', schema }])
      assert.equal(
        (await world.chat({ ...greeting, response_format: { type: 'json_schema', json_schema } })).status,
        422,
      );
    assert.equal(world.provider.calls.length, 1);
  }),
  gatewayCase(
    'gives the provider the present call and nothing of an earlier one [chat:history:stateless]',
    async (world) => {
      okJson(await world.chat({ messages: [{ role: 'user', content: 'The word is heron.' }] }));
      const second = await world.chat({ messages: [{ role: 'user', content: 'What was the word?' }] });
      okJson(second);
      const [, call] = world.provider.calls.map((each) => each.call);
      assert.deepEqual(call?.contents, [{ role: 'user', parts: [{ kind: 'text', text: 'What was the word?' }] }]);
      assert.equal(call?.operationId, requestIdOf(second));
      assert.ok(!JSON.stringify(call).includes('heron'));
    },
  ),
];
