import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import { createOwnGateway, postChat, type OwnGateway } from './served-gateway.ts';

const listen = async (own: OwnGateway, answer: (request: Request) => Response | Promise<Response>) => {
  const listener = getRequestListener(answer);
  const server = createServer((request, response) => void listener(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await own.gateway.close({ drainMs: 0 });
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { ...own, origin, url: `${origin}/api/v1/ai` };
};

/** A body of exactly so many bytes. */
const bodyOf = (bytes: number): string => {
  const frame = JSON.stringify({ messages: [{ role: 'user', content: '' }] }).length;
  return JSON.stringify({ messages: [{ role: 'user', content: 'a'.repeat(bytes - frame) }] });
};

const start = async () => {
  const own = await createOwnGateway();
  return listen(own, own.gateway.fetch);
};

test('serves by fetch through a listener of another server', async () => {
  const own = await start();
  const answer = await postChat(own, { identity: 'once' });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  const replay = await postChat(own, { identity: 'once' });
  expect(replay.headers.get('idempotency-replayed')).toBe('true');
  expect(await replay.text()).toBe(await answer.text());
  const stream = await postChat(own, {
    body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }], stream: true }),
  });
  expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/);
  expect(await stream.text()).toMatch(/data: \[DONE\]\n\n$/);
});

test('keeps the byte limit through a listener of another server [chat:body:max-bytes]', async () => {
  const own = await start();
  expect((await postChat(own, { body: bodyOf(2_000_000) })).status).toBe(200);
  expect((await postChat(own, { body: bodyOf(2_000_001) })).status).toBe(413);
});

test('finishes what was handed over when a client of another server leaves', async () => {
  const own = await start();
  const { promise: until, resolve } = Promise.withResolvers<void>();
  own.provider.script({ kind: 'wait', until, next: { kind: 'answer' } });
  const leaving = new AbortController();
  const asked = postChat(own, { identity: 'left', signal: leaving.signal });
  await own.provider.received(1);
  leaving.abort();
  await expect(asked).rejects.toThrow('aborted');
  resolve();
  const [operation] = await own.gateway.admin.listOperations({ kind: 'project', projectId: own.projectId });
  const replay = await postChat(own, { identity: 'left' });
  expect([200, 409]).toContain(replay.status);
  expect(replay.headers.get('x-request-id')).toBe(operation?.id);
  expect(own.provider.calls.length).toBe(1);
});

test('mounts in a Hono application, before what reads bodies', async () => {
  const own = await createOwnGateway();
  const app = new Hono();
  app.all('/api/v1/ai/*', (context) => own.gateway.fetch(context.req.raw));
  app.get('/health', (context) => context.text('well'));
  const served = await listen(own, (request) => app.fetch(request));
  expect(await (await fetch(`${served.origin}/health`)).text()).toBe('well');
  expect((await postChat(served)).status).toBe(200);
});

test('says at once that another reader has taken the body of a request', async () => {
  const own = await createOwnGateway();
  onTestFinished(() => own.gateway.close({ drainMs: 0 }));
  const request = new Request('http://gateway.test/api/v1/ai/chat/completions', {
    method: 'POST',
    headers: { authorization: `Bearer ${own.key}`, 'content-type': 'application/json' },
    body: '{}',
  });
  await request.text();
  expect((await own.gateway.fetch(request)).status).toBe(503);
  expect(own.logged()).toContain('before the gateway');
});
