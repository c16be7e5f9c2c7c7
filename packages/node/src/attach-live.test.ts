import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { silentLogger } from '@tollgate/engine';
import { closeCodes, defaultLiveLimits, type LiveSocket, type UpgradeRequest } from '@tollgate/live';
import { dialSocket } from '@tollgate/testing/gateway';
import { expect, onTestFinished, test } from 'vitest';
import { attachLive, type AttachLiveOptions } from './attach-live.ts';

/** A server whose sockets do what a test says; by default they answer with what they get. */
const startServer = async (
  options: AttachLiveOptions = {},
  accept: (socket: LiveSocket, onKnown: () => void) => void = (socket) =>
    socket.onMessage((utf8) => socket.send(JSON.stringify({ text: utf8?.toString('utf8') ?? null }))),
  errors: unknown[] = [],
) => {
  const server = createServer((_request, response) => response.end('plain'));
  const live = {
    path: '/api/v1/ai/live',
    limits: { ...defaultLiveLimits, frameBytesMax: 1_000 },
    accept: (socket: LiveSocket, onKnown = () => {}) => accept(socket, onKnown),
    logger: { ...silentLogger, error: (_message: string, fields?: object) => void errors.push(fields) },
  };
  const attached = attachLive(server, live, options);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  onTestFinished(() => {
    attached.terminate();
    server.close();
    server.closeAllConnections();
  });
  return { port, attached, url: `ws://127.0.0.1:${port}/api/v1/ai/live` };
};

const handshake = (port: number, path: string, more: string): Socket => {
  const socket = connect(port, '127.0.0.1');
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
      `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n${more}\r\n`,
  );
  return socket;
};

/** Everything that a connection says until it ends. */
const readAll = async (socket: Socket): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

const statusOf = async (port: number, path = '/api/v1/ai/live', more = ''): Promise<number> =>
  Number((await readAll(handshake(port, path, more))).toString('latin1').slice(9, 12));

/** A frame as a client must send it: masked, here with zeros. */
const frame = (first: number, payload: Buffer): Buffer =>
  Buffer.concat([Buffer.from([first, 0x80 | payload.length, 0, 0, 0, 0]), payload]);

/** The code of the close frame that a server ends with. */
const closeCodeOf = (bytes: Buffer): number => {
  const body = bytes.subarray(bytes.indexOf('\r\n\r\n') + 4);
  const at = body.indexOf(0x88);
  return body.readUInt16BE(at + 2);
};

test('passes whole messages on, fragmented ones too, and tells text from bytes', async () => {
  const { url, port } = await startServer();
  const socket = await dialSocket(url);
  socket.send('Grüße');
  expect(await socket.next()).toBe('{"text":"Grüße"}');
  socket.send(new Uint8Array(3));
  expect(await socket.next()).toBe('{"text":null}');
  const raw = handshake(port, '/api/v1/ai/live', '');
  raw.write(
    Buffer.concat([frame(0x01, Buffer.from('{"a"')), frame(0x80, Buffer.from(':1}')), frame(0x88, Buffer.alloc(0))]),
  );
  expect((await readAll(raw)).toString('latin1')).toContain('{"text":"{\\"a\\":1}"}');
});

test('sends bytes as text, in one write or by the library, in the order of the sends', async () => {
  const texts = ['', 'ü', 'a'.repeat(125), 'a'.repeat(126), 'a'.repeat(16_384), 'a'.repeat(16_385), 'a'.repeat(70_000)];
  const { url } = await startServer({}, (socket) =>
    socket.onMessage(() => {
      for (const text of texts) {
        socket.send(Buffer.from(text));
        socket.send(`and ${text.length}`);
      }
      socket.close(1000);
      socket.send(Buffer.from('too late'));
    }),
  );
  const socket = await dialSocket(url);
  socket.send('x');
  for (const text of texts) {
    expect(await socket.next()).toBe(text);
    expect(await socket.next()).toBe(`and ${text.length}`);
  }
  expect(await socket.closed).toBe(1000);
});

test.each([
  ['an unmasked frame', Buffer.from([0x81, 0x01, 0x61]), 1002],
  ['a reserved bit', frame(0xc1, Buffer.from('a')), 1002],
  ['an unknown opcode', frame(0x83, Buffer.from('a')), 1002],
  ['a fragmented ping', frame(0x09, Buffer.from('a')), 1002],
  ['text that is no UTF-8', frame(0x81, Buffer.from([0xff, 0xfe])), 1007],
])('ends a socket for %s, and nothing else', async (_name, bytes, code) => {
  const { port, url } = await startServer();
  const raw = handshake(port, '/api/v1/ai/live', '');
  raw.write(bytes);
  expect(closeCodeOf(await readAll(raw))).toBe(code);
  const socket = await dialSocket(url);
  socket.send('x');
  expect(await socket.next()).toBe('{"text":"x"}');
});

