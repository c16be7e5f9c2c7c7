import assert from 'node:assert/strict';
import { assertRefused, jsonOf, okJson } from './answer.ts';
import { assertCharged, balanceOf, eventsIn, itemsOf, typesOf, valuesOf } from './carried-ask.ts';
import { carried, citing, responsesTools, scriptSearch, seenServers, withTools } from './carried-tools.ts';
import { ask, responsesWire } from './dialect-wires.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { functionCall, scriptCalls } from './interaction-ask.ts';

/** Tools that run within a response: an interaction carries it, and its client waits. */
export const carriedResponsesCases: readonly GatewayCase[] = [
  gatewayCase(
    'responses: runs a search of the web between model rounds, with its citations, and charges it once',
    async (world) => {
      const wire = responsesWire;
      const before = await balanceOf(world);
      scriptSearch(world);
      const body = wire.saying('Hello', { tools: [responsesTools.search] });
      const whole = okJson(await carried(world, wire, body, 'search'));
      assert.equal(whole.at('status').value, 'completed');
      const [search, message] = itemsOf(whole);
      assert.deepEqual(typesOf(itemsOf(whole)), ['web_search_call', 'message']);
      assert.equal(search?.at('action', 'query').value, 'q');
      assert.equal(message?.at('content', 0, 'annotations', 0, 'url').value, citing.url);
      assert.deepEqual(okJson(await carried(world, wire, body, 'search')).value, whole.value);
      await assertCharged(world, before, whole.at('id').text());
      assert.equal(world.provider.calls.length, 2);
      // The items go back as they came.
      const items = [{ role: 'user', content: 'Hello' }, ...itemsOf(whole).map(({ value }) => value)];
      okJson(await ask(world, wire, { input: [...items, { role: 'user', content: 'And?' }] }));
    },
    withTools(responsesWire),
  ),
  gatewayCase(
    'responses: streams the items of its tools as they become known',
    async (world) => {
      const wire = responsesWire;
      scriptSearch(world);
      const body = wire.saying('Hello', { tools: [responsesTools.search], stream: true });
      const events = eventsIn((await carried(world, wire, body, 'stream')).text);
      assert.deepEqual(
        events.map(({ type }) => type.replace('response.', '')),
        [
          'created',
          'in_progress',
          'output_item.added',
          'web_search_call.in_progress',
          'web_search_call.searching',
          'web_search_call.completed',
          'output_item.done',
          'output_item.added',
          'content_part.added',
          'output_text.delta',
          'output_text.annotation.added',
          'output_text.done',
          'content_part.done',
          'output_item.done',
          'completed',
        ],
      );
      const done = events.filter(({ type }) => type === 'response.output_item.done');
      assert.deepEqual(
        done.map(({ data }) => data.at('item').value),
        events.at(-1)?.data.at('response', 'output').value,
      );
      const again = await carried(world, wire, body, 'stream');
      assert.deepEqual(valuesOf(eventsIn(again.text)), valuesOf(events));
    },
    withTools(responsesWire),
  ),
  gatewayCase(
    'responses: ends with the calls of the client, beside its own tools, and goes on with their results',
    async (world) => {
      const wire = responsesWire;
      scriptCalls(world, functionCall('web_search', { query: 'q' }), functionCall('look', { at: 'x' }));
      const asked = { tools: [responsesTools.search, wire.tool] };
      const first = okJson(await carried(world, wire, wire.saying('Hello', asked)));
      assert.deepEqual(typesOf(itemsOf(first)), ['web_search_call', 'function_call']);
      const result = { type: 'function_call_output', call_id: 'call_look', output: 'seen' };
      const body = { ...asked, input: [result], previous_response_id: first.at('id').text() };
      const second = okJson(await carried(world, wire, body));
      assert.equal(wire.textOf(second), 'Scripted answer.');
      const contents = jsonOf(world.provider.calls.at(-1)?.call.contents).list();
      assert.equal(contents.at(-1)?.at('parts', 0, 'response').value, 'seen');
    },
    withTools(responsesWire),
  ),
  gatewayCase(
    'responses: calls the tools of a server, with its token, and tells the model of a later turn what they returned',
    async (world) => {
      const wire = responsesWire;
      scriptCalls(world, functionCall('mcp_server', { at: 'x' }));
      const first = okJson(await carried(world, wire, wire.saying('Hello', { tools: [responsesTools.server] })));
      const [call] = itemsOf(first);
      assert.deepEqual(
        ['type', 'server_label', 'name', 'arguments', 'output', 'status'].map((name) => call?.at(name).value),
        ['mcp_call', 'library', 'look', '{"at":"x"}', '{"at":"x"}', 'completed'],
      );
      assert.deepEqual(seenServers.at(-1)?.headers, { Authorization: 'Bearer a token' });
      assert.ok(!world.logged().includes('a token'), 'a token is logged');
      okJson(await ask(world, wire, { input: 'And?', previous_response_id: first.at('id').text() }));
      const contents = jsonOf(world.provider.calls.at(-1)?.call.contents).list();
      assert.deepEqual(
        contents.map((content) => content.at('parts', 0, 'kind').value),
        ['text', 'function_call', 'function_response', 'text', 'text'],
      );
    },
    withTools(responsesWire),
  ),
  gatewayCase(
    'responses: bounds the calls of its tools, and forces a choice once',
    async (world) => {
      const wire = responsesWire;
      scriptSearch(world);
      scriptSearch(world);
      const asked = { tools: [responsesTools.search], tool_choice: 'required', max_tool_calls: 1 };
      const response = okJson(await carried(world, wire, wire.saying('Hello', asked)));
      assert.deepEqual(
        itemsOf(response).map((item) => item.at('status').value),
        ['completed', 'failed', 'completed'],
      );
      assert.deepEqual(
        world.provider.calls.map(({ call }) => call.toolChoice.kind),
        ['required', 'auto', 'auto'],
      );
    },
    withTools(responsesWire),
  ),
  gatewayCase(
    'responses: refuses a tool that nothing runs by its name, and leaves out a search that an agent offers unasked',
    async (world) => {
      const wire = responsesWire;
      for (const tool of [responsesTools.search, responsesTools.server]) {
        const refused = await ask(world, wire, wire.saying('Hello', { tools: [tool] }));
        assertRefused(refused, 422, 'model_incompatible');
      }
      const choice = { type: 'web_search' };
      const forced = await ask(world, wire, wire.saying('Hello', { tools: [choice], tool_choice: choice }));
      assertRefused(forced, 422, 'invalid_request');
      const offered = { tools: [{ type: 'web_search', external_web_access: false }], client_metadata: {} };
      okJson(await ask(world, wire, wire.saying('Hello', offered)));
      assert.deepEqual(
        world.provider.calls.map(({ call }) => call.tools),
        [[]],
      );
    },
    responsesWire.settings,
  ),
  gatewayCase(
    'responses: leaves a search to the provider that runs it, in one call and with its citations',
    async (world) => {
      const wire = responsesWire;
      const cited = { ...citing, start_index: 0, end_index: 5 };
      const parts = [{ kind: 'text', text: 'Found.', annotations: [cited] }] as const;
      world.provider.script({ kind: 'answer', generation: { text: 'Found.', parts } });
      const filters = { allowed_domains: ['example.com'] };
      const tool = { ...responsesTools.search, filters };
      const response = okJson(await ask(world, wire, wire.saying('Hello', { tools: [tool] })));
      const [message] = itemsOf(response);
      assert.deepEqual(message?.at('content', 0, 'annotations').value, [cited]);
      const allowedDomains = filters.allowed_domains;
      assert.deepEqual(world.provider.calls.at(-1)?.call.tools, [{ kind: 'web_search', allowedDomains }]);
    },
    { ...withTools(responsesWire), runsTool: (name) => name === 'web_search' },
  ),
];
