import assert from 'node:assert/strict';
import { CreatedWebhook, Webhook } from '@tollgate/contract';
import { assertRefused, okJson, type Answer, type Json } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { publicAddress } from './receiver.ts';
import { suiteModel } from './suite-tariff.ts';
import { createdHook, createHook, deliveriesOf, hookId, onlyDelivery, patchHook, receiving } from './webhook-ask.ts';

const both = ['request.completed', 'request.failed'];
const unknownId = '99999999-9999-4999-8999-999999999999';
const url = 'https://hooks.example.com/in';

const listed = async (world: GatewayWorld): Promise<readonly Json[]> =>
  okJson(await world.send({ path: '/webhooks' }))
    .at('data')
    .list();

const read = (world: GatewayWorld, id: string): Promise<Answer> => world.send({ path: `/webhooks/${id}` });
const remove = (world: GatewayWorld, id: string): Promise<Answer> =>
  world.send({ method: 'DELETE', path: `/webhooks/${id}` });

/** Asserts that each body is refused with 422 and the code, and that nothing came of any. */
const assertBodiesRefused = async (world: GatewayWorld, code: string, bodies: readonly unknown[]): Promise<void> => {
  for (const body of bodies) assertRefused(await createHook(world, body), 422, code);
  assert.deepEqual(await listed(world), []);
};

/** Every route of one webhook, as asked with a key. */
const asks = (id: string, key: string) => [
  { path: `/webhooks/${id}`, key },
  { path: `/webhooks/${id}`, key, method: 'PATCH', body: { enabled: true } },
  { path: `/webhooks/${id}`, key, method: 'DELETE' },
  { path: `/webhooks/${id}/deliveries`, key },
];

