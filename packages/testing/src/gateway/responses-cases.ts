import assert from 'node:assert/strict';
import { assertRefused, jsonOf, okJson } from './answer.ts';
import { backgroundCases } from './background-cases.ts';
import { call } from './chat-in-time-reading.ts';
import { ask, namedEvents, responsesWire as wire } from './dialect-wires.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { storedResponsesCases } from './stored-responses-cases.ts';
import { text, thought } from './generate-stream-reading.ts';

const { settings } = wire;

const part = (content: object) => ({ input: [{ role: 'user', content: [content] }] });

const server = {
  type: 'mcp',
  server_label: 'a',
  server_url: 'https://example.com',
  require_approval: 'never',
} as const;

/** What is refused, with the field that the message names. */
const refusals: readonly (readonly [body: object, field: string])[] = [
  [{ input: [] }, 'input'],
  [{ input: 7 }, 'input'],
  [{ input: [{ role: 'tool', content: 'x' }] }, 'input[0].role'],
  [{ input: [{ type: 'computer_call', id: 'x' }] }, 'input[0].type'],
  [{ input: [{ type: 'function_call_output', call_id: 'x', output: 'y' }] }, 'input[0].call_id'],
  [{ tools: [wire.tool, { type: 'namespace', name: 'n', tools: [wire.tool] }] }, 'tools'],
  [{ background: true, store: false }, 'store'],
  [{ conversation: 'conv_1' }, 'conversation'],
  [{ conversation: 'conv_1' }, 'accepted are model, input, tools, '],
  [{ truncation: 'auto' }, 'truncation'],
  [{ max_output_tokens: 0 }, 'max_output_tokens'],
  [{ tools: [{ type: 'computer_use_preview' }] }, 'tools[0].type'],
  [{ tools: [{ type: 'file_search', vector_store_ids: [] }] }, 'tools[0].vector_store_ids'],
  [{ tools: [{ type: 'web_search', filters: { allowed_domains: ['a.example'] } }] }, 'tools.filters.allowed_domains'],
  [{ tools: [{ type: 'web_search' }, { type: 'web_search_preview' }] }, 'tools'],
  [{ tools: [{ ...server, require_approval: 'always' }] }, 'tools[0].require_approval'],
  [{ tools: [{ ...server, server_url: 'ftp://example.com' }] }, 'tools[0].url'],
  [{ tools: [{ ...server, connector_id: 'connector_a' }] }, 'tools[0].connector_id'],
  [{ tool_choice: { type: 'web_search' } }, 'tool_choice'],
  [{ tool_choice: { type: 'function', name: 'look' } }, 'tool_choice'],
  [part({ type: 'input_image', image_url: 'https://example.com/a.png' }), 'input[0].content[0].image_url'],
  [part({ type: 'input_file', file_data: 'AAAA' }), 'input[0].content[0].file_data'],
  [part({ type: 'input_audio' }), 'input[0].content[0].type'],
];

const refusalCases: readonly GatewayCase[] = [
  gatewayCase(
    'responses: refuses what it does not take, and names the field',
    async (world) => {
      for (const [body, field] of refusals) {
        const answer = await ask(world, wire, { ...wire.saying('Hello'), ...body });
        assert.equal(answer.status, 422, answer.text);
        const error = jsonOf(JSON.parse(answer.text)).at('error');
        assert.equal(error.at('type').value, 'invalid_request_error');
        assert.ok(error.at('message').text().includes(field), `${field}: ${error.at('message').text()}`);
      }
      for (const id of ['resp_unknown', 'resp_01a20dfc-256d-7b5c-ab81-4d1c3ba8965f'])
        assertRefused(await ask(world, wire, wire.saying('Hello', { previous_response_id: id })), 404, 'not_found');
      const unknown = await ask(world, wire, part({ type: 'input_file', file_id: 'x' }));
      const message = assertRefused(unknown, 404, 'not_found').at('message').text();
      assert.ok(message.includes('input[0].content[0].file_id'), message);
      assert.equal(world.provider.calls.length, 0);
    },
    settings,
  ),
  gatewayCase('responses: has no path without the compatible mode', async (world) => {
    assert.equal((await ask(world, wire, wire.saying('Hello'))).status, 404);
  }),
];

/** The events of a call at a place of the output. */
const callEvents = (place: string) => [
  `${place} response.output_item.added`,
  `${place} response.function_call_arguments.delta`,
  `${place} response.function_call_arguments.done`,
  `${place} response.output_item.done`,
];

/** What a model has written so far of a call. */
const piece = (added: string) => ({ kind: 'call_piece', id: 'a', name: 'look', arguments: added }) as const;

