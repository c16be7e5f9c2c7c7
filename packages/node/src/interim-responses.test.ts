import { once } from 'node:events';
import { createServer, request as openRequest, type ClientRequest, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { GatewayResponse } from '@tollgate/routes';
import { expect, onTestFinished, test } from 'vitest';
import type { NodeLimits } from './node-limits.ts';
import { toNodeListener } from './to-node-listener.ts';

const answer: GatewayResponse = { status: 200, headers: {}, body: 'done' };

/** A server whose answers wait until they are let go, by the path that they are asked for at. */
const serving = async (limits: Partial<NodeLimits> = { processingMs: 5 }) => {
  const held = new Map<string, () => void>();
  const arrived: (() => void)[] = [];
  const listener = toNodeListener(
    ({ path }) =>
      new Promise<GatewayResponse>((resolve) => {
        held.set(path, () => resolve(answer));
        for (const tell of arrived.splice(0)) tell();
      }),
    limits,
  );
  const server: Server = createServer(listener);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    letGo: async (path: string): Promise<void> => {
      while (!held.has(path)) await new Promise<void>((resolve) => arrived.push(resolve));
      held.get(path)?.();
    },
  };
};

/** A client that counts what comes before its answer. */
const ask = (port: number, path: string, headers: Readonly<Record<string, string>> = { 'sec-fetch-mode': 'cors' }) => {
  const request: ClientRequest = openRequest({ port, host: '127.0.0.1', path, headers, method: 'POST' });
  const interim: number[] = [];
  const status = new Promise<number | undefined>((resolve, reject) => {
    request.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
  });
  const told = (count: number): Promise<void> =>
    new Promise((resolve) => {
      request.on('information', ({ statusCode }: { statusCode: number }) => {
        interim.push(statusCode);
        if (interim.length === count) resolve();
      });
    });
  return { request, interim, status, told };
};

test('tells a client of fetch that waits, again and again, and then responds to it', async () => {
  const { port, letGo } = await serving();
  const { request, interim, status, told } = ask(port, '/a');
  const third = told(3);
  request.end();
  await third;
  await letGo('/a');
  expect(await status).toBe(200);
  expect(new Set(interim)).toEqual(new Set([102]));
});

const proxied = [
  { via: '1.1 proxy' },
  { forwarded: 'for=192.0.2.1' },
  { 'x-forwarded-for': '192.0.2.1' },
  { 'x-forwarded-proto': 'https' },
  { 'x-forwarded-host': 'gateway.example' },
  { 'x-forwarded-port': '443' },
  { 'x-real-ip': '192.0.2.1' },
];

test.each([{ accept: '*/*' }, ...proxied.map((headers) => ({ 'sec-fetch-mode': 'cors', ...headers }))])(
  'tells nothing to a client that may not read it: %j',
  async (headers) => {
    const { port, letGo } = await serving();
    const other = ask(port, '/other', headers);
    const toldOther = other.told(1);
    other.request.end();
    // Others got several of them meanwhile, so this one would have been.
    const control = ask(port, '/control');
    const third = control.told(3);
    control.request.end();
    await third;
    await letGo('/other');
    expect(await other.status).toBe(200);
    expect(other.interim).toEqual([]);
    void toldOther;
    await letGo('/control');
    expect(await control.status).toBe(200);
  },
);

/** Everything that a server writes to a connection until it closes it. */
const exchange = async (port: number, head: string, meanwhile: () => Promise<void>): Promise<string> => {
  const socket: Socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += String(chunk);
  });
  socket.write(head);
  await meanwhile();
  await once(socket, 'close');
  return text;
};

test.each([
  ['HTTP/1.0', 'POST /old HTTP/1.0\r\nSec-Fetch-Mode: cors\r\nContent-Length: 0\r\n\r\n', 5],
  [
    'a server that is told not to',
    'POST /old HTTP/1.1\r\nHost: a\r\nConnection: close\r\nSec-Fetch-Mode: cors\r\nContent-Length: 0\r\n\r\n',
    null,
  ],
])('has no interim response for %s', async (_, head, processingMs) => {
  const { port, letGo } = await serving({ processingMs });
  const control = await serving();
  const text = await exchange(port, head, async () => {
    const other = ask(control.port, '/control');
    const third = other.told(3);
    other.request.end();
    await third;
    await letGo('/old');
    await control.letGo('/control');
  });
  expect(text).toMatch(/^HTTP\/1\.1 200 OK/);
  expect(text).not.toContain('102');
});

const head = (path: string, more = '') =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nSec-Fetch-Mode: cors\r\n${more}Content-Length: 0\r\n\r\n`;

test('says nothing more on a connection whose answer has begun', async () => {
  const { port, letGo } = await serving();
  const text = await exchange(port, head('/one') + head('/two', 'Connection: close\r\n'), async () => {
    await letGo('/two');
    await letGo('/one');
  });
  const first = text.indexOf('200 OK');
  expect(text.slice(first)).toMatch(/^200 OK[^]*\r\n\r\ndoneHTTP\/1\.1 200 OK[^]*\r\n\r\ndone$/);
});
