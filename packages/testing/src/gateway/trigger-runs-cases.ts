import assert from 'node:assert/strict';
import { TriggerRun } from '@tollgate/contract';
import { jsonOf, okJson, type Json } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { functionCall, lastCall, scriptCalls } from './interaction-ask.ts';
import { mediaSamples as samples } from './media-samples.ts';
import { plainAnswerMicros, suiteModel, suiteTariff } from './suite-tariff.ts';
import { hourly, hourMs, nextHour, patchTrigger, readTrigger, runsOf, triggerId, workNextHour } from './trigger-ask.ts';
import { createdHook, eventsReceived, receiving } from './webhook-ask.ts';

const minuteMs = 60_000;

const onlyRun = async (world: GatewayWorld, id: string): Promise<Json> => {
  const runs = await runsOf(world, id);
  assert.equal(runs.length, 1);
  return jsonOf(runs[0]?.value);
};

const spentMicros = async (world: GatewayWorld): Promise<bigint> =>
  1_000_000_000n - (await world.wallet.read(world.accountId)).balanceMicros;

/** Asserts that the newest run was prevented so, with nothing opened and nothing set aside. */
const assertPrevented = async (world: GatewayWorld, id: string, key: string, code: string): Promise<void> => {
  const [run] = await runsOf(world, id, { key });
  assert.deepEqual(
    ['status', 'error_code', 'request_id', 'interaction_id', 'started_at'].map((name) => run?.at(name).value),
    ['failed', code, null, null, null],
  );
  TriggerRun.parse(run?.value);
};

const toHour = (world: GatewayWorld): void => world.time.advance(hourMs - (world.time.now() % hourMs));

/** Moves on by a minute in steps in which the leases of what is running are renewed. */
const nextMinute = async (world: GatewayWorld): Promise<void> => {
  // A lease is 30 seconds: its renewal, which is not visible outside, has the time of 18 requests to be written.
  for (let step = 0; step < 12; step += 1) {
    world.time.advance(minuteMs / 12);
    for (let request = 0; request < 3; request += 1) await world.send({ path: '/triggers' });
    await new Promise((resolve) => setImmediate(resolve));
  }
};

