import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { completion } from '../docs/snippets/dialect.ts';
import { memoryStorage } from '../packages/storage-memory/src/index.ts';
import {
  createGateway,
  sandboxProvider,
  silentLogger,
  type GenerationDialect,
} from '../packages/tollgate/src/index.ts';
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

/** A stream of a request that waits in the background for half a minute of its own clock before a worker takes it. */
const backgroundStream = async (framing: NonNullable<GenerationDialect['framing']>): Promise<string> => {
  let nowMs = 0;
  const { promise: hasWaited, resolve } = Promise.withResolvers<void>();
  const gateway = await createGateway({
    storage: memoryStorage(),
    provider: sandboxProvider(),
    logger: silentLogger,
    dialects: [
      { ...completion, framing, read: (body, policy) => ({ ...completion.read(body, policy), inBackground: true }) },
    ],
    world: {
      monotonicMs: () => nowMs,
      sleep: async (ms) => {
        nowMs += ms;
        if (nowMs >= 30_000) resolve();
        await setImmediate();
      },
    },
  });
  onTestFinished(() => gateway.close({ drainMs: 0 }));
  const { id: accountId } = await gateway.admin.createAccount({ name: 'Waits' });
  await gateway.admin.deposit({ accountId, amountMicros: 1_000_000_000n, reference: 'first' });
  const project = await gateway.admin.createProject({ accountId, name: 'Waits' });
  const key = project === null ? null : await gateway.admin.createKey({ projectId: project.id, model: 'flash-2.5' });
  const answer = await gateway.fetch(
    new Request('http://gateway.test/api/v1/ai/complete', {
      method: 'POST',
      headers: { authorization: `Bearer ${key?.key ?? ''}`, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: '[[sandbox: echo Good day.]]', stream: true }),
    }),
  );
  const stream = answer.text();
  await hasWaited;
  await gateway.jobs.runDue();
  return stream;
};

test('its stream shows by comments that it lives while a worker is waited for, where its readers pass over them', async () => {
  const contentType = 'text/event-stream';
  const events = String.raw`data: \{"text":"Good day\."\}\n\ndata: \{"done":true`;
  expect(await backgroundStream({ contentType, comments: true })).toMatch(new RegExp(`^(?:: \n\n)+${events}`));
  expect(await backgroundStream({ contentType, comments: false })).toMatch(new RegExp(`^${events}`));
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
