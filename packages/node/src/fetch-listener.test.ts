import { once } from 'node:events';
import {
  createServer,
  request as nodeRequest,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { fetchListener, type FetchHandler, type FetchListenerOptions } from './fetch-listener.ts';

const listening = async (listener: RequestListener): Promise<{ readonly port: number; readonly origin: string }> => {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  return { port, origin: `http://127.0.0.1:${port}` };
};

const serving = (handler: FetchHandler, options?: FetchListenerOptions) => listening(fetchListener(handler, options));

/** What the server sends to a request of the test's own making, until it closes the connection. */
const sentTo = async (port: number, text: string): Promise<string> => {
  const client = connect(port, '127.0.0.1').setEncoding('latin1');
  let received = '';
  client.on('data', (piece: string) => (received += piece)).on('error', () => {});
  client.write(text);
  await once(client, 'close');
  return received;
};

test('gives the handler the request as the client sent it, and the client the response as the handler made it', async () => {
  const { origin } = await serving(async (request) => {
    const headers = new Headers({ 'x-seen': `${request.method} ${request.url} ${request.headers.get('x-one')}` });
    headers.append('set-cookie', 'a=1; Path=/');
    headers.append('set-cookie', 'b=2');
    return new Response(await request.text(), { status: 201, headers });
  });
  const response = await fetch(`${origin}/a/b?c=d%20e`, { method: 'PUT', headers: { 'x-one': '1' }, body: 'für 漢字' });
  expect(response.status).toBe(201);
  expect(response.headers.get('x-seen')).toBe(`PUT ${origin}/a/b?c=d%20e 1`);
  expect(response.headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2']);
  expect(await response.text()).toBe('für 漢字');
});

test('gives the handler the path before Express took the mount path away', async () => {
  const listener = fetchListener(({ url }) => new Response(new URL(url).pathname));
  const { origin } = await listening((incoming, outgoing) => {
    Object.assign(incoming, { originalUrl: incoming.url, url: '/keys' });
    listener(incoming, outgoing);
  });
  expect(await (await fetch(`${origin}/admin/keys`)).text()).toBe('/admin/keys');
});

test('streams both ways: the handler sees a chunk, and the client its echo, before the body ends', async () => {
  const { port } = await serving(({ body }) => new Response(body));
  const client = nodeRequest({ port, host: '127.0.0.1', method: 'POST' });
  client.write('one');
  const [response]: IncomingMessage[] = await once(client, 'response');
  if (response === undefined) throw new Error('no response came');
  const chunks = response.setEncoding('utf8').iterator();
  expect(await chunks.next()).toEqual({ done: false, value: 'one' });
  client.end('two');
  expect(await chunks.next()).toEqual({ done: false, value: 'two' });
  expect(await chunks.next()).toMatchObject({ done: true });
});

test('sends the headers of a stream before its first chunk', async () => {
  const { origin } = await serving(() => new Response(new ReadableStream(), { headers: { 'x-a': 'b' } }));
  const response = await fetch(origin);
  expect(response.headers.get('x-a')).toBe('b');
  await response.body?.cancel();
});

test('keeps a body whole whose chunks the handler reads late', async () => {
  const { origin } = await serving(async ({ body }) => {
    const chunks: Uint8Array[] = [];
    const stream: AsyncIterable<Uint8Array> | null = body;
    for await (const chunk of stream ?? []) chunks.push(chunk);
    return new Response(Buffer.concat(chunks));
  });
  const sent = Buffer.from(Array.from({ length: 400_000 }, (_, at) => at % 251));
  const echo = await fetch(origin, { method: 'POST', body: sent });
  expect(Buffer.from(await echo.arrayBuffer()).equals(sent)).toBe(true);
});

test('aborts the signal of the request when the client leaves before the response', async () => {
  const { promise: reached, resolve: reach } = Promise.withResolvers<AbortSignal>();
  const { promise: aborted, resolve: abort } = Promise.withResolvers<void>();
  const problems: unknown[] = [];
  const handler: FetchHandler = async ({ signal }) => {
    signal.addEventListener('abort', () => abort());
    reach(signal);
    await aborted;
    throw signal.reason;
  };
  const { origin } = await serving(handler, { onError: (cause) => problems.push(cause) });
  const leaving = new AbortController();
  const response = fetch(origin, { signal: leaving.signal }).catch((cause: unknown) => cause);
  await reached;
  leaving.abort();
  await Promise.all([aborted, response]);
  expect(problems).toEqual([]);
});

test('cancels the body of the response when the client leaves, also while no chunk comes', async () => {
  const { promise: cancelled, resolve: cancel } = Promise.withResolvers<AbortSignal>();
  const { origin } = await serving(({ signal }) => new Response(new ReadableStream({ cancel: () => cancel(signal) })));
  const leaving = new AbortController();
  await fetch(origin, { signal: leaving.signal });
  leaving.abort();
  expect((await cancelled).aborted).toBe(true);
});

test('does not abort the signal of a request whose response was sent whole', async () => {
  const signals: AbortSignal[] = [];
  const { port } = await serving(({ signal }) => {
    signals.push(signal);
    return new Response('whole');
  });
  expect(await sentTo(port, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')).toContain('whole');
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
});

test('refuses a body above its limit with 413, whether or not its length is declared, before the handler acts', async () => {
  const read: string[] = [];
  const handler: FetchHandler = async (request) => {
    read.push(await request.text());
    return new Response(null);
  };
  const { origin } = await serving(handler, { bodyBytesMax: 10 });
  const declared = await fetch(origin, { method: 'POST', body: '01234567890' });
  const body = new Blob(['01234567890']).stream();
  const undeclared = await fetch(origin, { method: 'POST', body, duplex: 'half' });
  expect([declared.status, undeclared.status, read]).toEqual([413, 413, []]);
  expect((await fetch(origin, { method: 'POST', body: '0123456789' })).status).toBe(200);
});

/** The next piece of a body without an end. */
const more = (controller: ReadableStreamDefaultController<Uint8Array>): void =>
  controller.enqueue(new Uint8Array(65_536));

test('cuts off a client that does not read its response, and cancels the rest', async () => {
  const { promise: cancelled, resolve: cancel } = Promise.withResolvers<void>();
  const body = (): ReadableStream => new ReadableStream({ pull: more, cancel: () => cancel() });
  const { port } = await serving(() => new Response(body()), { answerMs: 50 });
  const client = connect(port, '127.0.0.1');
  client.pause().on('error', () => {});
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await expect(cancelled).resolves.toBeUndefined();
  client.destroy();
});

test('responds with 500 where the handler throws, reports why, and tells the client nothing of it', async () => {
  const problems: unknown[] = [];
  const failure = new Error('the cause');
  const handler: FetchHandler = () => {
    throw failure;
  };
  const { origin } = await serving(handler, { onError: (cause) => problems.push(cause) });
  const response = await fetch(origin, { method: 'POST', body: 'unread' });
  expect([response.status, await response.text(), problems]).toEqual([500, '', [failure]]);
});

async function* breakingOff(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('half');
  throw new Error('broke off');
}

test('breaks the connection off where the body of the response breaks off, and reports why', async () => {
  const problems: unknown[] = [];
  const { origin } = await serving(() => new Response(ReadableStream.from(breakingOff())), {
    onError: (cause) => problems.push(cause),
  });
  await expect(fetch(origin).then((response) => response.text())).rejects.toThrow(/terminated|failed/);
  expect(problems).toMatchObject([{ message: 'broke off' }]);
});

test('reports a body that a body parser took, in place of an empty one', async () => {
  const problems: unknown[] = [];
  const listener = fetchListener(async (request) => new Response(await request.text()), {
    onError: (cause) => problems.push(cause),
  });
  const parse = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const taken = Buffer.concat(await incoming.toArray());
    if (incoming.url === '/kept') Object.assign(incoming, { rawBody: taken });
    listener(incoming, outgoing);
  };
  const { origin } = await listening((incoming, outgoing) => void parse(incoming, outgoing));
  expect(await (await fetch(`${origin}/kept`, { method: 'POST', body: 'kept' })).text()).toBe('kept');
  expect((await fetch(`${origin}/lost`, { method: 'POST', body: 'lost' })).status).toBe(500);
  expect(problems).toMatchObject([{ message: expect.stringContaining('before body parsers') }]);
});

test('sends the head alone to HEAD', async () => {
  const { origin } = await serving(() => new Response('body', { headers: { 'x-a': 'b' } }));
  const response = await fetch(origin, { method: 'HEAD' });
  expect([response.status, response.headers.get('x-a'), await response.text()]).toEqual([200, 'b', '']);
});

test.each([
  ['a host with a path', 'GET /b HTTP/1.1\r\nHost: a/admin?', '400'],
  ['a host with a user', 'GET /b HTTP/1.1\r\nHost: a@b', '400'],
  ['a path that would be a host', 'GET @evil.example/ HTTP/1.1\r\nHost: a', '400'],
  ['the form of OPTIONS without a path', 'OPTIONS * HTTP/1.1\r\nHost: a', '400'],
  ['a method that no request of fetch has', 'TRACE /b HTTP/1.1\r\nHost: a', '405'],
])('refuses %s', async (_, head, status) => {
  const seen: string[] = [];
  const { port } = await serving(({ url }) => {
    seen.push(url);
    return new Response(null);
  });
  const received = await sentTo(port, `${head}\r\nConnection: close\r\n\r\n`);
  expect([received.slice(0, 12), seen]).toEqual([`HTTP/1.1 ${status}`, []]);
});

test.each<[string, string, FetchListenerOptions, string]>([
  ['the whole address, of which the path counts', 'GET http://b/c?d HTTP/1.1\r\nHost: a', {}, 'http://a/c?d'],
  ['a path with two slashes', 'GET //b/c HTTP/1.1\r\nHost: a:8080', {}, 'http://a:8080//b/c'],
  ['no host', 'GET /c HTTP/1.0', {}, 'http://localhost/c'],
  ['the origin that the host states', 'GET /c HTTP/1.1\r\nHost: a', { origin: 'https://b' }, 'https://b/c'],
])('makes the address of %s', async (_, head, options, url) => {
  const { port } = await serving((request) => new Response(`<${request.url}>`), options);
  expect(await sentTo(port, `${head}\r\nConnection: close\r\n\r\n`)).toContain(`<${url}>`);
});

const empty: FetchHandler = () => new Response();

test('refuses an origin with a path, and a limit that is none', () => {
  expect(() => fetchListener(empty, { origin: 'https://shop.example/a' })).toThrow(/origin .*nothing behind it/);
  expect(() => fetchListener(empty, { bodyBytesMax: -1 })).toThrow(/bodyBytesMax/);
});
