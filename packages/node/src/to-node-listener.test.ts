import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { toNodeListener } from './to-node-listener.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const answering = async (
  body: string,
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
