import { afterAll, beforeAll, expect, test } from 'vitest';
import { completion } from '../docs/snippets/dialect.ts';
import { memoryStorage } from '../packages/storage-memory/src/index.ts';
import { createGateway } from '../packages/tollgate/src/index.ts';
import { startGateway, type RunningGateway } from './clients/running-gateway.ts';

let running: RunningGateway;
beforeAll(async () => {
  running = await startGateway({ options: { dialects: [completion] } });
});
afterAll(() => running.close());

const ask = (body: object, identity: string): Promise<Response> =>
  fetch(`${running.baseUrl}/complete`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${running.key}`,
      'content-type': 'application/json',
      'idempotency-key': identity,
    },
    body: JSON.stringify(body),
  });

test('a dialect of the host is charged, replayed and recorded as every other wire', async () => {
  const prompt = '[[sandbox: echo Good day.]]';
  const first = await ask({ prompt }, 'whole');
  const text = await first.text();
  const body = JSON.parse(text) as { readonly id: string; readonly service: { readonly credits: number } };
  expect(body).toMatchObject({ text: 'Good day.', service: { request_id: body.id } });
  expect(body.service.credits).toBeGreaterThan(0);
  const again = await ask({ prompt }, 'whole');
  expect([again.headers.get('idempotency-replayed'), await again.text()]).toEqual(['true', text]);
  const headers = { authorization: `Bearer ${running.key}` };
  const record = await fetch(`${running.baseUrl}/requests/${body.id}`, { headers });
  expect(await record.json()).toMatchObject({ status: 'completed', response: body });
});

test('its stream is written while the model writes, and again by its replay', async () => {
  const asked = { prompt: '[[sandbox: echo One two three.]]', stream: true };
  const stream = await (await ask(asked, 'stream')).text();
  expect(stream.split('\n\n').length).toBeGreaterThan(3);
  expect(stream).toMatch(/"done":true,"service":\{.*\}\}\n\n$/);
  expect(await (await ask(asked, 'stream')).text()).toBe(stream);
  const cut = await (await ask({ ...asked, prompt: '[[sandbox: echo One two.]] [[sandbox: cut 1]]' }, 'cut')).text();
  expect(cut).toMatch(/data: \{"error":"request_failed"\}\n\n$/);
});

test('what it refuses is the error of the contract, and costs nothing', async () => {
  const refused = await ask({ stream: true }, 'refused');
  expect([refused.status, await refused.json()]).toMatchObject([422, { error: { code: 'invalid_request' } }]);
  expect(running.calls).toHaveLength(3);
});

test.each([
  ['the path of a route', { ...completion, path: '/chat/completions' }, 'path that is taken'],
  ['the name of a dialect of the gateway', { ...completion, name: 'anthropic-messages' }, 'name or a path'],
  ['no functions', { name: 'x', path: '/x' }, 'has no function read'],
])('a dialect with %s is refused at the start', async (_, dialect, words) => {
  const options = { storage: memoryStorage(), dialects: [dialect] };
  await expect(createGateway(options as never)).rejects.toThrow(words);
});

test('two dialects of one name are refused at the start', async () => {
  const options = { storage: memoryStorage(), dialects: [completion, { ...completion, path: '/other' }] };
  await expect(createGateway(options)).rejects.toThrow('two dialects of one name or path');
});
