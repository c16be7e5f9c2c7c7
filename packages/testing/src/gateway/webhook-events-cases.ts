import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { jsonOf, okJson, requestIdOf } from './answer.ts';
import { batchClient, batchOf, batchSettings } from './batch-ask.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { greeting, type GatewayWorld } from './gateway-world.ts';
import { onlyReceived } from './receiver.ts';
import { suiteModel } from './suite-tariff.ts';
import { workThrough } from './video-ask.ts';
import {
  createdHook,
  deliveriesOf,
  eventsReceived,
  hookId,
  onlyDelivery,
  patchHook,
  receiving,
} from './webhook-ask.ts';

const minute = 60_000;

const failOnce = (world: GatewayWorld): void => world.provider.script({ kind: 'not_executed', reason: 'failed' });

/** The schedule of G21: what lies between one attempt and the next. */
const waitsMs = [5_000, 5 * minute, 30 * minute, 120 * minute, 300 * minute, 600 * minute, 600 * minute];

/** What is sent to webhooks, when, and how often. */
export const webhookEventsCases: readonly GatewayCase[] = [
  gatewayCase(
    'tells of a settled request once its debit is recorded, after the answer and without its content [webhooks:delivery:after-settlement] [webhooks:delivery:off-request-path] [webhooks:envelope:fields] [webhooks:envelope:no-content] [webhooks:envelope:request-url]',
    async (world) => {
      const { receiver } = world;
      await hookId(world);
      const answer = await world.chat({ messages: [{ role: 'user', content: 'marker-of-the-prompt' }] });
      const id = requestIdOf(answer);
      assert.deepEqual(receiver.received, []);
      let settled: unknown = null;
      receiver.answer = async () => {
        settled = (await world.admin.readOperation(id))?.state ?? null;
        return { status: 200 };
      };
      await world.runJobs();
      const { body } = onlyReceived(receiver);
      const event = jsonOf(JSON.parse(body));
      assert.deepEqual(event.at('data').value, {
        request_id: id,
        project_id: world.projectId,
        status: 'completed',
        credits: 0.02,
        request_url: `/api/v1/ai/requests/${id}`,
      });
      assert.equal(event.at('type').value, 'request.completed');
      assert.match(event.at('created_at').text(), /^\d{4}-\d\d-\d\dT.*Z$/);
      assert.deepEqual(event.keys(), ['id', 'type', 'created_at', 'data']);
      assert.ok(!/marker-of-the-prompt|Scripted answer/.test(body));
      assert.equal(settled, 'completed');
      const path = event.at('data', 'request_url').text().slice('/api/v1/ai'.length);
      assert.equal(okJson(await world.send({ path })).at('id').value, id);
    },
    receiving,
  ),
  gatewayCase(
    'signs the exact bytes with a fresh timestamp [webhooks:signature:event-id-header] [webhooks:signature:timestamp-header] [webhooks:signature:format] [webhooks:signature:hmac-sha256] [webhooks:signature:key-bytes]',
    async (world) => {
      const secret = (await createdHook(world)).at('signing_secret').text();
      await world.chat();
      await world.runJobs();
      const { headers, body } = onlyReceived(world.receiver);
      const timestamp = String(headers['x-service-timestamp']);
      assert.match(timestamp, /^\d+$/);
      assert.equal(Number(timestamp), Math.floor(world.time.now() / 1_000));
      assert.equal(headers['x-service-event-id'], jsonOf(JSON.parse(body)).at('id').value);
      const signed = `${String(headers['x-service-event-id'])}.${timestamp}.${body}`;
      const expected = createHmac('sha256', Buffer.from(secret, 'utf8')).update(signed, 'utf8').digest('hex');
      assert.equal(headers['x-service-signature'], `v1=${expected}`);
      assert.equal(headers['content-type'], 'application/json');
    },
    receiving,
  ),
  gatewayCase(
    'names its headers after the brand [versioning:brand:webhook-headers]',
    async (world) => {
      await hookId(world);
      await world.chat();
      await world.runJobs();
      const { headers } = onlyReceived(world.receiver);
      const own = Object.keys(headers).filter((name) => name.startsWith('x-'));
      assert.deepEqual(new Set(own), new Set(['x-acme-event-id', 'x-acme-timestamp', 'x-acme-signature']));
    },
    { brand: 'acme', ...receiving },
  ),
  gatewayCase(
    'tells of a failed request with its code and no text [webhooks:event:failed] [webhooks:event:data-of-failed]',
    async (world) => {
      await hookId(world);
      failOnce(world);
      const answer = await world.chat();
      await world.runJobs();
      const [event] = eventsReceived(world);
      assert.equal(event?.at('type').value, 'request.failed');
      const id = requestIdOf(answer);
      assert.deepEqual(event?.at('data').value, {
        request_id: id,
        project_id: world.projectId,
        status: 'failed',
        credits: 0,
        request_url: `/api/v1/ai/requests/${id}`,
        error_code: (await world.record(id)).at('error_code').value,
      });
    },
    receiving,
  ),
  gatewayCase(
    'tells of a batch as completed although an item of it failed [webhooks:event:completed]',
    async (world) => {
      await hookId(world);
      const batches = batchClient(world);
      world.provider.script({ kind: 'answer' });
      failOnce(world);
      const id = await batches.created(batchOf('good', 'bad'));
      await workThrough(world);
      await world.runJobs();
      const results = [...(await batches.results(id)).values()];
      assert.ok(results.some((result) => result.at('error').value !== undefined && result.at('error').value !== null));
      const [event] = eventsReceived(world);
      assert.deepEqual(
        [event?.at('type').value, event?.at('data', 'request_id').value, eventsReceived(world).length],
        ['request.completed', id, 1],
      );
    },
    { ...batchSettings, ...receiving },
  ),
  gatewayCase(
    'sends to each webhook of the project what it listed, one delivery each [webhooks:event:project-only] [webhooks:event:subscribed-only] [webhooks:delivery:one-per-webhook] [webhooks:event:since-creation]',
    async (world) => {
      const { url } = world.receiver;
      await world.chat();
      const all = await hookId(world, { url: `${url}/all` });
      const failures = await hookId(world, { url: `${url}/failures`, events: ['request.failed'] });
      const projectId = await world.createProject(world.accountId);
      const stranger = await world.createCaller({ projectId, model: suiteModel });
      const foreign = await hookId(world, { url: `${url}/foreign` }, { key: stranger.key });
      await world.chat();
      failOnce(world);
      await world.chat();
      await world.runJobs();
      const paths = world.receiver.received.map(({ path }) => path).toSorted();
      assert.deepEqual(paths, ['/in/all', '/in/all', '/in/failures']);
      assert.equal((await deliveriesOf(world, all)).length, 2);
      assert.deepEqual(await deliveriesOf(world, foreign, { key: stranger.key }), []);
      const ids = new Set(eventsReceived(world).map((event) => event.at('id').text()));
      assert.equal(ids.size, 2);
      assert.equal((await onlyDelivery(world, failures)).at('event_type').value, 'request.failed');
    },
    receiving,
  ),
  gatewayCase(
    'sends nothing of what happens while it is paused, and goes on afterwards [webhooks:patch:pause] [webhooks:patch:resume] [webhooks:event:paused-at-event] [webhooks:delivery:to-skipped]',
    async (world) => {
      const id = await hookId(world);
      await world.chat();
      await patchHook(world, id, { enabled: false });
      await world.chat();
      await world.runJobs();
      assert.equal((await onlyDelivery(world, id)).at('status').value, 'skipped');
      await patchHook(world, id, { enabled: true });
      await world.runJobs();
      assert.deepEqual(world.receiver.received, []);
      await world.chat();
      await world.runJobs();
      assert.equal(world.receiver.received.length, 1);
      const states = (await deliveriesOf(world, id)).map((delivery) => delivery.at('status').value);
      assert.deepEqual(new Set(states), new Set(['delivered', 'skipped']));
    },
    receiving,
  ),
  gatewayCase(
    'says nothing of an uncertain request until it is decided [webhooks:event:uncertain-silent]',
    async (world) => {
      await hookId(world);
      world.provider.script({ kind: 'unknown' });
      const id = requestIdOf(await world.chat());
      await world.runJobs();
      assert.deepEqual(world.receiver.received, []);
      await world.admin.resolveOperation(id, { executed: false });
      await world.runJobs();
      assert.equal(eventsReceived(world).length, 1);
    },
    receiving,
  ),
  gatewayCase(
    'takes every 2xx for an acknowledgement [webhooks:delivery:to-delivered]',
    async (world) => {
      const id = await hookId(world);
      for (const status of [200, 204, 299]) {
        world.receiver.answer = () => ({ status });
        await world.chat();
        await world.runJobs();
        world.time.advance(1_000);
        const [newest] = await deliveriesOf(world, id);
        assert.deepEqual(
          [newest?.at('status').value, newest?.at('attempts').value, newest?.at('http_status').value],
          ['delivered', 1, status],
        );
      }
    },
    receiving,
  ),
  gatewayCase(
    'tries again under the same id with a fresh signature, and does not hold back later events [webhooks:delivery:same-event-id] [webhooks:delivery:no-ordering] [webhooks:delivery:to-pending]',
    async (world) => {
      const id = await hookId(world);
      world.receiver.answer = () => ({ status: 500 });
      await world.chat();
      await world.runJobs();
      const pending = await onlyDelivery(world, id);
      assert.deepEqual(
        [pending.at('status').value, pending.at('attempts').value, pending.at('http_status').value],
        ['pending', 1, 500],
      );
      world.receiver.answer = () => ({ status: 200 });
      await world.chat(greeting);
      await world.runJobs();
      assert.equal(world.receiver.received.length, 2);
      world.time.advance(6_000);
      await world.runJobs();
      const [first, , again] = world.receiver.received;
      assert.equal(again?.headers['x-service-event-id'], first?.headers['x-service-event-id']);
      assert.equal(again?.body, first?.body);
      assert.notEqual(again?.headers['x-service-timestamp'], first?.headers['x-service-timestamp']);
      assert.notEqual(again?.headers['x-service-signature'], first?.headers['x-service-signature']);
    },
    receiving,
  ),
  gatewayCase(
    'gives up after eight attempts at their times, and heeds no 410 [webhooks:delivery:eight-attempts] [webhooks:delivery:spacing] [webhooks:delivery:to-failed]',
    async (world) => {
      const id = await hookId(world);
      world.receiver.answer = () => ({ status: 410 });
      await world.chat();
      await world.runJobs();
      for (const [at, waitMs] of waitsMs.entries()) {
        world.time.advance(waitMs * 0.89);
        await world.runJobs();
        assert.equal(world.receiver.received.length, at + 1);
        world.time.advance(waitMs * 0.22);
        await world.runJobs();
        assert.equal(world.receiver.received.length, at + 2);
      }
      world.time.advance(48 * 60 * minute);
      await world.runJobs();
      assert.equal(world.receiver.received.length, 8);
      const failed = await onlyDelivery(world, id);
      assert.deepEqual([failed.at('status').value, failed.at('attempts').value], ['failed', 8]);
      const hook = okJson(await world.send({ path: `/webhooks/${id}` }));
      assert.equal(hook.at('enabled').value, true);
    },
    receiving,
  ),
  gatewayCase(
    'follows no redirect [webhooks:delivery:no-redirects]',
    async (world) => {
      const id = await hookId(world);
      const location = 'https://hooks.example.com/elsewhere';
      world.receiver.answer = () => ({ status: 302, headers: { location } });
      await world.chat();
      await world.runJobs();
      assert.equal(onlyReceived(world.receiver).path, '/in');
      const delivery = await onlyDelivery(world, id);
      assert.deepEqual(
        [delivery.at('status').value, delivery.at('attempts').value, delivery.at('http_status').value],
        ['pending', 1, 302],
      );
    },
    receiving,
  ),
  gatewayCase(
    'looks at the address again before every attempt, and connects to what it checked [webhooks:delivery:recheck-address] [webhooks:create:url-public-ipv4]',
    async (world) => {
      const { receiver } = world;
      const id = await hookId(world);
      receiver.answer = () => ({ status: 500, headers: { connection: 'close' } });
      await world.chat();
      await world.runJobs();
      assert.deepEqual(receiver.dialled, [['93.184.215.14']]);
      receiver.names.set('hooks.example.com', ['127.0.0.1']);
      world.time.advance(6_000);
      await world.runJobs();
      const delivery = await onlyDelivery(world, id);
      assert.deepEqual([delivery.at('status').value, delivery.at('attempts').value], ['skipped', 1]);
      assert.equal(receiver.dialled.length, 1);
      assert.equal(receiver.received.length, 1);
    },
    receiving,
  ),
];
