import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { adminHandler } from '@tollgate/admin';
import express from 'express';
import { fetchListener, toNodeListener } from 'tollgate';
import { expect, onTestFinished, test } from 'vitest';
import { createOwnGateway, postChat, type OwnGateway } from './served-gateway.ts';

/** Listens with an Express application made around a gateway. */
const startExpress = async (build: (app: express.Express, own: OwnGateway) => void) => {
  const own = await createOwnGateway();
  const app = express();
  build(app, own);
  // Express is a request listener; its own types say it by call signatures only.
  const server = createServer(app as RequestListener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await own.gateway.close({ drainMs: 0 });
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { ...own, origin, url: `${origin}/api/v1/ai` };
};

/** Has a body parser keep the bytes that it reads. */
const keep = (request: object, _response: unknown, bytes: Buffer): void =>
  void Object.assign(request, { rawBody: bytes });

const listModels = ({ url, key }: { url: string; key: string }) =>
  fetch(`${url}/models`, { headers: { authorization: `Bearer ${key}` } });

test('serves below its prefix beside the other routes of an application', async () => {
  const own = await startExpress((app, { gateway }) => {
    app.get('/health', (_request, response) => void response.json({ healthy: true }));
    app.use('/api/v1/ai', toNodeListener(gateway.handle));
    app.use(express.json());
    app.post('/echo', (request, response) => void response.json(request.body));
  });
  expect(await (await fetch(`${own.origin}/health`)).json()).toEqual({ healthy: true });
  const echo = await fetch(`${own.origin}/echo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"a":1}',
  });
  expect(await echo.json()).toEqual({ a: 1 });
  expect((await listModels(own)).status).toBe(200);
  const answer = await postChat(own, { identity: 'mounted' });
  expect(answer.status).toBe(200);
  expect(await (await postChat(own, { identity: 'mounted' })).text()).toBe(await answer.text());
  expect((await fetch(`${own.url}/nowhere`)).status).toBe(404);
});

test('serves as the handler of a path pattern', async () => {
  const own = await startExpress((app, { gateway }) => {
    app.all('/api/v1/ai{/*rest}', toNodeListener(gateway.handle));
  });
  expect((await listModels(own)).status).toBe(200);
  expect((await postChat(own)).status).toBe(200);
});

test('says at once that a body parser has taken the body', async () => {
  const own = await startExpress((app, { gateway }) => {
    app.use(express.json({ limit: '5mb' }));
    app.use('/api/v1/ai', toNodeListener(gateway.handle));
  });
  expect((await listModels(own)).status).toBe(200);
  const answer = await postChat(own);
  expect([answer.status, await answer.json()]).toMatchObject([503, { error: { code: 'service_unavailable' } }]);
  expect(own.logged()).toContain('before body parsers');
  expect(own.provider.calls.length).toBe(0);
});

test('takes the bytes that a body parser has kept', async () => {
  const own = await startExpress((app, { gateway }) => {
    app.use(express.json({ limit: '5mb', verify: keep }));
    app.use('/api/v1/ai', toNodeListener(gateway.handle));
  });
  const answer = await postChat(own, { identity: 'kept' });
  expect(answer.status).toBe(200);
  expect(await (await postChat(own, { identity: 'kept' })).text()).toBe(await answer.text());
  const large = JSON.stringify({ messages: [{ role: 'user', content: 'a'.repeat(2_000_000) }] });
  expect((await postChat(own, { body: large })).status).toBe(413);
});

test('serves a fetch handler of another kind mounted by its path, beside the gateway', async () => {
  const own = await startExpress((app, { gateway }) => {
    const admin = adminHandler(gateway, { authorize: () => Promise.resolve({ role: 'operator', name: 'olga' }) });
    app.use('/admin', fetchListener(admin));
    app.use('/api/v1/ai', fetchListener(gateway.fetch));
    app.use(express.json());
  });
  const created = await fetch(`${own.origin}/admin/accounts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"name":"Ada"}',
  });
  expect([created.status, await created.json()]).toMatchObject([201, { name: 'Ada' }]);
  expect((await fetch(`${own.origin}/admin/accounts?search=ada`)).status).toBe(200);
  const answer = await postChat(own, { identity: 'by-fetch' });
  expect(answer.status).toBe(200);
  expect(await (await postChat(own, { identity: 'by-fetch' })).text()).toBe(await answer.text());
});
