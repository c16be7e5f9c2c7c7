import assert from 'node:assert/strict';
import { Trigger } from '@tollgate/contract';
import { assertRefused, okJson } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { mediaSamples as samples } from './media-samples.ts';
import { suiteModel } from './suite-tariff.ts';
import { telling } from './telling-tool.ts';
import {
  createdTrigger,
  createTrigger,
  deleteTrigger,
  hourly,
  hourMs,
  patchTrigger,
  readTrigger,
  runsOf,
  triggerId,
  workNextHour,
} from './trigger-ask.ts';

const unknownId = '99999999-9999-4999-8999-999999999999';
const minuteMs = 60_000;

/** Asserts that each body is refused with 422 and the code, and that nothing came of any. */
const assertBodiesRefused = async (world: GatewayWorld, code: string, bodies: readonly unknown[]): Promise<void> => {
  for (const body of bodies) assertRefused(await createTrigger(world, body), 422, code);
  assert.deepEqual(okJson(await world.send({ path: '/triggers' })).at('data').value, []);
};

/** Every route of one trigger, as asked with a key. */
const asks = (id: string, key: string) => [
  { path: `/triggers/${id}`, key },
  { path: `/triggers/${id}`, key, method: 'PATCH', body: { enabled: true } },
  { path: `/triggers/${id}`, key, method: 'DELETE' },
  { path: `/triggers/${id}/runs`, key },
];

const secretive = {
  input: [
    { type: 'text', text: 'Report.' },
    { type: 'image', mime_type: 'image/png', data: samples.png },
  ],
  tools: [{ type: 'mcp_server', url: 'https://tools.example.com/mcp', headers: { authorization: 'hidden-secret' } }],
};

const withTool = (tool: object) => ({ ...hourly, interaction: { input: 'x', tools: [tool] } });

const scheduled = (schedule: string) => ({ ...hourly, schedule });

