import assert from 'node:assert/strict';
import type { ToolRunners } from '@tollgate/engine';
import { assertRefused, okJson } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewaySettings } from './gateway-under-test.ts';
import {
  agentModel,
  assertCreated,
  functionCall,
  interactionClient,
  lastCall,
  nobody,
  scriptCalls,
  stepsOf,
  withJobs,
} from './interaction-ask.ts';
import { telling, type ToolSetting } from './telling-tool.ts';

const { run: _run, ...proposing } = telling('computer_use');

/** A world of which every gateway has the tools anew. */
const toolsOf = (tools: ToolRunners): GatewaySettings => ({ tools });

const every: ToolRunners = {
  web_search: { ...telling('web_search'), callUsageMax: [{ unit: 'web_search_queries', quantity: 1 }] },
  maps: telling('maps'),
  mcp_server: telling('mcp_server'),
  file_search: telling('file_search'),
  computer_use: proposing,
};

const withTool = (...tools: readonly unknown[]) => ({ input: 'Hello', tools });

const seenServers: ToolSetting<'mcp_server'>[] = [];

/** What interactions work with. */
export const interactionsToolCases: readonly GatewayCase[] = [
  gatewayCase(
    'takes searches, code and addresses by their type alone [interactions:tools:built-in]',
    async (world) => {
      const client = await interactionClient(world);
      for (const type of ['web_search', 'code_execution', 'url_context']) {
        scriptCalls(world, ...(type === 'web_search' ? [functionCall('web_search', { query: 'q' })] : []));
        const id = await client.ended(withTool({ type }));
        assert.equal((await client.get(id)).at('status').value, 'completed');
      }
      assert.deepEqual(lastCall(world).tools, [{ kind: 'url_context' }]);
      assertRefused(await client.create(withTool({ type: 'web_search', nope: 1 })), 422, 'unsupported_parameter');
    },
    toolsOf(every),
  ),
  gatewayCase(
    'names the steps of tools neutrally, in every mode of execution [interactions:output:step-names]',
    async (world) => {
      const client = await interactionClient(world);
      scriptCalls(world, functionCall('web_search', { query: 'q' }), functionCall('maps'), functionCall('mcp_server'));
      const id = await client.ended(
        withTool({ type: 'web_search' }, { type: 'maps' }, { type: 'mcp_server', url: 'https://mcp.example' }),
      );
      const record = await client.get(id);
      assert.deepEqual(
        stepsOf(record).map((step) => step.at('type').value),
        [
          'web_search_call',
          'maps_call',
          'mcp_server_tool_call',
          'web_search_result',
          'maps_result',
          'mcp_server_tool_result',
          'model_output',
        ],
      );
      assert.deepEqual(
        [stepsOf(record)[2]?.at('server_name').value, stepsOf(record)[5]?.at('name').value],
        ['library', 'look'],
      );
    },
    toolsOf(every),
  ),
  gatewayCase(
    'passes on the steps of a provider that runs its own tools',
    async (world) => {
      const client = await interactionClient(world, agentModel);
      world.provider.scriptPolls({
        kind: 'answer',
        interacted: {
          steps: [
            { kind: 'tool_call', tool: 'web_search', id: 's1', arguments: { queries: ['q'] } },
            { kind: 'tool_result', tool: 'web_search', callId: 's1', result: [{ search_suggestions: '' }] },
            { kind: 'model_output', content: [{ kind: 'text', text: 'Found.' }] },
          ],
        },
      });
      const id = await client.ended(withTool({ type: 'web_search' }));
      assert.deepEqual(
        stepsOf(await client.get(id)).map((step) => step.at('type').value),
        ['web_search_call', 'web_search_result', 'model_output'],
      );
      assertRefused(await client.create(withTool({ type: 'maps' })), 422, 'model_incompatible');
    },
    withJobs,
  ),
  gatewayCase('declares functions by their names [interactions:tools:function]', async (world) => {
    const client = await interactionClient(world);
    const tool = { type: 'function', name: 'f', description: 'Does.', parameters: { type: 'object' } };
    await client.ended(withTool(tool));
    assert.deepEqual(lastCall(world).tools, [
      { kind: 'function', name: 'f', description: 'Does.', parameters: { type: 'object' } },
    ]);
    assertRefused(await client.create(withTool({ type: 'function' })), 422, 'invalid_request');
  }),
  gatewayCase(
    'bounds the place of a map [interactions:tools:maps]',
    async (world) => {
      const client = await interactionClient(world);
      for (const [latitude, longitude] of [
        [90, 180],
        [-90, -180],
      ])
        assertCreated(await client.create(withTool({ type: 'maps', latitude, longitude })));
      for (const [latitude, longitude] of [
        [90.1, 0],
        [0, 180.1],
      ])
        assertRefused(await client.create(withTool({ type: 'maps', latitude, longitude })), 422, 'invalid_request');
    },
    toolsOf(every),
  ),
  gatewayCase(
    'proposes what to do in a browser, and in nothing else [interactions:tools:computer-use]',
    async (world) => {
      const client = await interactionClient(world);
      scriptCalls(world, functionCall('computer_use', { x: 1 }));
      const id = await client.ended(withTool({ type: 'computer_use', environment: 'browser' }));
      assert.equal((await client.get(id)).at('status').value, 'requires_action');
      const mobile = withTool({ type: 'computer_use', environment: 'mobile' });
      assertRefused(await client.create(mobile), 422, 'invalid_request');
    },
    toolsOf(every),
  ),
  gatewayCase(
    'searches stores of the project, at least one [interactions:tools:file-search]',
    async (world) => {
      const client = await interactionClient(world);
      assertRefused(await client.create(withTool({ type: 'file_search', stores: [] })), 422, 'invalid_request');
      assertRefused(await client.create(withTool({ type: 'file_search', stores: [nobody] })), 404, 'not_found');
      const store = okJson(await world.send({ key: client.key, path: '/stores', body: { display_name: 'Library' } }))
        .at('id')
        .text();
      const searching = withTool({ type: 'file_search', stores: [store] });
      assertCreated(await client.create(searching));
      const name = { key: client.key, method: 'DELETE', path: `/stores/${store}` };
      assertRefused(await world.send(name), 409, 'request_in_progress');
      const stranger = await interactionClient(world, undefined, await world.createProject(world.accountId));
      assertRefused(await stranger.create(searching), 404, 'not_found');
    },
    toolsOf(every),
  ),
  gatewayCase(
    'hands the address, names and headers of a server to its tool [interactions:tools:mcp-server]',
    async (world) => {
      const client = await interactionClient(world);
      const server = {
        type: 'mcp_server',
        url: 'https://mcp.example/x',
        name: 'library',
        allowed_tools: ['look'],
        headers: { Authorization: 'Bearer of a third party' },
      };
      scriptCalls(world, functionCall('mcp_server'));
      const id = await client.ended(withTool(server));
      assert.equal((await client.get(id)).at('status').value, 'completed');
      assert.deepEqual(seenServers.at(-1), {
        kind: 'mcp_server',
        url: server.url,
        name: 'library',
        allowedTools: ['look'],
        headers: server.headers,
      });
      assert.ok(!world.logged().includes('a third party'), 'a header is logged');
      assertRefused(await client.create(withTool({ type: 'mcp_server' })), 422, 'invalid_request');
    },
    toolsOf({ mcp_server: telling('mcp_server', seenServers) }),
  ),
  gatewayCase(
    'sends a key of the service to no server [interactions:tools:mcp-headers]',
    async (world) => {
      const client = await interactionClient(world);
      const before = seenServers.length;
      const elsewhere = await world.createProject(world.accountId);
      const { key: other } = await world.createCaller({ projectId: elsewhere, model: null });
      for (const told of [
        { headers: { 'X-Key': client.key } },
        { headers: { 'X-Key': `Bearer ${client.key}` } },
        { headers: { [client.key]: 'x' } },
        { headers: { 'X-Key': other } },
        { url: `https://mcp.example/?key=${other}` },
      ]) {
        const tools = [{ type: 'mcp_server', url: 'https://mcp.example', ...told }];
        assertRefused(await client.create({ input: 'Hello', tools }), 422, 'invalid_request');
        assertRefused(await client.createAgent({ tools }), 422, 'invalid_request');
      }
      assert.equal(seenServers.length, before);
    },
    toolsOf({ mcp_server: telling('mcp_server', seenServers) }),
  ),
  gatewayCase(
    'refuses a tool that there is not, and one without a runner [interactions:tools:unknown]',
    async (world) => {
      const client = await interactionClient(world);
      assertRefused(await client.create(withTool({ type: 'nope' })), 422, 'invalid_request');
      const searching = assertRefused(await client.create(withTool({ type: 'web_search' })), 422, 'model_incompatible');
      assert.match(searching.at('message').text(), /the tool web_search in an interaction/);
      assert.equal(
        okJson(await world.send({ path: '/interactions' }))
          .at('data')
          .list().length,
        0,
      );
    },
  ),
];
