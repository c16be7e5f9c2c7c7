// A chat is read in one way where it says how long it is, in another where it comes in chunks, and in a third through `fetch`.
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { memoryStorage } from '../packages/storage-memory/src/index.ts';
import {
  createGateway,
  sandboxProvider,
  serve,
  type Gateway,
  type RunningServer,
} from '../packages/tollgate/src/index.ts';

const place = '/api/v1/ai/chat/completions';
const png = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  Buffer.alloc(120_000, 'pixels? '),
  Buffer.from('0000000049454e44ae426082', 'hex'),
]);

const bodyOf = (data: Buffer): string =>
  JSON.stringify({
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${data.toString('base64')}` } },
        ],
      },
    ],
  });

let gateway: Gateway;
let served: RunningServer;
let key = '';
beforeAll(async () => {
  gateway = await createGateway({ storage: memoryStorage(), provider: sandboxProvider() });
  served = await serve(gateway, { port: 0 });
  const { admin } = gateway;
  const account = await admin.createAccount({ name: 'Ada' });
  await admin.deposit({ accountId: account.id, amountMicros: 1_000_000_000n, reference: 'first' });
  const project = await admin.createProject({ accountId: account.id, name: 'Ada' });
  const created = project === null ? null : await admin.createKey({ projectId: project.id, model: 'flash-3.8' });
  key = created?.key ?? '';
});
afterAll(async () => {
  await served.close();
});

interface Answered {
  readonly status: number | undefined;
  readonly replayed: unknown;
  readonly text: string;
}

const headersOf = (identity: string) => ({
  authorization: `Bearer ${key}`,
  'content-type': 'application/json',
  'idempotency-key': identity,
});

/** Sends a body over a socket, in one piece of a known length or in chunks. */
const send = async (identity: string, body: string, length: 'declared' | 'in chunks'): Promise<Answered> => {
  const declared = length === 'declared' ? { 'content-length': Buffer.byteLength(body) } : {};
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(`${served.origin}${place}`, {
      method: 'POST',
      headers: { ...headersOf(identity), ...declared },
    });
    sent.on('response', resolve).on('error', reject);
    // Written before the end, so that Node does not count it.
    sent.write(body.slice(0, 1_000));
    sent.end(body.slice(1_000));
  });
  return {
    status: response.statusCode,
    replayed: response.headers['idempotency-replayed'],
    text: await text(response),
  };
};

const fetched = async (identity: string, body: string): Promise<Answered> => {
  const asked = new Request(`http://localhost${place}`, { method: 'POST', headers: headersOf(identity), body });
  const response = await gateway.fetch(asked);
  return {
    status: response.status,
    replayed: response.headers.get('idempotency-replayed'),
    text: await response.text(),
  };
};

test.each([
  ['large-image', png],
  ['small-image', Buffer.concat([png.subarray(0, 40), png.subarray(-12)])],
])('knows a chat with a %s again, however its body comes', async (name, image) => {
  const body = bodyOf(image);
  const first = await send(name, body, 'declared');
  expect(first).toMatchObject({ status: 200, replayed: 'false' });
  const again = { ...first, replayed: 'true' };
  expect(await send(name, body, 'in chunks')).toEqual(again);
  expect(await fetched(name, body)).toEqual(again);
  expect(await fetched(name, `${body} `)).toMatchObject({ status: 409 });
});

test('refuses a chat that is too long, however it comes', async () => {
  const body = bodyOf(Buffer.concat([png, Buffer.alloc(2_000_000)]));
  for (const answer of [await send('long', body, 'in chunks'), await fetched('long', body)]) {
    expect(answer.status).toBe(413);
    expect(answer.text).toContain('body_too_large');
  }
});