/** What triggers run, when, and what prevents it. */
export const triggerRunsCases: readonly GatewayCase[] = [
  gatewayCase(
    'opens an interaction of its key at the instant, and charges it as any [triggers:run:opens-interaction] [triggers:run:record] [triggers:runs:list] [triggers:run:precision]',
    async (world) => {
      const id = await triggerId(world);
      await workNextHour(world);
      const run = await onlyRun(world, id);
      const requestId = run.at('request_id').text();
      const at = new Date(world.time.now()).toISOString();
      assert.deepEqual(run.value, {
        id: run.at('id').text(),
        object: 'trigger_run',
        trigger_id: id,
        request_id: requestId,
        interaction_id: requestId,
        scheduled_for: at,
        started_at: at,
        finished_at: at,
        status: 'completed',
        error_code: null,
        created_at: at,
      });
      TriggerRun.parse(run.value);
      assert.equal(world.time.now() % minuteMs, 0);
      const interaction = okJson(await world.send({ path: `/interactions/${requestId}` }));
      assert.deepEqual([interaction.at('status').value, interaction.at('model').value], ['completed', suiteModel]);
      assert.equal(await spentMicros(world), plainAnswerMicros);
      const trigger = await readTrigger(world, id);
      assert.deepEqual(
        [trigger.at('last_run_at').value, trigger.at('next_run_at').value],
        [at, new Date(world.time.now() + hourMs).toISOString()],
      );
      assert.equal((await world.record(requestId)).at('status').value, 'completed');
    },
  ),
  gatewayCase(
    'sets credits aside before anything runs, and tells how far it is [triggers:run:opens-interaction]',
    async (world) => {
      const id = await triggerId(world);
      const { promise: until, resolve } = Promise.withResolvers<void>();
      world.provider.script({ kind: 'wait', until, next: { kind: 'answer' } });
      toHour(world);
      const working = world.runJobs().then(() => world.runJobs());
      await world.provider.received(1);
      const run = await onlyRun(world, id);
      assert.deepEqual([run.at('status').value, run.at('finished_at').value], ['processing', null]);
      assert.ok((await world.wallet.read(world.accountId)).reservedMicros > 0n);
      resolve();
      await working;
    },
  ),
  gatewayCase('opens with the media and the tools that were sent [triggers:get:redacted]', async (world) => {
    const input = [
      { type: 'text', text: 'What is it?' },
      { type: 'image', mime_type: 'image/png', data: samples.png },
    ];
    const filler = 'x'.repeat(20_000);
    const tools = [{ type: 'function', name: 'look', description: filler }];
    const id = await triggerId(world, { ...hourly, interaction: { input, tools } });
    await world.reopen();
    await workNextHour(world);
    assert.equal((await onlyRun(world, id)).at('status').value, 'completed');
    const call = lastCall(world);
    assert.deepEqual(
      call.contents.flatMap(({ parts }) => parts.map(({ kind }) => kind)),
      ['text', 'media'],
    );
    assert.equal(jsonOf(call.tools).at(0, 'description').value, filler);
  }),
  gatewayCase(
    'has completed when its interaction waits for a function [triggers:run:requires-action]',
    async (world) => {
      scriptCalls(world, functionCall('get_weather'));
      const tools = [{ type: 'function', name: 'get_weather' }];
      const id = await triggerId(world, { ...hourly, interaction: { input: 'Weather?', tools } });
      await workNextHour(world);
      const run = await onlyRun(world, id);
      assert.equal(run.at('status').value, 'completed');
      const interaction = okJson(await world.send({ path: `/interactions/${run.at('request_id').text()}` }));
      assert.equal(interaction.at('status').value, 'requires_action');
    },
  ),
  gatewayCase('has failed when its interaction failed, and is charged nothing', async (world) => {
    world.provider.script({ kind: 'not_executed', reason: 'failed' });
    const id = await triggerId(world);
    await workNextHour(world);
    const run = await onlyRun(world, id);
    const requestId = run.at('request_id').text();
    assert.deepEqual(
      [run.at('status').value, run.at('error_code').value],
      ['failed', (await world.record(requestId)).at('error_code').value],
    );
    assert.equal(await spentMicros(world), 0n);
  }),
  gatewayCase(
    'sends the events of any request [triggers:events:normal]',
    async (world) => {
      await createdHook(world);
      const id = await triggerId(world);
      await workNextHour(world);
      await world.runJobs();
      const requestId = (await onlyRun(world, id)).at('request_id').value;
      assert.deepEqual(
        eventsReceived(world).map((event) => [event.at('type').value, event.at('data', 'request_id').value]),
        [['request.completed', requestId]],
      );
    },
    receiving,
  ),
  gatewayCase(
    'is prevented by what the key may not do at that time, and goes on with the next [triggers:run:prevented] [triggers:run:refusal-recorded]',
    async (world) => {
      const { projectId, admin } = world;
      const other = await world.createCaller({ projectId, model: suiteModel });
      const id = await triggerId(world);
      const key = other.key;
      await admin.setKeyStatus(world.keyId, 'inactive');
      await workNextHour(world);
      await assertPrevented(world, id, key, 'ai_key_inactive');
      await admin.setKeyStatus(world.keyId, 'active');
      await admin.setProjectStatus(projectId, 'paused');
      await workNextHour(world);
      await admin.setProjectStatus(projectId, 'active');
      await assertPrevented(world, id, key, 'project_paused');
      await admin.setAccountStatus(world.accountId, 'inactive');
      await workNextHour(world);
      await admin.setAccountStatus(world.accountId, 'active');
      await assertPrevented(world, id, key, 'ai_contract_inactive');
      await workNextHour(world);
      const [run] = await runsOf(world, id, { key });
      assert.equal(run?.at('status').value, 'completed');
      await admin.setKeyStatus(world.keyId, 'revoked');
      await workNextHour(world);
      await assertPrevented(world, id, key, 'invalid_api_key');
      assert.equal(world.provider.calls.length, 1);
      assert.equal(await spentMicros(world), plainAnswerMicros);
    },
  ),
  gatewayCase(
    'is prevented by a balance that does not suffice [triggers:run:prevented] [triggers:run:refusal-recorded]',
    async (world) => {
      const accountId = await world.createAccount(0n);
      const poor = await world.createCaller({ projectId: await world.createProject(accountId), model: suiteModel });
      const { key } = poor;
      const id = await triggerId(world, hourly, { key });
      await workNextHour(world);
      await assertPrevented(world, id, key, 'ai_insufficient_credits');
      await world.wallet.deposit(accountId, 1_000_000_000n);
      await workNextHour(world);
      assert.equal((await runsOf(world, id, { key }))[0]?.at('status').value, 'completed');
    },
  ),
  gatewayCase(
    'pauses itself with the reason after twenty refusals in a row, and counts anew when it is resumed',
    async (world) => {
      const accountId = await world.createAccount(0n);
      const poor = await world.createCaller({ projectId: await world.createProject(accountId), model: suiteModel });
      const { key } = poor;
      const id = await triggerId(world, hourly, { key });
      const availability = async () => {
        const trigger = await readTrigger(world, id, { key });
        return [trigger.at('enabled').value, trigger.at('paused_reason').value];
      };
      for (let hour = 0; hour < 19; hour += 1) await nextHour(world);
      assert.deepEqual(await availability(), [true, null]);
      await nextHour(world);
      assert.deepEqual(await availability(), [false, 'ai_insufficient_credits']);
      assert.equal((await readTrigger(world, id, { key })).at('next_run_at').value, null);
      await nextHour(world);
      assert.equal((await runsOf(world, id, { key })).length, 20);
      okJson(await patchTrigger(world, id, { enabled: true }, { key }));
      assert.deepEqual(await availability(), [true, null]);
      await nextHour(world);
      assert.deepEqual([await availability(), (await runsOf(world, id, { key })).length], [[true, null], 21]);
      await world.wallet.deposit(accountId, 1_000_000_000n);
      await workNextHour(world);
      assert.equal((await runsOf(world, id, { key }))[0]?.at('status').value, 'completed');
    },
  ),
  gatewayCase(
    'is prevented by a missing price list [triggers:run:prevented] [triggers:run:refusal-recorded]',
    async (world) => {
      const caller = await world.createCaller({ projectId: world.projectId, model: 'pro-2.5' });
      const id = await triggerId(world, hourly, { key: caller.key });
      await workNextHour(world);
      await assertPrevented(world, id, caller.key, 'access_or_service_unavailable');
      assert.equal(world.provider.calls.length, 0);
    },
    { tariff: { version: 'one-model', models: { [suiteModel]: suiteTariff.models['*'] ?? { perMillion: {} } } } },
  ),
  gatewayCase('is skipped while the one before is under way [triggers:run:skipped-when-pending]', async (world) => {
    const id = await triggerId(world, { ...hourly, schedule: '* * * * *' });
    const { promise: until, resolve } = Promise.withResolvers<void>();
    world.provider.script({ kind: 'wait', until, next: { kind: 'answer' } });
    world.time.advance(minuteMs);
    await world.runJobs();
    const working = world.runJobs();
    await world.provider.received(1);
    await nextMinute(world);
    await world.admin.sweep();
    const runs = await runsOf(world, id);
    assert.deepEqual(
      runs.map((run) => [run.at('status').value, run.at('request_id').value === null]),
      [
        ['skipped', true],
        ['processing', false],
      ],
    );
    resolve();
    await working;
    world.time.advance(minuteMs);
    await world.runJobs();
    await world.runJobs();
    assert.equal((await runsOf(world, id))[0]?.at('status').value, 'completed');
    assert.equal(world.provider.calls.length, 2);
  }),
  gatewayCase('makes up for nothing that was missed [triggers:run:missed-not-recovered]', async (world) => {
    const id = await triggerId(world);
    toHour(world);
    world.time.advance(hourMs + 6 * minuteMs);
    await world.runJobs();
    await world.runJobs();
    assert.deepEqual(await runsOf(world, id), []);
    const next = (await readTrigger(world, id)).at('next_run_at').text();
    assert.equal(Date.parse(next), world.time.now() + hourMs - 6 * minuteMs);
  }),
  gatewayCase(
    'finds what another process had opened, and runs it once [triggers:run:retries-reuse-identity]',
    async (world) => {
      const id = await triggerId(world);
      await nextHour(world);
      await world.reopen();
      for (let time = 0; time < 3; time += 1) {
        world.time.advance(31_000);
        await world.runJobs();
      }
      const run = await onlyRun(world, id);
      assert.equal(run.at('status').value, 'completed');
      assert.equal(world.provider.calls.length, 1);
      assert.equal(await spentMicros(world), plainAnswerMicros);
    },
  ),
];
