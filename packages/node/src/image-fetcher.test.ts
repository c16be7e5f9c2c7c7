import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { imageFetcher, type ImageFetcherOptions } from './image-fetcher.ts';

const running: Server[] = [];
afterEach(() => {
  for (const server of running.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const publicAddress = '93.184.215.14';
const bytesMax = 1_000;

const fetcherTo = async (listener: RequestListener, options: ImageFetcherOptions = {}) => {
  const server = createServer(listener);
  running.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  const fetchImage = imageFetcher({
    resolve: async () => [publicAddress],
    connect: () => connect(port, '127.0.0.1'),
    ...options,
  });
  return (url: string, signal = new AbortController().signal, msMax = 30_000) =>
    fetchImage(url, { bytesMax, msMax, signal });
};

const url = 'http://images.example.com/a.png';

test('fetches what an address leads to, and says nothing of the caller', async () => {
  const headers: unknown[] = [];
  const fetchImage = await fetcherTo((request, response) => {
    headers.push(request.headers);
    response.end(Buffer.from([1, 2, 3]));
  });
  expect(await fetchImage(url)).toEqual({ kind: 'fetched', bytes: Buffer.from([1, 2, 3]) });
  expect(headers).toEqual([
    { accept: 'image/png, image/jpeg, image/webp', host: 'images.example.com', connection: 'close' },
  ]);
});

test.each([
  ['http://127.0.0.1/a.png', 'names its host by an IP address; name it by its name'],
  ['http://localhost/a.png', 'names no public host'],
  ['http://images.example.com:8080/a.png', 'names a port other than that of its scheme'],
  ['http://user:secret@images.example.com/a.png', 'holds credentials'],
  ['ftp://images.example.com/a.png', 'does not begin with https or http'],
  ['http://images.example.com/a b.png', 'is no absolute address, or holds spaces, control characters or backslashes'],
])('does not go to %s', async (address, why) => {
  const fetchImage = await fetcherTo(() => expect.unreachable());
  expect(await fetchImage(address)).toEqual({ kind: 'failed', why });
});

test('does not go where a name leads into a private network, at once or by a redirect', async () => {
  const inside = await fetcherTo(() => expect.unreachable(), { resolve: async () => ['10.0.0.1'] });
  expect(await inside(url)).toEqual({ kind: 'failed', why: 'does not lead to public addresses only' });
  const astray = await fetcherTo(
    (_, response) => void response.writeHead(302, { location: 'http://metadata.example.com/' }).end(),
    { resolve: async (host) => [host.startsWith('metadata') ? '169.254.169.254' : publicAddress] },
  );
  expect(await astray(url)).toEqual({ kind: 'failed', why: 'does not lead to public addresses only' });
});

test('reads no more than it may, nothing that breaks off, and nothing that is no success', async () => {
  const long = await fetcherTo((_, response) => void response.end(Buffer.alloc(bytesMax + 1)));
  expect(await long(url)).toEqual({ kind: 'failed', why: 'leads to more than 1000 bytes' });
  const cut = await fetcherTo((_, response) => {
    response.writeHead(200, { 'content-length': '10' });
    response.write('x', () => response.destroy());
  });
  expect(await cut(url)).toEqual({ kind: 'failed', why: 'was answered with less than was announced' });
  const missing = await fetcherTo((_, response) => void response.writeHead(404).end());
  expect(await missing(url)).toEqual({ kind: 'failed', why: 'was answered with the status 404' });
});

test('gives up with its caller, and says so', async () => {
  const fetchImage = await fetcherTo(() => {});
  const caller = new AbortController();
  const asked = fetchImage(url, caller.signal);
  caller.abort();
  expect(await asked).toEqual({ kind: 'failed', why: 'was not answered in time' });
});

test('gives up where the time of its chat is over, although it might have more for itself', async () => {
  const fetchImage = await fetcherTo(() => {}, { deadlineMs: 2_147_483_647 });
  expect(await fetchImage(url, undefined, 1)).toEqual({ kind: 'failed', why: 'was not answered in time' });
});