/** Triggers from their creation to their end; what they run has cases of its own. */
export const triggersCases: readonly GatewayCase[] = [
  gatewayCase(
    'responds with the next instant of its schedule and runs nothing before [triggers:create:response] [triggers:create:not-immediate] [triggers:get:record] [triggers:body:display-name]',
    async (world) => {
      const nowMs = world.time.now();
      const name = 'n'.repeat(200);
      const created = await createdTrigger(world, { ...hourly, display_name: name });
      const at = new Date(nowMs).toISOString();
      const id = created.at('id').text();
      assert.deepEqual(created.value, {
        id,
        object: 'trigger',
        project_id: world.projectId,
        display_name: name,
        schedule: '0 * * * *',
        time_zone: 'UTC',
        interaction: hourly.interaction,
        enabled: true,
        next_run_at: new Date(nowMs - (nowMs % hourMs) + hourMs).toISOString(),
        last_run_at: null,
        paused_reason: null,
        created_at: at,
        updated_at: at,
      });
      Trigger.parse(created.value);
      assert.deepEqual((await readTrigger(world, id)).value, created.value);
      await world.runJobs();
      world.time.advance(hourMs - (nowMs % hourMs) - 1);
      await world.runJobs();
      assert.deepEqual(await runsOf(world, id), []);
    },
  ),
  gatewayCase(
    'goes by the clocks of America/Sao_Paulo unless it names others [triggers:body:default-time-zone] [triggers:body:time-zone]',
    async (world) => {
      const { schedule, interaction } = { ...hourly, schedule: '0 9 * * *' };
      const first = await createdTrigger(world, { schedule, interaction });
      assert.equal(first.at('time_zone').value, 'America/Sao_Paulo');
      assert.match(first.at('next_run_at').text(), /T12:00:00\.000Z$/);
      const second = await createdTrigger(world, { schedule, interaction, time_zone: 'Asia/Tokyo' });
      assert.match(second.at('next_run_at').text(), /T00:00:00\.000Z$/);
      assert.equal(second.at('display_name').value, null);
    },
  ),
  gatewayCase(
    'refuses what is no schedule, no zone and no interaction [triggers:body:schedule] [triggers:schedule:dialect] [triggers:body:interaction]',
    async (world) => {
      await assertBodiesRefused(world, 'invalid_request', [
        ...[
          '0 9 * *',
          '0 9 * * 1 2026',
          '60 9 * * *',
          'daily',
          '@daily',
          '0 9 ? * 1',
          '0 9 L * *',
          '0 0 31 2 *',
          '',
        ].map(scheduled),
        { ...hourly, time_zone: 'Mars/Base' },
        { ...hourly, time_zone: '+03:00' },
        { ...hourly, display_name: 'n'.repeat(201) },
        { schedule: '0 9 * * 1' },
        { interaction: hourly.interaction },
        { ...hourly, interaction: 'Report.' },
      ]);
      await assertBodiesRefused(world, 'unsupported_parameter', [
        { ...hourly, enabled: true },
        { ...hourly, interaction: { input: 'x', stream: true } },
      ]);
      await assertBodiesRefused(world, 'empty_message', [{ ...hourly, interaction: { input: '' } }]);
      await assertBodiesRefused(world, 'model_key_mismatch', [
        { ...hourly, interaction: { input: 'x', model: 'pro-2.5' } },
      ]);
      const message = assertRefused(await createTrigger(world, scheduled('61 * * * *')), 422, 'invalid_request');
      assert.match(message.at('message').text(), /minute/);
      assertRefused(await createTrigger(world, '{"schedule":'), 400, 'invalid_json');
      for (const schedule of ['0 9 * * 1', '*/15 8-17 * jan,JUL mon-fri', '0 0 * * 7'])
        await createdTrigger(world, scheduled(schedule));
    },
  ),
  gatewayCase(
    'runs on every day that one of two day fields names [triggers:schedule:day-or-weekday]',
    async (world) => {
      const id = await triggerId(world, { ...hourly, schedule: '0 0 13 * 5' });
      const days: string[] = [];
      for (let time = 0; time < 5; time += 1) {
        const next = (await readTrigger(world, id)).at('next_run_at').text();
        days.push(next.slice(0, 10));
        world.time.advance(Date.parse(next) - world.time.now());
        await world.runJobs();
        await world.runJobs();
      }
      assert.deepEqual(days, ['2026-11-27', '2026-12-04', '2026-12-11', '2026-12-13', '2026-12-18']);
    },
  ),
  gatewayCase(
    'hides headers of tools and data of media, and still opens with them [triggers:get:redacted]',
    async (world) => {
      const id = await triggerId(world, { ...hourly, interaction: secretive });
      const expected = {
        input: [secretive.input[0], { type: 'image', mime_type: 'image/png', data: '***' }],
        tools: [{ ...secretive.tools[0], headers: { authorization: '***' } }],
      };
      assert.deepEqual((await readTrigger(world, id)).at('interaction').value, expected);
      const answers = [
        await world.send({ path: '/triggers' }),
        await patchTrigger(world, id, { enabled: false }),
        await deleteTrigger(world, id),
      ];
      for (const { text } of answers) assert.ok(!text.includes('hidden-secret') && !text.includes(samples.png), text);
      assert.ok(!world.logged().includes('hidden-secret'));
    },
    { tools: { mcp_server: telling('mcp_server') } },
  ),
  gatewayCase(
    'refuses an interaction that could not be opened now either, and opens none [triggers:body:interaction]',
    async (world) => {
      await assertBodiesRefused(world, 'model_incompatible', [
        { ...hourly, interaction: { input: 'x', response_format: { type: 'audio' } } },
        { ...hourly, interaction: { input: 'x', agent_config: { visualization: 'auto' } } },
        withTool({ type: 'maps', latitude: 0, longitude: 0 }),
        withTool({ type: 'mcp_server', url: 'https://tools.example.com/mcp' }),
      ]);
      const agent = okJson(await world.send({ path: '/agents', body: { display_name: 'A' } }))
        .at('id')
        .text();
      await createdTrigger(world, { ...hourly, interaction: { input: 'x', agent_id: agent } });
      okJson(await world.send({ method: 'DELETE', path: `/agents/${agent}` }));
      for (const more of [
        { agent_id: agent },
        { agent_id: unknownId },
        { environment_id: unknownId },
        { previous_interaction_id: unknownId },
        { tools: [{ type: 'file_search', stores: [unknownId] }] },
      ]) {
        const body = { ...hourly, interaction: { input: 'x', ...more } };
        assertRefused(await createTrigger(world, body), 404, 'not_found');
      }
      assert.deepEqual(okJson(await world.send({ path: '/interactions' })).at('data').value, []);
      assert.equal((await world.wallet.read(world.accountId)).reservedMicros, 0n);
    },
  ),
  gatewayCase('refuses to hand the key of this service to a server of tools', async (world) => {
    const tools = [{ type: 'mcp_server', url: 'https://tools.example.com/', headers: { x: `Bearer ${world.key}` } }];
    assertRefused(
      await createTrigger(world, { ...hourly, interaction: { input: 'x', tools } }),
      422,
      'invalid_request',
    );
  }),
  gatewayCase('lists triggers, paused ones too [triggers:list:includes-paused]', async (world) => {
    const first = await triggerId(world);
    world.time.advance(1_000);
    const second = await triggerId(world);
    await patchTrigger(world, first, { enabled: false });
    const list = okJson(await world.send({ path: '/triggers' }));
    assert.equal(list.at('object').value, 'list');
    assert.deepEqual(
      list
        .at('data')
        .list()
        .map((trigger) => [trigger.at('id').value, trigger.at('enabled').value]),
      [
        [second, true],
        [first, false],
      ],
    );
  }),
  gatewayCase('changes nothing but whether it is enabled [triggers:patch:enabled]', async (world) => {
    const id = await triggerId(world);
    for (const body of [{}, { enabled: 'x' }, { enabled: null }])
      assertRefused(await patchTrigger(world, id, body), 422, 'invalid_request');
    const more = { enabled: true, schedule: '* * * * *' };
    assertRefused(await patchTrigger(world, id, more), 422, 'unsupported_parameter');
    const before = await readTrigger(world, id);
    assert.deepEqual(okJson(await patchTrigger(world, id, { enabled: true })).value, before.value);
  }),
  gatewayCase(
    'runs nothing while it is paused, and makes up for nothing afterwards [triggers:patch:pause] [triggers:patch:resume]',
    async (world) => {
      const id = await triggerId(world);
      const paused = okJson(await patchTrigger(world, id, { enabled: false }));
      assert.deepEqual([paused.at('enabled').value, paused.at('next_run_at').value], [false, null]);
      for (let time = 0; time < 3; time += 1) await workNextHour(world);
      assert.deepEqual(await runsOf(world, id), []);
      world.time.advance(minuteMs);
      const resumed = okJson(await patchTrigger(world, id, { enabled: true }));
      assert.ok(Date.parse(resumed.at('next_run_at').text()) > world.time.now());
      await world.runJobs();
      assert.deepEqual(await runsOf(world, id), []);
      await workNextHour(world);
      assert.equal((await runsOf(world, id)).length, 1);
    },
  ),
  gatewayCase(
    'is disabled for good, keeps its history, and lets go on what it opened [triggers:delete:disables] [triggers:delete:final]',
    async (world) => {
      const id = await triggerId(world);
      const { promise: until, resolve } = Promise.withResolvers<void>();
      world.provider.script({ kind: 'wait', until, next: { kind: 'answer' } });
      world.time.advance(hourMs - (world.time.now() % hourMs));
      const working = world.runJobs();
      const working2 = working.then(() => world.runJobs());
      await world.provider.received(1);
      const disabled = okJson(await deleteTrigger(world, id));
      assert.deepEqual([disabled.at('enabled').value, disabled.at('next_run_at').value], [false, null]);
      resolve();
      await working2;
      const [run] = await runsOf(world, id);
      assert.equal(run?.at('status').value, 'completed');
      assert.equal((await readTrigger(world, id)).at('enabled').value, false);
      assertRefused(await patchTrigger(world, id, { enabled: true }), 404, 'not_found');
      assertRefused(await deleteTrigger(world, id), 404, 'not_found');
      await workNextHour(world);
      assert.equal((await runsOf(world, id)).length, 1);
      assert.deepEqual(okJson(await world.send({ path: '/triggers' })).at('data').value, []);
    },
  ),
  gatewayCase('is found by the keys of its project only [triggers:routes:statuses]', async (world) => {
    const id = await triggerId(world);
    const projectId = await world.createProject(world.accountId);
    const stranger = await world.createCaller({ projectId, model: suiteModel });
    for (const ask of asks(id, stranger.key)) assertRefused(await world.send(ask), 404, 'not_found');
    for (const unknown of [unknownId, 'x'])
      for (const ask of asks(unknown, world.key)) assertRefused(await world.send(ask), 404, 'not_found');
    for (const ask of asks(id, 'nobody')) assertRefused(await world.send(ask), 401, 'invalid_api_key');
    await world.admin.setProjectStatus(world.projectId, 'paused');
    for (const ask of asks(id, world.key)) assertRefused(await world.send(ask), 403, 'project_paused');
  }),
];
