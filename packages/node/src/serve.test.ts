import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { silentLogger } from '@tollgate/engine';
import { defaultLiveLimits } from '@tollgate/live';
import { expect, test } from 'vitest';
import { serve, type Servable } from './serve.ts';

/** A gateway that drains for as long as the test lets it, and tells its sockets nothing. */
const createGateway = (mayEnd: Promise<void>): Servable => ({
  handle: async () => ({ status: 503, headers: {}, body: '' }),
  jobs: { start: () => {} },
  close: () => mayEnd,
  live: { path: '/live', limits: defaultLiveLimits, accept: () => {}, logger: silentLogger },
});

const upgradeHead =
  'GET /live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
  `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n`;

const dial = async (origin: string, text: string): Promise<Socket> => {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(text);
  return socket;
};

const statusOf = async (socket: Socket): Promise<string> => {
  const [first] = (await once(socket, 'data')) as [Buffer];
  return first.toString('latin1').slice(9, 12);
};

test('opens no socket once it closes', async () => {
  const drained = Promise.withResolvers<void>();
  const running = await serve(createGateway(drained.promise), { port: 0 });
  // Its connection is not idle, so that it outlives the begin of closing.
  const late = await dial(running.origin, upgradeHead);
  await new Promise(setImmediate);
  const closing = running.close();
  late.write('\r\n');
  const status = await statusOf(late);
  late.destroy();
  drained.resolve();
  await closing;
  expect(status).toBe('503');
});
