import { afterAll, beforeAll, expect, test } from 'vitest';
import { routes } from '../../packages/contract/src/index.ts';
import { startGateway, type RunningGateway } from '../clients/running-gateway.ts';

const app = 'https://app.example.com';

/** As a browser does it, over a socket: it asks whether it may, and reads what it is then told. */
let running: RunningGateway;
let closed: RunningGateway;
beforeAll(async () => {
  const compatibility = { openai: true, google: true };
  running = await startGateway({ options: { compatibility, cors: { origins: [app], maxAgeSeconds: 60 } } });
  closed = await startGateway();
});
afterAll(async () => {
  await running.close();
  await closed.close();
});

const paths = routes.map(
  ({ method, path }) => [method, path.replaceAll(/\{\w+\}/g, '01900000-0000-7000-8000-000000000000')] as const,
);

const preflight = (url: string, method: string, origin = app): Promise<Response> =>
  fetch(url, {
    method: 'OPTIONS',
    // The platform's fetch is no browser, and sends what it is given.
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type,idempotency-key',
    },
  });

test.each([...paths, ['POST', '/upload/v1beta/files'], ['GET', '/no/such/path']] as const)(
  'lets a page ask whether it may %s %s',
  async (method, path) => {
    const answer = await preflight(`${running.baseUrl}${path}`, method);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe(app);
    expect(answer.headers.get('access-control-allow-methods')?.split(', ')).toContain(method);
    expect(answer.headers.get('access-control-allow-headers')).toBe('authorization, content-type, idempotency-key');
    expect(answer.headers.get('access-control-max-age')).toBe('60');
    expect(answer.headers.get('vary')).toMatch(/^Origin\b/);
    expect(await answer.text()).toBe('');
  },
);

interface Asking {
  readonly gateway: RunningGateway;
  readonly path: string;
  readonly key: string;
  readonly origin: string | null;
}

const call = ({ gateway, path, key, origin }: Asking, init: RequestInit = {}): Promise<Response> =>
  fetch(`${gateway.baseUrl}${path}`, {
    ...init,
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...(origin === null ? {} : { origin }),
    },
  });

const models = (gateway: RunningGateway, origin: string | null): Promise<Response> =>
  call({ gateway, path: '/models', key: gateway.key, origin });

const chat = { method: 'POST', body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }] }) };

test.each([
  ['an answer', 200, '/chat/completions', (): string => running.key, chat],
  [
    'a stream',
    200,
    '/models/flash-3.8:streamGenerateContent',
    (): string => running.key,
    { method: 'POST', body: '{"contents":[{"role":"user","parts":[{"text":"Hello"}]}]}' },
  ],
  ['a refusal', 422, '/chat/completions', (): string => running.key, { method: 'POST', body: '{"messages":[]}' }],
  ['a wrong key', 401, '/models', (): string => 'wrong', {}],
  ['a path that leads nowhere', 404, '/no/such/path', (): string => running.key, {}],
  ['a wrong method', 405, '/models', (): string => running.key, { method: 'DELETE' }],
] as const)('lets a page read %s, its id included', async (...row) => {
  const [, status, path, key, init] = row;
  const answer = await call({ gateway: running, path, key: key(), origin: app }, init);
  await answer.text();
  expect(answer.status).toBe(status);
  expect(answer.headers.get('access-control-allow-origin')).toBe(app);
  expect(answer.headers.get('vary')).toBe('Origin');
  const exposed = answer.headers.get('access-control-expose-headers')?.toLowerCase().split(', ') ?? [];
  expect(exposed).toContain('x-request-id');
  expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
});

test('lets no page of another origin read anything, and serves other clients unchanged', async () => {
  for (const origin of ['https://other.example.com', 'null']) {
    const asked = await preflight(`${running.baseUrl}/models`, 'GET', origin);
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([200, null]);
    const answer = await models(running, origin);
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, null]);
    await answer.text();
  }
  const answer = await models(running, null);
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, null]);
  await answer.text();
});

test('is off by default', async () => {
  const asked = await preflight(`${closed.baseUrl}/models`, 'GET');
  expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([405, null]);
  const answer = await models(closed, app);
  expect([answer.status, answer.headers.get('access-control-allow-origin'), answer.headers.get('vary')]).toEqual([
    200,
    null,
    null,
  ]);
  await answer.text();
});

test('works where the gateway is mounted as fetch, and while it closes', async () => {
  const asked = await running.gateway.fetch(
    new Request(`${running.baseUrl}/models`, {
      method: 'OPTIONS',
      headers: { origin: app, 'access-control-request-method': 'GET' },
    }),
  );
  expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([200, app]);
  const closing = await startGateway({ options: { cors: { origins: '*' } } });
  await closing.close();
  const answer = await closing.gateway.fetch(new Request(`${closing.baseUrl}/models`, { headers: { origin: app } }));
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([503, '*']);
});
