import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { webhookSender, type WebhookSenderOptions } from './webhook-sender.ts';

const read = (name: string): string => readFileSync(new URL(`../test-data/${name}`, import.meta.url), 'utf8');
const cert = read('receiver-certificate.pem');

const running: Server[] = [];
afterEach(() => {
  for (const server of running.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const publicAddress = '93.184.215.14';

const senderTo = async (listener: RequestListener, options: WebhookSenderOptions = {}) => {
  const server = createServer({ cert, key: read('receiver-key.pem') }, listener);
  running.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  let opened = 0;
  const sender = webhookSender({
    resolve: async () => [publicAddress],
    connect: () => {
      opened += 1;
      return connect(port, '127.0.0.1');
    },
    certificates: cert,
    attemptMs: 600_000,
    ...options,
  });
  return { server, sender, opened: () => opened };
};

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};

const delivery = { url: 'https://hooks.example.com/in', headers: { 'x-signature': 'abc' }, body: '{"a":"é"}' };

test('delivers the body byte for byte, and keeps the connection for the next one', async () => {
  const seen: unknown[] = [];
  const { sender, opened } = await senderTo((request, response) => {
    const answer = async (): Promise<void> => {
      const body = await bodyOf(request);
      seen.push([request.method, request.url, request.headers['x-signature'], request.headers['content-length'], body]);
      response.writeHead(204).end();
    };
    void answer();
  });
  expect(await sender.send(delivery)).toEqual({ kind: 'answered', status: 204, retryAfterMs: null });
  expect(await sender.send(delivery)).toMatchObject({ status: 204 });
  expect(seen).toEqual([
    ['POST', '/in', 'abc', '10', '{"a":"é"}'],
    ['POST', '/in', 'abc', '10', '{"a":"é"}'],
  ]);
  expect(opened()).toBe(1);
  await sender.close();
});

test('opens another connection when the name has moved to another address', async () => {
  let address = publicAddress;
  const { sender, opened } = await senderTo((_, response) => void response.end(), { resolve: async () => [address] });
  await sender.send(delivery);
  address = '93.184.215.99';
  await sender.send(delivery);
  expect(opened()).toBe(2);
  await sender.close();
});

test('sends again on a fresh connection when the kept one turns out to be dead', async () => {
  let answered = 0;
  const { sender, opened } = await senderTo((request, response) => {
    answered += 1;
    if (answered === 2) request.socket.destroy();
    else response.end();
  });
  expect(await sender.send(delivery)).toMatchObject({ status: 200 });
  expect(await sender.send(delivery)).toMatchObject({ status: 200 });
  expect(opened()).toBe(2);
  await sender.close();
});

test('takes a redirect for the answer', async () => {
  let calls = 0;
  const { sender } = await senderTo((_, response) => {
    calls += 1;
    response.writeHead(302, { location: 'https://hooks.example.com/elsewhere' }).end();
  });
  expect(await sender.send(delivery)).toEqual({ kind: 'answered', status: 302, retryAfterMs: null });
  expect(calls).toBe(1);
  await sender.close();
});

test.each([
  ['120', 120_000],
  ['Thu, 01 Jan 1970 00:01:40 GMT', 90_000],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ['soon', null],
  ['-5', null],
])('reads when a receiver wants the event again: %s', async (value, retryAfterMs) => {
  const { sender } = await senderTo((_, response) => void response.writeHead(503, { 'retry-after': value }).end(), {
    wallClockMs: () => 10_000,
  });
  expect(await sender.send(delivery)).toEqual({ kind: 'answered', status: 503, retryAfterMs });
  await sender.close();
});

test('counts an answer by its status, whatever comes after it and however long', async () => {
  const { sender } = await senderTo(
    (_, response) => {
      response.writeHead(200).write('a');
      const dripping = setInterval(() => response.write('b'), 10);
      response.on('close', () => clearInterval(dripping));
    },
    { attemptMs: 200 },
  );
  expect(await sender.send(delivery)).toMatchObject({ kind: 'answered', status: 200 });
  await sender.close();
});

test('stops reading an answer that does not end', async () => {
  let left = false;
  const { sender } = await senderTo((_, response) => {
    const flood = (): void => {
      while (response.write(Buffer.alloc(65_536)));
    };
    response
      .writeHead(200)
      .on('drain', flood)
      .on('close', () => {
        left = true;
      });
    flood();
  });
  expect(await sender.send(delivery)).toMatchObject({ status: 200 });
  await expect.poll(() => left).toBe(true);
  await sender.close();
});

test('reports that no server is there, in bounded time', async () => {
  const { sender } = await senderTo(() => undefined, { attemptMs: 100 });
  expect(await sender.send(delivery)).toEqual({ kind: 'unreachable' });
  const nowhere = webhookSender({ resolve: () => Promise.reject(new Error('ENOTFOUND')) });
  expect(await nowhere.send(delivery)).toEqual({ kind: 'unreachable' });
  await sender.close();
});

test('refuses a name that leads inside now, though it led outside before', async () => {
  let address = publicAddress;
  const { sender, opened } = await senderTo((_, response) => void response.end(), { resolve: async () => [address] });
  expect(await sender.check(delivery.url)).toEqual({ kind: 'allowed', url: delivery.url });
  address = '127.0.0.1';
  expect(await sender.send(delivery)).toEqual({ kind: 'refused' });
  expect(opened()).toBe(0);
  await sender.close();
});

test.each([
  ['http://hooks.example.com/', 'https'],
  ['https://hooks.example.com:8443/', '443'],
  ['https://u:p@hooks.example.com/', 'credentials'],
  ['https://93.184.215.14/', 'IP address'],
  ['https://printer.local/', '.local'],
  ['https://👍.example.com/', 'xn--'],
  ['https://example.com,evil.com/', 'letters, digits'],
  ['abc', 'absolute'],
])('says what is wrong with %s', async (url, word) => {
  const sender = webhookSender({ resolve: async () => [publicAddress] });
  expect(await sender.check(url)).toMatchObject({ kind: 'refused', why: expect.stringContaining(word) });
});

test('asks for an international name by its ASCII form, and hands that out [webhooks:create:url-public-ipv4]', async () => {
  const asked: string[] = [];
  const sender = webhookSender({
    resolve: async (name) => {
      asked.push(name);
      return [publicAddress];
    },
  });
  expect(await sender.check('https://münchen.de/in')).toEqual({
    kind: 'allowed',
    url: 'https://xn--mnchen-3ya.de/in',
  });
  expect(asked).toEqual(['xn--mnchen-3ya.de']);
});

test('says what is wrong with a name that has no address, or not only public ones', async () => {
  const answers: (readonly string[])[] = [[], [publicAddress, '10.0.0.1'], [publicAddress]];
  const sender = webhookSender({ resolve: async () => answers.shift() ?? [] });
  expect(await sender.check('https://HOOKS.example.com')).toMatchObject({
    why: expect.stringContaining('public IPv4'),
  });
  expect(await sender.check('https://HOOKS.example.com')).toMatchObject({
    why: expect.stringContaining('public IPv4'),
  });
  expect(await sender.check('https://HOOKS.example.com')).toEqual({
    kind: 'allowed',
    url: 'https://hooks.example.com/',
  });
});
