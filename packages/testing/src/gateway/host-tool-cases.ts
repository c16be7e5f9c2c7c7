import assert from 'node:assert/strict';
import type { HostToolRunner } from '@tollgate/engine';
import { assertRefused, type Answer } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import {
  agentModel,
  functionCall,
  interactionClient,
  lastCall,
  lastJob,
  scriptCalls,
  stepsOf,
  withJobs,
} from './interaction-ask.ts';

const parameters = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };

/** A tool of a host: it finds orders, and knows one of them. */
const lookupOrder: HostToolRunner = {
  description: 'Finds an order.',
  parameters,
  isRepeatable: true,
  callUsageMax: [{ unit: 'host_tool_calls', quantity: 1 }],
  run: ({ arguments: { id } }, { projectId }) =>
    Promise.resolve({
      result: id === 'A1' ? { status: 'sent', projectId } : 'There is no such order.',
      isError: id !== 'A1',
      usage: [{ unit: 'host_tool_calls', quantity: 1, confirmed: true }],
    }),
};
const withOrders = { tools: { own: { lookup_order: lookupOrder } } } as const;

const orders = { type: 'host_tool', name: 'lookup_order' };
const asking = { input: 'Where is A1?', tools: [orders] };

/** Asserts that every way of naming a tool that the host does not have is refused, and says which it has. */
const assertUnknown = async (world: GatewayWorld, name: string, accepted: RegExp): Promise<void> => {
  const client = await interactionClient(world);
  const tools = [{ type: 'host_tool', name }];
  const trigger = { schedule: '0 * * * *', time_zone: 'UTC', interaction: { input: 'x', tools } };
  const answers: readonly Answer[] = [
    await client.create({ input: 'Hello', tools }),
    await client.createAgent({ tools }),
    await world.send({ path: '/triggers', key: client.key, body: trigger }),
  ];
  for (const answer of answers) {
    const message = assertRefused(answer, 422, 'invalid_request').at('message').text();
    assert.ok(message.includes(name), message);
    assert.match(message, accepted);
  }
  assert.deepEqual(await world.admin.listOperations({ kind: 'project', projectId: world.projectId }), []);
};

/** Tools that a host has under names of its own. */
export const hostToolCases: readonly GatewayCase[] = [
  gatewayCase(
    'runs a tool of the host by the function of its name, shows its steps, and charges its calls',
    async (world) => {
      const client = await interactionClient(world);
      scriptCalls(world, functionCall('lookup_order', { id: 'A1' }));
      const record = await client.get(await client.ended(asking));
      assert.deepEqual(lastCall(world).tools, [
        { kind: 'function', name: 'lookup_order', description: 'Finds an order.', parameters },
      ]);
      assert.deepEqual(
        stepsOf(record)
          .slice(0, 2)
          .map((step) => step.value),
        [
          { type: 'host_tool_call', id: 'call_lookup_order', name: 'lookup_order', arguments: { id: 'A1' } },
          {
            type: 'host_tool_result',
            call_id: 'call_lookup_order',
            name: 'lookup_order',
            result: { status: 'sent', projectId: client.projectId },
          },
        ],
      );
      // Two rounds of the model and one call of the tool.
      assert.deepEqual([record.at('status').value, record.at('charged_credits').value], ['completed', 1.04]);
    },
    withOrders,
  ),
  gatewayCase(
    'tells the model of a call that failed, and goes on',
    async (world) => {
      const client = await interactionClient(world);
      scriptCalls(world, functionCall('lookup_order', { id: 'B2' }));
      const record = await client.get(await client.ended(asking));
      assert.equal(stepsOf(record)[1]?.at('is_error').value, true);
      const told = lastCall(world).contents.at(-1)?.parts[0];
      assert.ok(told?.kind === 'function_response' && told.response.includes('There is no such order.'));
      assert.equal(record.at('status').value, 'completed');
    },
    withOrders,
  ),
  gatewayCase(
    'names a tool of the host apart from a function of the client',
    async (world) => {
      const client = await interactionClient(world);
      const tools = [{ type: 'function', name: 'lookup_order' }, orders];
      scriptCalls(world, functionCall('lookup_order_2', { id: 'A1' }), functionCall('lookup_order'));
      const record = await client.get(await client.ended({ ...asking, tools }));
      assert.deepEqual(
        lastCall(world).tools.map((tool) => (tool.kind === 'function' ? tool.name : tool.kind)),
        ['lookup_order', 'lookup_order_2'],
      );
      assert.equal(record.at('result', 'status').value, 'requires_action');
      assert.deepEqual(
        stepsOf(record).map((step) => [step.at('type').value, step.at('name').value]),
        [
          ['host_tool_call', 'lookup_order'],
          ['function_call', 'lookup_order'],
          ['host_tool_result', 'lookup_order'],
        ],
      );
    },
    withOrders,
  ),
  gatewayCase(
    'refuses a tool that the host does not have, and says which it has',
    async (world) => {
      await assertUnknown(world, 'lookup_orders', /accepted is lookup_order\./);
      await assertUnknown(world, 'constructor', /accepted is lookup_order\./);
    },
    withOrders,
  ),
  gatewayCase('has no tools of the host where it gives none', async (world) => {
    await assertUnknown(world, 'lookup_order', /accepted are tools of the other types\./);
  }),
  gatewayCase(
    'reserves the calls that it allows a tool of the host',
    async (world) => {
      const accountId = await world.createAccount(1_000_000n);
      const projectId = await world.createProject(accountId);
      const { key } = await world.createCaller({ projectId, model: 'flash-2.5' });
      const path = '/interactions';
      assertRefused(await world.send({ path, key, body: asking }), 402, 'ai_insufficient_credits');
      assert.equal(world.provider.calls.length, 0);
    },
    {
      ...withOrders,
      tariff: {
        version: 'suite-host-tools',
        models: {
          '*': { perMillion: { input_text_tokens: '0', output_text_tokens: '0', host_tool_calls: '1000000' } },
        },
      },
    },
  ),
  gatewayCase(
    'does not offer a tool of the host with a model whose provider works alone',
    async (world) => {
      const client = await interactionClient(world, agentModel);
      const message = assertRefused(await client.create(asking), 422, 'model_incompatible')
        .at('message')
        .text();
      assert.match(message, /lookup_order/);
    },
    { ...withOrders, ...withJobs },
  ),
  gatewayCase(
    'hands calls of a tool of the host on as calls of a function, where a provider that works alone goes on',
    async (world) => {
      const first = await interactionClient(world);
      scriptCalls(world, functionCall('lookup_order', { id: 'A1' }));
      const id = await first.ended(asking);
      const second = await interactionClient(world, agentModel);
      await second.ended({ input: 'And now?', previous_interaction_id: id });
      const made = lastJob(world).history.flatMap((step) =>
        step.kind === 'function_call' || step.kind === 'function_result' ? [step] : [],
      );
      assert.deepEqual(
        made.map((step) => (step.kind === 'function_call' ? [step.id, step.name, step.arguments] : [step.callId])),
        [['call_lookup_order', 'lookup_order', '{"id":"A1"}'], ['call_lookup_order']],
      );
    },
    { ...withOrders, ...withJobs },
  ),
];