const streamCases: readonly GatewayCase[] = [
  gatewayCase(
    'responses: writes an item from its opening to its end, numbered without a gap, and the last event has all of them',
    async (world) => {
      const pieces = [thought('Hm'), text('I '), text('look.'), call('a'), call('b')];
      world.provider.script({ kind: 'answer', pieces });
      const { text: stream } = await ask(world, wire, wire.saying('Hello', { stream: true, tools: [wire.tool] }));
      const events = namedEvents(stream);
      assert.deepEqual(
        events.map(({ data }) => data.at('sequence_number').value),
        [...events.keys()],
      );
      const named = events.map(({ type, data }) => {
        const index = data.at('output_index').value;
        return index === undefined ? type : `${data.at('output_index').number()} ${type}`;
      });
      assert.deepEqual(named, [
        'response.created',
        'response.in_progress',
        '0 response.output_item.added',
        '0 response.reasoning_summary_part.added',
        '0 response.reasoning_summary_text.delta',
        '0 response.reasoning_summary_text.done',
        '0 response.reasoning_summary_part.done',
        '0 response.output_item.done',
        '1 response.output_item.added',
        '1 response.content_part.added',
        '1 response.output_text.delta',
        '1 response.output_text.delta',
        '1 response.output_text.done',
        '1 response.content_part.done',
        '1 response.output_item.done',
        ...callEvents('2'),
        ...callEvents('3'),
        'response.completed',
      ]);
      const done = events.filter(({ type }) => type === 'response.output_item.done');
      const output = events.at(-1)?.data.at('response', 'output').value;
      assert.deepEqual(
        done.map(({ data }) => data.at('item').value),
        output,
      );
    },
    settings,
  ),
  gatewayCase(
    'responses: ends a text before the call that the model begins to write',
    async (world) => {
      const pieces = [text('I look.'), piece(''), piece('{"at":"a"}'), call('a')];
      world.provider.script({ kind: 'answer', pieces });
      const { text: stream } = await ask(world, wire, wire.saying('Hello', { stream: true, tools: [wire.tool] }));
      const items = namedEvents(stream).flatMap(({ type, data }) =>
        type.startsWith('response.output_item.') ? [`${data.at('output_index').number()} ${type}`] : [],
      );
      assert.deepEqual(items, [
        '0 response.output_item.added',
        '0 response.output_item.done',
        '1 response.output_item.added',
        '1 response.output_item.done',
      ]);
    },
    settings,
  ),
  gatewayCase(
    'responses: shows a call of free text or of a namespace as it was declared, and leaves out tools that clients offer unasked',
    async (world) => {
      const tools = [
        { type: 'custom', name: 'patch', format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' } },
        { type: 'namespace', name: 'team', tools: [{ type: 'function', name: 'spawn', parameters: {} }] },
        { type: 'web_search', external_web_access: true },
        { type: 'tool_search' },
      ];
      const calls = [
        { ...call('a'), name: 'patch', arguments: '{"input":"*** Begin"}' },
        { ...call('b'), name: 'spawn', arguments: '{}' },
      ];
      world.provider.script({ kind: 'answer', generation: { text: '', functionCalls: calls } });
      const body = okJson(await ask(world, wire, wire.saying('Hello', { tools, client_metadata: {}, user: 'ana' })));
      assert.deepEqual([body.at('tools').value, body.at('user').value], [tools.slice(0, 2), 'ana']);
      const [patch, spawn] = body.at('output').list();
      assert.deepEqual([patch?.at('type').value, patch?.at('input').value], ['custom_tool_call', '*** Begin']);
      assert.deepEqual([spawn?.at('type').value, spawn?.at('namespace').value], ['function_call', 'team']);
      const names = world.provider.calls.at(-1)?.call.tools.map((tool) => (tool.kind === 'function' ? tool.name : ''));
      assert.deepEqual(names, ['patch', 'spawn']);
      const output = { type: 'custom_tool_call_output', call_id: 'a', output: [{ type: 'input_text', text: 'done' }] };
      okJson(await ask(world, wire, { ...wire.saying(''), input: [patch?.value, output], tools, client_metadata: {} }));
      assert.deepEqual(
        jsonOf(world.provider.calls.at(-1)?.call.contents).at(0, 'parts', 0, 'arguments').value,
        '{"input":"*** Begin"}',
      );
    },
    settings,
  ),
];

/** What only the Responses wire has. */
export const responsesCases: readonly GatewayCase[] = [
  ...refusalCases,
  ...streamCases,
  ...storedResponsesCases,
  ...backgroundCases,
];
