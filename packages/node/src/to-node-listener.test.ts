import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { EventFeed, FeedSink, GatewayResponse } from '@tollgate/routes';
import { fetchListener } from './fetch-listener.ts';
import { toNodeListener, type NodeListener } from './to-node-listener.ts';

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
  status = 200,
): Promise<{ readonly port: number; readonly server: Server }> => {
  const listener = toNodeListener(() => Promise.resolve({ status, headers: {}, body }), { answerMs });
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

test('sends 304 without a length, and keeps the connection', async () => {
  const { port } = await answering('', 1_000, 304);
  const client = connect(port, '127.0.0.1').setEncoding('latin1');
  let received = '';
  client.on('data', (text: string) => (received += text));
  for (const requests of [1, 2]) {
    client.write('GET / HTTP/1.1\r\nHost: gateway\r\n\r\n');
    while (received.split('\r\n\r\n').length <= requests) await once(client, 'data');
  }
  client.destroy();
  expect(received.match(/^HTTP.1.1 304/gm)).toHaveLength(2);
  expect(received).not.toMatch(/content-length|transfer-encoding/i);
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

/** A feed of the test's making, as the routes hand one out: what is written before it is attached is not kept. */
const scripted = (play: (sink: FeedSink) => void): EventFeed => ({
  kind: 'events',
  attach: (sink) => {
    setImmediate(() => play(sink));
    return { resume: () => {}, leave: () => {} };
  },
});

const umlauts = 'data: für 漢字 \u{1F600}\n\n';

/** Two pieces in one turn, one in a later turn, and the end in the turn of the last piece. */
const threePieces = (): EventFeed =>
  scripted((sink) => {
    sink.write('data: a\n\n');
    sink.write(umlauts);
    setTimeout(() => {
      sink.write('data: b\n\n');
      sink.end();
    }, 5);
  });
const written = `data: a\n\n${umlauts}data: b\n\n`;

const serving = async (listener: NodeListener): Promise<{ readonly port: number; readonly server: Server }> => {
  const server = createServer(listener);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an address of this form.
  return { port: (server.address() as AddressInfo).port, server };
};
const feeding = (): NodeListener =>
  toNodeListener(() => Promise.resolve({ status: 200, headers: {}, body: threePieces() }));

/** What a client reads until the connection ends. */
const exchange = async (port: number, request: string): Promise<string> => {
  const client = connect(port, '127.0.0.1');
  client.write(request);
  const bytes: Buffer[] = [];
  for await (const chunk of client) bytes.push(chunk as Buffer);
  return Buffer.concat(bytes).toString('utf8');
};

test('streams pieces in chunks, what comes in one turn in one, and responds to the next request behind them', async () => {
  const { port } = await serving(feeding());
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe(written);
  const more = 'GET / HTTP/1.1\r\nHost: gateway\r\n\r\n';
  const last = 'GET / HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n\r\n';
  const [, ...answers] = (await exchange(port, `${more}${more}${last}`)).split('HTTP/1.1 200 OK\r\n');
  const first = `data: a\n\n${umlauts}`;
  const chunks = `${Buffer.byteLength(first).toString(16)}\r\n${first}\r\n9\r\ndata: b\n\n\r\n0\r\n\r\n`;
  expect(answers.map((answer) => answer.slice(answer.indexOf('\r\n\r\n') + 4))).toEqual([chunks, chunks, chunks]);
});

test('streams without chunks to a client of HTTP/1.0', async () => {
  const { port } = await serving(feeding());
  const raw = await exchange(port, 'GET / HTTP/1.0\r\n\r\n');
  expect(raw.slice(raw.indexOf('\r\n\r\n') + 4)).toBe(written);
});

test('writes the way of a middleware that has one, which sees the text alone', async () => {
  const seen: string[] = [];
  const listener = feeding();
  const { port } = await serving((request, response) => {
    const write = response.write.bind(response);
    response.write = (text: string) => {
      seen.push(text);
      return write(text.toUpperCase());
    };
    listener(request, response);
  });
  const response = await fetch(`http://127.0.0.1:${port}/`);
  expect(await response.text()).toBe(written.toUpperCase());
  expect(seen.join('')).toBe(written);
});

test('cuts off only the stream whose middleware fails to write', async () => {
  const listener = feeding();
  const { port } = await serving((request, response) => {
    if (request.url === '/broken') {
      response.write = () => {
        throw new Error('no way to write');
      };
    }
    listener(request, response);
  });
  const url = `http://127.0.0.1:${port}`;
  const textOf = async (path: string): Promise<string> => (await fetch(`${url}${path}`)).text();
  const [broken, ...whole] = await Promise.allSettled([textOf('/broken'), textOf('/'), textOf('/')]);
  expect(broken.status).toBe('rejected');
  const fulfilled = { status: 'fulfilled', value: written };
  expect(whole).toEqual([fulfilled, fulfilled]);
});

test('breaks a stream off so that no client takes it for complete, after what was written in the same turn', async () => {
  const listener = toNodeListener(() =>
    Promise.resolve({
      status: 200,
      headers: {},
      body: scripted((sink) => {
        sink.write('data: a\n\n');
        sink.cut();
      }),
    }),
  );
  const { port } = await serving(listener);
  const raw = await exchange(port, 'GET / HTTP/1.1\r\nHost: gateway\r\n\r\n');
  expect(raw.endsWith('9\r\ndata: a\n\n\r\n')).toBe(true);
});

test('refuses a gateway that was not awaited when it is mounted, and says so', () => {
  // What a host in plain JavaScript writes: a promise has no member of that name.
  const gateway = Promise.resolve({}) as unknown as { readonly handle: Parameters<typeof toNodeListener>[0] };
  const refusal = 'handle is missing; accepted is a function; await createGateway before you mount it';
  expect(() => toNodeListener(gateway.handle)).toThrow(refusal);
  expect(() => fetchListener(gateway as never)).toThrow('handler is a promise; await it; accepted is a function');
});
