import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer, type Server } from 'node:https';
import { createServer as createRawServer, type AddressInfo, type Server as RawServer } from 'node:net';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import type { Dispatcher, Pool } from 'undici';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { createConnectionPool, type ConnectionPoolOptions } from './connection-pool.ts';

const read = (name: string): string => readFileSync(new URL(`../test-data/${name}`, import.meta.url), 'utf8');
const cert = read('upstream-certificate.pem');
const key = read('upstream-key.pem');

beforeAll(() => setDefaultCACertificates([...getCACertificates(), cert]));

const pools: Pool[] = [];
const servers: RawServer[] = [];
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.destroy()));
  for (const server of servers.splice(0)) server.close();
});

const poolTo = async (
  server: RawServer | Server,
  scheme: 'http' | 'https',
  options: ConnectionPoolOptions = {},
): Promise<Pool> => {
  servers.push(server);
  server.listen(0, 'localhost');
  await once(server, 'listening');
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  const pool = await createConnectionPool(`${scheme}://localhost:${port}`, options);
  pools.push(pool);
  return pool;
};

interface Received {
  readonly status: number;
  readonly bytes: Buffer;
}

/** Reads an answer as providers do, with a pause after each piece where one is asked for. */
const get = (pool: Pool, path: string, pauseMs = 0): Promise<Received> =>
  new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let status = 0;
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => {},
      onResponseStart(_controller, statusCode) {
        status = statusCode;
      },
      onResponseData(controller, chunk) {
        pieces.push(Buffer.from(chunk));
        if (pauseMs === 0) return;
        controller.pause();
        setTimeout(() => controller.resume(), pauseMs);
      },
      onResponseEnd: () => resolve({ status, bytes: Buffer.concat(pieces) }),
      onResponseError: (_controller, cause) => reject(cause),
    };
    pool.dispatch({ path, method: 'GET' }, handler);
  });

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Bytes of which no two pieces are alike. */
const manyBytes = (seed: string, sizeBytes: number): Buffer => {
  const text = Array.from({ length: Math.ceil(sizeBytes / 64) }, (_, at) => hashOf(Buffer.from(`${seed}${at}`)));
  return Buffer.from(text.join('')).subarray(0, sizeBytes);
};

const eventCount = 40;

/** Returns `/events/<name>` with events that name it, a few at once, and `/bytes/<size>` with so many. */
const upstream: RequestListener = (request, response) => {
  const [, kind, name = ''] = (request.url ?? '').split('/');
  if (kind === 'bytes') {
    response.end(manyBytes('bytes', Number(name)));
    return;
  }
  let sent = 0;
  const send = (): void => {
    sent += 1;
    response.write(`data: ${name} ${sent} ${'.'.repeat(sent * 7)}\n\n`);
    if (sent < eventCount) setTimeout(send, sent % 3);
    else response.end();
  };
  send();
};

const eventsOf = (name: string): string =>
  Array.from({ length: eventCount }, (_, at) => `data: ${name} ${at + 1} ${'.'.repeat((at + 1) * 7)}\n\n`).join('');

const schemes = [
  ['http', () => createServer(upstream)],
  ['https', () => createSecureServer({ cert, key }, upstream)],
] as const;

test.each(schemes)('%s: keeps the bytes of many streams at once apart', async (scheme, create) => {
  const pool = await poolTo(create(), scheme);
  const names = Array.from({ length: 60 }, (_, at) => `stream-${at}`);
  const answers = await Promise.all(names.map((name) => get(pool, `/events/${name}`)));
  expect(answers.map(({ bytes }) => bytes.toString())).toEqual(names.map(eventsOf));
});

test.each(schemes)('%s: loses nothing of large answers, read beside others or slowly', async (scheme, create) => {
  const pool = await poolTo(create(), scheme);
  const [size, slow] = [3_000_000, 700_000];
  const answers = await Promise.all([
    get(pool, `/bytes/${size}`),
    get(pool, `/bytes/${slow}`, 1),
    get(pool, `/bytes/${size + 1}`),
    get(pool, '/events/beside'),
  ]);
  const expected = [manyBytes('bytes', size), manyBytes('bytes', slow), manyBytes('bytes', size + 1)].map(hashOf);
  expect(answers.slice(0, 3).map(({ bytes }) => hashOf(bytes))).toEqual(expected);
  expect(answers[3]?.bytes.toString()).toBe(eventsOf('beside'));
});

test('opens no more connections than it may, and uses each again', async () => {
  let opened = 0;
  const server = createServer(upstream).on('connection', () => (opened += 1));
  const pool = await poolTo(server, 'http', { connections: 3 });
  await Promise.all(Array.from({ length: 12 }, (_, at) => get(pool, `/events/${at}`)));
  await get(pool, '/events/last');
  expect(opened).toBe(3);
});

test('resumes a TLS session on its further connections', async () => {
  const resumed: boolean[] = [];
  const server = createSecureServer({ cert, key }, upstream);
  server.on('secureConnection', (socket: TLSSocket) => resumed.push(socket.isSessionReused()));
  const pool = await poolTo(server, 'https');
  await get(pool, '/events/first');
  await Promise.all([get(pool, '/events/second'), get(pool, '/events/third')]);
  expect(resumed[0]).toBe(false);
  expect(resumed.slice(1)).toContain(true);
});

test('tells when the other side breaks off in the middle, and when no server listens', async () => {
  const server = createRawServer((socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhalf \r\n', () => socket.destroy());
    });
  });
  const pool = await poolTo(server, 'http');
  await expect(get(pool, '/')).rejects.toThrow(/other side closed|terminated|ECONNRESET/);
  server.close();
  await once(server, 'close');
  await expect(get(pool, '/')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});
