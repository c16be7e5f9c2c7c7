import assert from 'node:assert/strict';
import { okJson, type Json } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { liveClient } from './live-ask.ts';
import { plainAnswerMicros, suiteModel } from './suite-tariff.ts';
import { hourly, runsOf, triggerId, workNextHour } from './trigger-ask.ts';
import { deliveriesOf, eventsReceived, hookId, onlyDelivery, patchHook, receiving } from './webhook-ask.ts';

const dayMs = 24 * 3_600_000;

const listOf = async (world: GatewayWorld, path: string): Promise<readonly Json[]> => {
  const list = okJson(await world.send({ path }));
  assert.deepEqual(list.keys(), ['object', 'data']);
  return list.at('data').list();
};

const balanceOf = async (world: GatewayWorld): Promise<bigint> =>
  (await world.wallet.read(world.accountId)).balanceMicros;

/** Asserts that a list holds a hundred records, the newest first by that field. */
const assertNewestHundred = (list: readonly Json[], field: string): void => {
  assert.equal(list.length, 100);
  const times = list.map((record) => record.at(field).text());
  assert.deepEqual(
    times,
    times.toSorted((a, b) => (a < b ? 1 : -1)),
  );
};

/** Rules of other areas as far as webhooks and triggers keep them. */
export const eventRulesCases: readonly GatewayCase[] = [
  gatewayCase(
    'creates another webhook and another trigger each time that it is asked to [idempotency:none:webhooks-triggers]',
    async (world) => {
      const again = { headers: { 'idempotency-key': 'once' } };
      const hook = { url: world.receiver.url };
      assert.notEqual(await hookId(world, hook, again), await hookId(world, hook, again));
      assert.notEqual(await triggerId(world, hourly, again), await triggerId(world, hourly, again));
      assert.equal((await listOf(world, '/webhooks')).length, 2);
      assert.equal((await listOf(world, '/triggers')).length, 2);
    },
    receiving,
  ),
  gatewayCase('charges each occurrence that was executed [ledger:charged:trigger-occurrences]', async (world) => {
    const before = await balanceOf(world);
    await triggerId(world);
    await workNextHour(world);
    await workNextHour(world);
    assert.equal(before - (await balanceOf(world)), 2n * plainAnswerMicros);
  }),
  gatewayCase(
    'needs no balance for webhooks and triggers themselves, and charges nothing for them [ledger:free:routes]',
    async (world) => {
      const accountId = await world.createAccount(0n);
      const { key } = await world.createCaller({ projectId: await world.createProject(accountId), model: suiteModel });
      const hook = await hookId(world, undefined, { key });
      const trigger = await triggerId(world, undefined, { key });
      for (const path of [`/webhooks/${hook}`, `/triggers/${trigger}`]) {
        for (const enabled of [false, true])
          okJson(await world.send({ key, method: 'PATCH', path, body: { enabled } }));
        okJson(await world.send({ key, path }));
        okJson(await world.send({ key, path: `${path}/${path.startsWith('/webhooks') ? 'deliveries' : 'runs'}` }));
        okJson(await world.send({ key, method: 'DELETE', path }));
      }
      const { balanceMicros, reservedMicros } = await world.wallet.read(accountId);
      assert.deepEqual([balanceMicros, reservedMicros], [0n, 0n]);
    },
    receiving,
  ),
  gatewayCase(
    'charges nothing for sending again [ledger:free:webhook-redelivery]',
    async (world) => {
      const id = await hookId(world);
      await world.chat();
      const charged = await balanceOf(world);
      await world.runJobs();
      const delivery = await onlyDelivery(world, id);
      await world.admin.redeliver({ webhookId: id, deliveryId: delivery.at('id').text() });
      await world.runJobs();
      const [first, second] = eventsReceived(world);
      assert.deepEqual(second?.value, first?.value);
      assert.equal(await balanceOf(world), charged);
    },
    receiving,
  ),
  gatewayCase(
    'keeps deliveries and runs for thirty days [limits:retention:history-rows]',
    async (world) => {
      const hook = await hookId(world);
      const trigger = await triggerId(world, { ...hourly, schedule: '0 13 20 11 *' });
      await workNextHour(world);
      world.time.advance(16_000);
      await world.runJobs();
      world.time.advance(30 * dayMs - 60_000);
      await world.runJobs();
      assert.equal((await deliveriesOf(world, hook)).length, 1);
      assert.equal((await runsOf(world, trigger)).length, 1);
      world.time.advance(120_000);
      await world.runJobs();
      assert.deepEqual(await deliveriesOf(world, hook), []);
      assert.deepEqual(await runsOf(world, trigger), []);
    },
    receiving,
  ),
  gatewayCase(
    'lists the newest hundred of webhooks, deliveries, triggers and runs [limits:list:max-100] [limits:list:newest-first]',
    async (world) => {
      const hook = await hookId(world);
      for (let made = 0; made < 101; made += 1) {
        world.time.advance(1_000);
        await world.chat();
        await triggerId(world);
      }
      await world.runJobs();
      assertNewestHundred(await deliveriesOf(world, hook), 'created_at');
      assertNewestHundred(await listOf(world, '/triggers'), 'created_at');
      await patchHook(world, hook, { enabled: false });
      for (let made = 0; made < 100; made += 1) {
        world.time.advance(1_000);
        await hookId(world);
      }
      assertNewestHundred(await listOf(world, '/webhooks'), 'created_at');
    },
    receiving,
  ),
  gatewayCase(
    'sends one event of a session and one of a run of a trigger [webhooks:event:live-and-triggers]',
    async (world) => {
      await hookId(world);
      const trigger = await triggerId(world);
      await workNextHour(world);
      const client = await liveClient(world);
      const { id, socket, upstream } = await client.open();
      upstream.use({ input_text_tokens: 100 });
      socket.close();
      await client.ended(id);
      await world.runJobs();
      const run = (await runsOf(world, trigger))[0]?.at('request_id').value;
      assert.deepEqual(
        new Set(eventsReceived(world).map((event) => event.at('data', 'request_id').value)),
        new Set([run, id]),
      );
      assert.equal(eventsReceived(world).length, 2);
    },
    receiving,
  ),
];
