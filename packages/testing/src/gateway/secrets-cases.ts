import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { okJson } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { interactionClient } from './interaction-ask.ts';
import { liveBody, liveClient } from './live-ask.ts';
import { onlyReceived } from './receiver.ts';
import { createdHook, onlyDelivery, receiving } from './webhook-ask.ts';

const old = 'old secret of the host, of many letters';
const fresh = 'fresh secret of the host, of many letters';
const other = 'other secret of the host, of many letters';
const settings = { contextSecret: old, ...receiving } as const;

/** Asserts that one event has come, signed with this secret. */
const assertSigned = ({ receiver }: GatewayWorld, secret: string): void => {
  const { headers, body } = onlyReceived(receiver);
  const signed = `${String(headers['x-service-event-id'])}.${String(headers['x-service-timestamp'])}.${body}`;
  assert.equal(headers['x-service-signature'], `v1=${createHmac('sha256', secret).update(signed).digest('hex')}`);
};

const signingSecret = async (world: GatewayWorld): Promise<string> =>
  (await createdHook(world)).at('signing_secret').text();

/** What becomes of what lies sealed when the host changes the secret that seals it. */
export const secretsCases: readonly GatewayCase[] = [
  gatewayCase(
    'goes on signing for its webhooks when the host puts another secret before the one that sealed them',
    async (world) => {
      const secret = await signingSecret(world);
      await world.reopen({ contextSecret: [fresh, old] });
      await world.chat();
      await world.runJobs();
      assertSigned(world, secret);
    },
    settings,
  ),
  gatewayCase(
    'goes on signing for its webhooks when the host gives a secret for the first time',
    async (world) => {
      const secret = await signingSecret(world);
      assert.match(world.logged(), /contextSecret is not given/);
      await world.reopen({ contextSecret: fresh });
      await world.chat();
      await world.runJobs();
      assertSigned(world, secret);
    },
    receiving,
  ),
  gatewayCase(
    'sends no event while the secret of its webhook cannot be opened, logs an error, and sends it once it can',
    async (world) => {
      const created = await createdHook(world);
      await world.reopen({ contextSecret: other });
      await world.chat();
      await world.runJobs();
      assert.deepEqual(world.receiver.received, []);
      assert.match(world.logged(), /the secret of a webhook cannot be opened/);
      const id = created.at('id').text();
      const waiting = await onlyDelivery(world, id);
      assert.deepEqual([waiting.at('status').value, waiting.at('attempts').value], ['pending', 1]);
      await world.reopen({ contextSecret: [other, old] });
      world.time.advance(6_000);
      await world.runJobs();
      assertSigned(world, created.at('signing_secret').text());
      assert.equal((await onlyDelivery(world, id)).at('status').value, 'delivered');
    },
    settings,
  ),
  gatewayCase(
    'shows an agent as it was, and the same access to a session, after the host has changed its secret',
    async (world) => {
      const client = await interactionClient(world);
      const tools = [{ type: 'mcp_server', url: 'https://mcp.example', headers: { Authorization: 'hidden' } }];
      const agent = okJson(await client.createAgent({ tools }));
      const live = await liveClient(world);
      const headers = { 'idempotency-key': 'once' };
      const access = okJson(await live.create(liveBody, { headers }));
      await world.reopen({ contextSecret: [fresh, old] });
      const path = `/agents/${agent.at('id').text()}`;
      assert.deepEqual(okJson(await world.send({ key: client.key, path })).value, agent.value);
      const again = okJson(await live.create(liveBody, { headers }));
      // The URL may differ: on a socket the opened gateway listens on another port.
      for (const field of ['id', 'access_key', 'expires_at']) {
        assert.equal(again.at(field).text(), access.at(field).text());
      }
    },
    { contextSecret: old },
  ),
  gatewayCase(
    'gives no access to a session again whose secret the host has given up [idempotency:live:replay]',
    async (world) => {
      const live = await liveClient(world);
      const headers = { 'idempotency-key': 'once' };
      okJson(await live.create(liveBody, { headers }));
      await world.reopen({ contextSecret: other });
      assert.equal((await live.create(liveBody, { headers })).status, 409);
    },
    { contextSecret: old },
  ),
];
