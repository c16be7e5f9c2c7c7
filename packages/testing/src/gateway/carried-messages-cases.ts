import assert from 'node:assert/strict';
import { okJson } from './answer.ts';
import { assertCharged, balanceOf, eventsIn, typesOf } from './carried-ask.ts';
import { carried, citing, messagesTools, scriptSearch, seenServers, server, withTools } from './carried-tools.ts';
import { ask, messagesWire } from './dialect-wires.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { functionCall, scriptCalls } from './interaction-ask.ts';

/** Tools that run within a message: an interaction carries it, and its client waits. */
export const carriedMessagesCases: readonly GatewayCase[] = [
  gatewayCase(
    'messages: runs a search of the web between model rounds, with its citations, and charges it once',
    async (world) => {
      const wire = messagesWire;
      const before = await balanceOf(world);
      scriptSearch(world);
      const body = wire.saying('Hello', { tools: [messagesTools.search] });
      const whole = okJson(await carried(world, wire, body, 'search'));
      const content = whole.at('content').list();
      assert.deepEqual(typesOf(content), ['server_tool_use', 'web_search_tool_result', 'text']);
      assert.equal(content[1]?.at('content', 0, 'url').value, citing.url);
      assert.equal(content[2]?.at('citations', 0, 'url').value, citing.url);
      assert.equal(whole.at('usage', 'server_tool_use', 'web_search_requests').value, 1);
      assert.equal(whole.at('stop_reason').value, 'end_turn');
      assert.deepEqual(okJson(await carried(world, wire, body, 'search')).value, whole.value);
      await assertCharged(world, before, whole.at('id').text());
      const messages = [
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: content.map(({ value }) => value) },
        { role: 'user', content: 'And?' },
      ];
      okJson(await ask(world, wire, { ...wire.saying(''), messages }));
    },
    withTools(messagesWire),
  ),
  gatewayCase(
    'messages: streams the blocks of its tools, and calls the tools of a server',
    async (world) => {
      const wire = messagesWire;
      scriptCalls(world, functionCall('mcp_server', { at: 'x' }));
      const toolset = { type: 'mcp_toolset', mcp_server_name: server.name };
      const asked = { mcp_servers: [messagesTools.server], tools: [toolset], stream: true };
      const answer = await carried(world, wire, wire.saying('Hello', asked));
      const events = eventsIn(answer.text).filter(({ type }) => type !== 'ping');
      const blocks = events.filter(({ type }) => type === 'content_block_start');
      assert.deepEqual(
        blocks.map(({ data }) => data.at('content_block', 'type').value),
        ['mcp_tool_use', 'mcp_tool_result', 'text'],
      );
      assert.equal(events.at(-1)?.type, 'message_stop');
      assert.deepEqual(seenServers.at(-1), {
        kind: 'mcp_server',
        ...server,
        headers: { Authorization: 'Bearer a token' },
      });
    },
    withTools(messagesWire),
  ),
  gatewayCase(
    'messages: refuses a tool that nothing runs by its name, with its settings, and one call too many',
    async (world) => {
      const wire = messagesWire;
      const { search } = messagesTools;
      for (const [tool, field] of [
        [{ ...search, allowed_domains: ['example.com'] }, 'tools.allowed_domains'],
        [{ type: 'web_fetch_20250910', name: 'web_fetch', url_sources: {} }, 'tools[0].url_sources'],
        [{ type: 'bash_20250124', name: 'bash' }, 'tools[0].type'],
      ] as const) {
        const refused = await ask(world, wire, wire.saying('Hello', { tools: [tool] }));
        assert.equal(refused.status, 400, refused.text);
        assert.ok(refused.text.includes(field), refused.text);
      }
      scriptSearch(world);
      scriptSearch(world);
      const once = wire.saying('Hello', { tools: [{ ...search, max_uses: 1 }] });
      const content = okJson(await carried(world, wire, once))
        .at('content')
        .list();
      assert.equal(content[3]?.at('content', 'type').value, 'web_search_tool_result_error');
    },
    withTools(messagesWire),
  ),
];
