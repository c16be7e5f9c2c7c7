import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { GatewayResponse } from '@tollgate/routes';
import { toNodeListener } from './to-node-listener.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const answering = async (
  body: GatewayResponse['body'],
  answerMs: number,
): Promise<{ readonly port: number; readonly server: Server }> => {
  const listener = toNodeListener(() => Promise.resolve({ status: 200, headers: {}, body }), { answerMs });
  const server = createServer(listener);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an address of this form.
  return { port: (server.address() as AddressInfo).port, server };
};

test('cuts off a client that does not read its answer', async () => {
  const { port, server } = await answering('x'.repeat(16 * 1024 * 1024), 50);
  const accepted = once(server, 'connection');
  const client = connect(port, '127.0.0.1');
  client.pause().on('error', () => {});
  client.write('GET / HTTP/1.1\r\nHost: gateway\r\n\r\n');
  const [socket]: Socket[] = await accepted;
  if (socket === undefined) throw new Error('nobody connected');
  await once(socket, 'close');
  expect(client.bytesRead).toBeLessThan(16 * 1024 * 1024);
  client.destroy();
});

test('sends a whole answer to a client that reads', async () => {
  const { port } = await answering('x'.repeat(4 * 1024 * 1024), 1_000);
  const response = await fetch(`http://127.0.0.1:${port}/`);
  expect((await response.text()).length).toBe(4 * 1024 * 1024);
});

/** Bytes without end, of which it is known how many were asked for. */
const endless = (sizeBytes: number) => {
  const seen = { chunks: 0, left: false };
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        seen.chunks += 1;
        yield new Uint8Array(65_536);
      }
    } finally {
      seen.left = true;
    }
  }
  return { seen, body: { kind: 'bytes', sizeBytes, chunks: chunks() } as const };
};

async function* breakingOff(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('half');
  throw new Error('the store broke off');
}

async function* inTwo(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('one ');
  yield Buffer.from('two');
}

test('sends bytes from where they lie, and to HEAD only how many there are', async () => {
  const { port } = await answering({ kind: 'bytes', sizeBytes: 7, chunks: inTwo() }, 1_000);
  const head = await fetch(`http://127.0.0.1:${port}/`, { method: 'HEAD' });
  expect([head.headers.get('content-length'), await head.text()]).toEqual(['7', '']);
  const whole = await fetch(`http://127.0.0.1:${port}/`);
  expect([whole.headers.get('content-length'), await whole.text()]).toEqual(['7', 'one two']);
});

test('breaks the connection off where bytes break off', async () => {
  const { port } = await answering({ kind: 'bytes', sizeBytes: 8, chunks: breakingOff() }, 1_000);
  await expect(fetch(`http://127.0.0.1:${port}/`).then((response) => response.text())).rejects.toThrow('fetch failed');
});

test('reads no further than a client takes, and lets go of one that takes nothing', async () => {
  const { body, seen } = endless(1_073_741_824);
  const { port, server } = await answering(body, 50);
  const accepted = once(server, 'connection');
  const client = connect(port, '127.0.0.1');
  client.pause().on('error', () => {});
  client.write('GET / HTTP/1.1\r\nHost: gateway\r\n\r\n');
  const [socket]: Socket[] = await accepted;
  if (socket === undefined) throw new Error('nobody connected');
  await once(socket, 'close');
  await new Promise((resolve) => setImmediate(resolve));
  expect(seen.chunks).toBeLessThan(1_000);
  expect(seen.left).toBe(true);
  client.destroy();
});