/** Webhooks from their creation to their end. */
export const webhooksCases: readonly GatewayCase[] = [
  gatewayCase(
    'subscribes to both events unless it says otherwise, and shows its secret once [webhooks:create:response] [webhooks:create:events-default] [webhooks:create:secret-once] [webhooks:get:record]',
    async (world) => {
      const created = await createdHook(world);
      const secret = created.at('signing_secret').text();
      const id = created.at('id').text();
      const record = {
        id,
        project_id: world.projectId,
        url,
        events: both,
        enabled: true,
        created_at: new Date(world.time.now()).toISOString(),
      };
      assert.deepEqual(created.value, { ...record, signing_secret: secret });
      CreatedWebhook.parse(created.value);
      assert.ok(secret.length >= 32);
      const answers = [
        await read(world, id),
        await world.send({ path: '/webhooks' }),
        await patchHook(world, id, { enabled: true }),
        await world.send({ path: `/webhooks/${id}/deliveries` }),
        await remove(world, id),
      ];
      for (const { text } of answers) assert.ok(!text.includes('signing_secret') && !text.includes(secret), text);
      assert.ok(!world.logged().includes(secret));
      assert.deepEqual(okJson(answers[0] ?? (await read(world, id))).value, record);
      Webhook.parse(record);
    },
    receiving,
  ),
  gatewayCase(
    'takes one event or both, each named once, and nothing else [webhooks:create:events-values] [webhooks:create:url-required]',
    async (world) => {
      await assertBodiesRefused(world, 'invalid_request', [
        { url, events: [] },
        { url, events: ['x'] },
        { url, events: null },
        { events: both },
        { url: 'abc' },
        { url: 7 },
        [],
      ]);
      await assertBodiesRefused(world, 'unsupported_parameter', [{ url, secret: 'mine' }]);
      assertRefused(await createHook(world, '{"url":'), 400, 'invalid_json');
      const created = await createdHook(world, { url, events: ['request.failed'] });
      assert.deepEqual(created.at('events').value, ['request.failed']);
    },
    receiving,
  ),
  gatewayCase(
    'calls public hosts over HTTPS on port 443 only, and says what is wrong with others [webhooks:create:url-https] [webhooks:create:url-port] [webhooks:create:url-credentials] [webhooks:create:url-public-ipv4]',
    async (world) => {
      const { names } = world.receiver;
      names.set('inside.example.com', ['10.0.0.1']);
      names.set('mixed.example.com', [publicAddress, '192.168.0.1']);
      names.set('six.example.com', []);
      const refused: readonly (readonly [string, RegExp])[] = [
        ['http://hooks.example.com/', /https/],
        ['https://hooks.example.com:8443/', /443/],
        ['https://user:word@hooks.example.com/', /credentials/],
        [`https://${publicAddress}/`, /IP address/],
        ['https://[2606:2800:220:1::1]/', /IP address/],
        ['https://2130706433/', /host/],
        ['https://localhost/', /host/],
        ['https://inside.example.com/', /public/],
        ['https://mixed.example.com/', /public/],
        ['https://six.example.com/', /public/],
      ];
      for (const [address, why] of refused)
        assert.match(
          assertRefused(await createHook(world, { url: address }), 422, 'invalid_request')
            .at('message')
            .text(),
          why,
        );
      assert.deepEqual(await listed(world), []);
      const explicit = await createdHook(world, { url: 'https://HOOKS.example.com:443/in' });
      assert.equal(explicit.at('url').value, url);
      assert.deepEqual(world.receiver.dialled, []);
    },
    receiving,
  ),
  gatewayCase(
    'lists a hundred of the newest, paused ones too [webhooks:list:includes-paused]',
    async (world) => {
      const first = await hookId(world);
      world.time.advance(1_000);
      const second = await hookId(world);
      await patchHook(world, first, { enabled: false });
      assert.deepEqual(
        (await listed(world)).map((hook) => [hook.at('id').value, hook.at('enabled').value]),
        [
          [second, true],
          [first, false],
        ],
      );
      await remove(world, first);
      assert.equal((await listed(world)).length, 1);
    },
    receiving,
  ),
  gatewayCase(
    'changes nothing but whether it is enabled [webhooks:patch:enabled-only]',
    async (world) => {
      const id = await hookId(world);
      for (const body of [{}, { enabled: 1 }, { enabled: null }, []])
        assertRefused(await patchHook(world, id, body), 422, 'invalid_request');
      assertRefused(await patchHook(world, id, { enabled: true, url }), 422, 'unsupported_parameter');
      assert.equal(okJson(await patchHook(world, id, { enabled: false })).at('enabled').value, false);
      assert.equal(okJson(await patchHook(world, id, { enabled: true })).at('enabled').value, true);
    },
    receiving,
  ),
  gatewayCase(
    'is disabled for good and keeps its history [webhooks:delete:disables] [webhooks:delete:final]',
    async (world) => {
      const id = await hookId(world);
      await world.chat();
      await world.runJobs();
      assert.equal(okJson(await remove(world, id)).at('enabled').value, false);
      assert.equal(okJson(await read(world, id)).at('enabled').value, false);
      assert.equal((await deliveriesOf(world, id)).length, 1);
      assertRefused(await patchHook(world, id, { enabled: true }), 404, 'not_found');
      assertRefused(await remove(world, id), 404, 'not_found');
      await world.chat();
      await world.runJobs();
      assert.equal(world.receiver.received.length, 1);
    },
    receiving,
  ),
  gatewayCase(
    'is found by the keys of its project only [triggers:routes:statuses]',
    async (world) => {
      const id = await hookId(world);
      const projectId = await world.createProject(world.accountId);
      const stranger = await world.createCaller({ projectId, model: suiteModel });
      for (const ask of asks(id, stranger.key)) assertRefused(await world.send(ask), 404, 'not_found');
      for (const unknown of [unknownId, 'x'])
        for (const ask of asks(unknown, world.key)) assertRefused(await world.send(ask), 404, 'not_found');
      for (const ask of asks(id, 'nobody')) assertRefused(await world.send(ask), 401, 'invalid_api_key');
      await world.admin.setProjectStatus(world.projectId, 'paused');
      for (const ask of asks(id, world.key)) assertRefused(await world.send(ask), 403, 'project_paused');
    },
    receiving,
  ),
  gatewayCase(
    'shows what became of each event [webhooks:deliveries:list]',
    async (world) => {
      const id = await hookId(world);
      const atMs = world.time.now();
      const chat = await world.chat();
      await world.runJobs();
      const delivery = await onlyDelivery(world, id);
      assert.deepEqual(delivery.value, {
        id: delivery.at('id').text(),
        request_id: chat.headers.get('x-request-id'),
        event_type: 'request.completed',
        status: 'delivered',
        attempts: 1,
        http_status: 200,
        created_at: new Date(atMs).toISOString(),
      });
    },
    receiving,
  ),
];