test('ends a socket with 1009 for a message above the limit, whole or in fragments', async () => {
  const { url, port } = await startServer();
  const socket = await dialSocket(url);
  socket.send('a'.repeat(1_001));
  expect(await socket.closed).toBe(1009);
  const raw = handshake(port, '/api/v1/ai/live', '');
  for (let count = 0; count < 12; count += 1) raw.write(frame(count === 0 ? 0x01 : 0x00, Buffer.alloc(100, 'a')));
  expect(closeCodeOf(await readAll(raw))).toBe(1009);
});

test('refuses other paths, methods and origins before a socket exists', async () => {
  const { port } = await startServer({ allowsOrigin: (origin) => origin === 'https://mine.test' });
  expect(await statusOf(port, '/elsewhere')).toBe(404);
  expect(await statusOf(port, '/api/v1/ai/live', 'Origin: https://other.test\r\n')).toBe(403);
  expect(await statusOf(port)).toBe(403);
  const raw = handshake(port, '/api/v1/ai/live?x=1', 'Origin: https://mine.test\r\n');
  const [first] = (await once(raw, 'data')) as [Buffer];
  raw.destroy();
  expect(first.toString('latin1')).toContain('101 Switching Protocols');
});

test.each([
  ['throws', (origin: string | null) => new URL(origin ?? '').hostname === 'mine.test', { reason: 'threw' }],
  ['returns a promise', () => Promise.resolve(true), { reason: 'nonsense' }],
  ['returns a promise that rejects', () => Promise.reject(new Error('down')), { reason: 'nonsense' }],
  ['returns nothing', () => undefined, { reason: 'nonsense' }],
])('refuses every origin where the function of the host %s, and logs it', async (_name, allowsOrigin, logged) => {
  const errors: unknown[] = [];
  // A host without types may return anything.
  const options = { allowsOrigin: allowsOrigin as unknown as (origin: string | null) => boolean };
  const { port } = await startServer(options, undefined, errors);
  expect(await statusOf(port, '/api/v1/ai/live', 'Origin: null\r\n')).toBe(403);
  expect(errors).toEqual([expect.objectContaining({ code: 'allows_origin_failed', ...logged })]);
});

test('leaves other upgrades to the listeners of the host', async () => {
  const server = createServer();
  let seen = 0;
  server.on('upgrade', (_request, socket) => {
    seen += 1;
    socket.end('HTTP/1.1 200 OK\r\n\r\n');
  });
  attachLive(server, { path: '/live', limits: defaultLiveLimits, accept: () => {} });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  expect(await statusOf((server.address() as AddressInfo).port, '/theirs')).toBe(200);
  expect(seen).toBe(1);
});

test('bounds the strangers of an address and of all, and counts a client that is known no more', async () => {
  const known: (() => void)[] = [];
  let client = 'one';
  const options = { unknownPerAddressMax: 2, unknownMax: 3, addressOf: () => client };
  const { url, port } = await startServer(options, (_socket, onKnown) => known.push(onKnown));
  const [first] = [await dialSocket(url), await dialSocket(url)];
  expect(await statusOf(port)).toBe(429);
  client = 'two';
  await dialSocket(url);
  expect(await statusOf(port)).toBe(429);
  client = 'one';
  first.drop();
  await first.closed;
  known[1]?.();
  expect((await Promise.all([dialSocket(url), dialSocket(url)])).length).toBe(2);
  expect(await statusOf(port)).toBe(429);
});

test('takes no more sockets on once it is detached, and cuts off those that stay', async () => {
  const { url, port, attached } = await startServer();
  const socket = await dialSocket(url);
  attached.detach();
  const raw = handshake(port, '/api/v1/ai/live', '');
  const [answer] = (await once(raw, 'data')) as [Buffer];
  raw.destroy();
  expect(answer.toString('latin1')).not.toContain('101');
  attached.terminate();
  expect(await socket.closed).toBe(1006);
});

test('closes with the code that a session is closed with', async () => {
  const { url } = await startServer({}, (socket) => socket.close(closeCodes.badAccess));
  expect(await (await dialSocket(url)).closed).toBe(4401);
});

const acceptNone = (socket: LiveSocket): void => socket.close(closeCodes.normal, 'no session here');

test('hands a socket at the path of another wire to that wire, with its address, and refuses a path of none', async () => {
  const seen: unknown[] = [];
  const server = createServer();
  const live = {
    path: '/api/v1/ai/live',
    limits: defaultLiveLimits,
    accept: () => {
      throw new Error('the socket went to the session of the contract');
    },
    wireOf: ({ path, query, header }: UpgradeRequest) => {
      seen.push([path, query, header('x-mark')]);
      return path === '/ws/other' ? acceptNone : null;
    },
  };
  attachLive(server, live);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const socket = await dialSocket(`ws://127.0.0.1:${port}/ws/other?key=k`);
  expect(await socket.closed).toBe(1000);
  expect(await statusOf(port, '/ws/none?key=k', 'x-mark: m\r\n')).toBe(404);
  expect(seen).toEqual([
    ['/ws/other', 'key=k', null],
    ['/ws/none', 'key=k', 'm'],
  ]);
});
