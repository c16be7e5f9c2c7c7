import { Agent } from 'node:https';
import { expect, test } from 'vitest';
import { careForWebhook, throughProxy } from '../docs/snippets/webhooks.ts';
import type { WebhookSender } from '../packages/engine/src/index.ts';
import { memoryStorage } from '../packages/storage-memory/src/index.ts';
import { createGateway, silentLogger, type GatewayOptions } from '../packages/tollgate/src/index.ts';

const open = async (options: GatewayOptions) => {
  const gateway = await createGateway({ storage: memoryStorage(), logger: silentLogger, ...options });
  const { admin } = gateway;
  const { id: accountId } = await admin.createAccount({ name: 'Webhooks' });
  const project = await admin.createProject({ accountId, name: 'Webhooks' });
  const projectId = project?.id ?? '';
  const key = await admin.createKey({ projectId, model: null });
  const post = (url: string): Promise<Response> =>
    gateway.fetch(
      new Request('http://gateway.test/api/v1/ai/webhooks', {
        method: 'POST',
        headers: { authorization: `Bearer ${key?.key ?? ''}`, 'content-type': 'application/json' },
        body: JSON.stringify({ url }),
      }),
    );
  return { gateway, projectId, post };
};

const url = 'https://hooks.example.com/in';

const recordingSender = () => {
  const sent: string[] = [];
  let closed = 0;
  const sender: WebhookSender = {
    check: (asked) => Promise.resolve({ kind: 'allowed', url: asked }),
    send: ({ headers }) => {
      sent.push(headers['x-service-signature'] ?? '');
      return Promise.resolve({ kind: 'answered', status: 200, retryAfterMs: null });
    },
    close: async () => {
      closed += 1;
    },
  };
  return { sender, sent, closed: () => closed };
};

test('answers 503 where the host sends no events', async () => {
  const { gateway, post } = await open({ webhooks: false });
  const response = await post(url);
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ error: { code: 'service_unavailable' } });
  await gateway.close();
});

test('sends through a sender of the host, tries receivers out, repeats and rotates, and closes it at the end', async () => {
  const { sender, sent, closed } = recordingSender();
  const { gateway, post, projectId } = await open({ webhooks: { sender } });
  const created = (await (await post(url)).json()) as { id: string; signing_secret: string };
  const secret = await careForWebhook(gateway, { projectId, webhookId: created.id });
  expect(secret).not.toBe(created.signing_secret);
  await gateway.jobs.runDue();
  // One post with the signatures of both secrets: what is repeated before it was sent is sent once.
  expect(sent).toEqual([expect.stringMatching(/^v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/)]);
  await gateway.close();
  expect(closed()).toBe(1);
});

test('refuses what is no address, though a sender of the host would take it [webhooks:create:url-required]', async () => {
  const { sender } = recordingSender();
  const { gateway, post } = await open({ webhooks: { sender } });
  for (const bad of ['hooks.example.com', 'https://', '/in']) {
    const response = await post(bad);
    expect([response.status, await response.json()]).toMatchObject([422, { error: { code: 'invalid_request' } }]);
  }
  await gateway.close();
});

test('refuses attempts that last longer than their claim', async () => {
  const options = { storage: memoryStorage(), logger: silentLogger, webhooks: { attemptMs: 20_000 } };
  await expect(createGateway(options)).rejects.toMatchObject({
    code: 'configuration_invalid',
    faults: [{ place: 'webhooks.attemptMs' }],
  });
});

test('reads addresses strictly although agents of the host resolve and connect', async () => {
  const { gateway, post } = await open(throughProxy(new Agent()));
  expect((await post('https://10.0.0.1/')).status).toBe(422);
  expect((await post('https://hooks.example.com:8443/')).status).toBe(422);
  expect((await post('https://nobody-resolves-this.example.com/')).status).toBe(200);
  await gateway.close();
});
