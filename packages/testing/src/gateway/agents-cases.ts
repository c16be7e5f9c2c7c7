import assert from 'node:assert/strict';
import { assertRefused, okJson } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { assertCreated, interactionClient, lastCall, nobody } from './interaction-ask.ts';
import { workThrough } from './video-ask.ts';

const tools = [
  { type: 'code_execution' },
  { type: 'function', name: 'f', description: 'Of the agent.' },
  { type: 'mcp_server', url: 'https://mcp.example', headers: { Authorization: 'of a third party' } },
];
const body = { display_name: 'Ada', system_instruction: 'Be brief.', tools };

/** Instructions and tools that are kept for interactions. */
export const agentsCases: readonly GatewayCase[] = [
  gatewayCase(
    'repeats what an agent was made of, but for the secrets of its servers [agents:record:echo]',
    async (world) => {
      const client = await interactionClient(world);
      const created = okJson(await client.createAgent(body));
      const record = okJson(
        await world.send({
          key: client.key,
          path: `/agents/${created.at('id').text()}`,
        }),
      );
      assert.deepEqual(record.value, created.value);
      assert.deepEqual(
        ['object', 'status', 'display_name', 'system_instruction', 'charged_credits', 'result'].map(
          (name) => record.at(name).value,
        ),
        ['agent', 'active', 'Ada', 'Be brief.', 0, null],
      );
      assert.deepEqual(record.at('tools').value, [
        ...tools.slice(0, 2),
        { ...tools[2], headers: { Authorization: '***' } },
      ]);
    },
  ),
  gatewayCase('makes an agent for the model of the key [agents:model:key-model]', async (world) => {
    for (const model of ['flash-2.5', 'pro-2.5']) {
      const client = await interactionClient(world, model);
      assert.equal(okJson(await client.createAgent()).at('model').value, model);
      assertRefused(await client.createAgent({ model }), 422, 'unsupported_parameter');
    }
    const embedder = await interactionClient(world, 'embedding-001');
    assertRefused(await embedder.createAgent(), 422, 'model_incompatible');
  }),
  gatewayCase(
    'begins an interaction with what its agent says, and lets the request say otherwise [interactions:agent-id:active-same-model]',
    async (world) => {
      const client = await interactionClient(world);
      const kept = { ...body, tools: tools.slice(0, 2) };
      const agent_id = okJson(await client.createAgent(kept))
        .at('id')
        .text();
      await client.ended({ input: 'Hello', agent_id });
      assert.equal(lastCall(world).systemInstruction, 'Be brief.');
      assert.deepEqual(
        lastCall(world).tools.map(({ kind }) => kind),
        ['code_execution', 'function'],
      );
      const said = { type: 'function', name: 'f', description: 'Of the request.' };
      await client.ended({ input: 'Hello', agent_id, system_instruction: 'Be long.', tools: [said] });
      assert.equal(lastCall(world).systemInstruction, 'Be long.');
      assert.deepEqual(lastCall(world).tools.at(-1), { kind: 'function', name: 'f', description: 'Of the request.' });
      const other = await interactionClient(world, 'pro-2.5');
      assertRefused(await other.create({ input: 'Hello', agent_id }), 422, 'invalid_request');
      const stranger = await interactionClient(world, undefined, await world.createProject(world.accountId));
      assertRefused(await stranger.create({ input: 'Hello', agent_id }), 404, 'not_found');
      assertRefused(await client.create({ input: 'Hello', agent_id: nobody }), 404, 'not_found');
    },
  ),
  gatewayCase('deletes an agent that nothing under way uses', async (world) => {
    const client = await interactionClient(world);
    const agent_id = okJson(await client.createAgent(body))
      .at('id')
      .text();
    const name = { key: client.key, method: 'DELETE', path: `/agents/${agent_id}` };
    const plain = okJson(await client.createAgent({}))
      .at('id')
      .text();
    assertCreated(await client.create({ input: 'Hello', agent_id: plain }));
    assertRefused(await world.send({ ...name, path: `/agents/${plain}` }), 409, 'request_in_progress');
    await workThrough(world);
    assert.equal(okJson(await world.send({ ...name, path: `/agents/${plain}` })).at('status').value, 'deleted');
    okJson(await world.send(name));
    assertRefused(await world.send(name), 404, 'not_found');
    assertRefused(await client.create({ input: 'Hello', agent_id }), 404, 'not_found');
    const listed = okJson(await world.send({ key: client.key, path: '/agents' }));
    assert.equal(listed.at('data').list().length, 0);
  }),
];
