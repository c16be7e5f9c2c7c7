import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Dispatcher, Pool } from 'undici';
import { afterEach, expect, test } from 'vitest';
import { createConnectionPool } from './connection-pool.ts';
import { exchange, type WireExchange } from './exchange.ts';
import type { WireBody } from './wire-body.ts';

const pools: Pool[] = [];
const servers: Server[] = [];
const sockets = new Set<Socket>();
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.destroy()));
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  for (const server of servers.splice(0)) server.close();
});

/** An upstream that is a raw socket: `play` gets what a client wrote so far, each time that more comes. */
const upstream = async (play: (socket: Socket, sofar: string) => void): Promise<Omit<WireExchange, 'signal'>> => {
  const server = createServer((socket) => {
    sockets.add(socket);
    let sofar = '';
    socket.on('error', () => {});
    socket.on('data', (bytes) => play(socket, (sofar += bytes.toString('latin1'))));
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  return callTo(`http://127.0.0.1:${port}`);
};

const callTo = async (origin: string): Promise<Omit<WireExchange, 'signal'>> => {
  const dispatcher = await createConnectionPool(origin);
  pools.push(dispatcher);
  const request = { origin, path: '/', method: 'POST', headers: {} } as const;
  return { dispatcher, request, limits: { timeoutMs: 3_600_000, responseBytesMax: 1_000 } };
};

const body: WireBody = { kind: 'bytes', bytes: Buffer.from('{}') };
const signal = new AbortController().signal;
const head = (more: string, status = '200 OK'): string => `HTTP/1.1 ${status}\r\n${more}\r\n\r\n`;
const chunked = head('content-type: text/event-stream\r\ntransfer-encoding: chunked');
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

const piecesOf = (pieces: readonly (string | Error)[], byteLength: number): WireBody => ({
  kind: 'pieces',
  byteLength,
  read: async function* () {
    for (const piece of pieces) {
      if (piece instanceof Error) throw piece;
      yield Buffer.from(piece);
    }
  },
});

const long = piecesOf(
  Array.from({ length: 100 }, () => 'x'.repeat(1_000_000)),
  100_000_000,
);

test('returns what came, whatever its status, and the body as it was sent in pieces', async () => {
  const seen: string[] = [];
  const call = await upstream((socket, sofar) => {
    if (!sofar.endsWith('abcdef')) return;
    seen.push(sofar);
    socket.write(`${head('content-length: 4', '404 Not Found')}gone`);
  });
  const outcome = await exchange({ ...call, body: piecesOf(['abc', '', 'def'], 6), signal });
  expect(outcome).toMatchObject({ kind: 'answered', status: 404, body: 'gone' });
  expect(seen[0]).toContain('content-length: 6');
});

test('hands the bytes of a 2xx answer over as they come', async () => {
  const call = await upstream((socket) => socket.end(`${chunked}${chunk('one')}${chunk('two')}0\r\n\r\n`));
  const taken: string[] = [];
  const onChunk = (bytes: Buffer): void => void taken.push(bytes.toString());
  expect(await exchange({ ...call, body, signal, onChunk })).toMatchObject({ kind: 'streamed', status: 200 });
  expect(taken.join('')).toBe('onetwo');
});

const refuse = (): never => expect.unreachable();
const hasType = (headers: object): boolean => 'content-type' in headers;

test('does not keep the bytes of the headers while the answer comes', async () => {
  const call = await upstream((socket) => socket.end(`${chunked}${chunk('one')}0\r\n\r\n`));
  const controllers: Dispatcher.DispatchController[] = [];
  const dispatcher = call.dispatcher.compose((dispatch) => (options, handler) => {
    const onRequestStart: Dispatcher.DispatchHandler['onRequestStart'] = (controller, context) => {
      controllers.push(controller);
      handler.onRequestStart?.(controller, context);
    };
    return dispatch(options, { ...handler, onRequestStart });
  });
  const kept: unknown[] = [];
  const onChunk = (): void => void kept.push(...controllers.map(({ rawHeaders }) => rawHeaders));
  const outcome = await exchange({ ...call, dispatcher, body, signal, onChunk });
  expect(outcome).toMatchObject({ kind: 'streamed', headers: { 'content-type': 'text/event-stream' } });
  expect(kept).toEqual([null]);
});

test('gathers a 2xx answer that is not streamed by its headers, and any other status', async () => {
  const refused = await upstream((socket) => socket.write(`${head('content-length: 3', '500 No')}why`));
  const plain = await upstream((socket) => socket.write(`${head('content-length: 2')}{}`));
  expect(await exchange({ ...refused, body, signal, onChunk: refuse })).toMatchObject({
    kind: 'answered',
    body: 'why',
  });
  expect(await exchange({ ...plain, body, signal, onChunk: refuse, streams: hasType })).toMatchObject({
    kind: 'answered',
    body: '{}',
  });
});

test('waits a second, not the whole time-out, for the end of an answer that has said enough', async () => {
  const call = await upstream((socket) => socket.write(`${chunked}${chunk('done')}`));
  const outcome = await exchange({ ...call, body, signal, onChunk: () => 'enough' });
  expect(outcome).toMatchObject({ kind: 'lost', detail: 'timed_out', status: 200 });
});

test('hands over nothing more after enough', async () => {
  const call = await upstream((socket) => {
    socket.write(`${chunked}${chunk('first')}`);
    setTimeout(() => socket.end(`${chunk('second')}0\r\n\r\n`), 50);
  });
  let times = 0;
  const onChunk = (): 'enough' => {
    times += 1;
    return 'enough';
  };
  expect(await exchange({ ...call, body, signal, onChunk })).toMatchObject({ kind: 'streamed' });
  expect(times).toBe(1);
});

test('loses a response that its receiver cannot read, with the cause', async () => {
  const call = await upstream((socket) => socket.write(`${chunked}${chunk('x')}`));
  const cause = new Error('unreadable');
  const onChunk = (): never => {
    throw cause;
  };
  const outcome = await exchange({ ...call, body, signal, onChunk });
  const headers = { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' };
  expect(outcome).toEqual({ kind: 'lost', detail: 'unreadable_answer', status: 200, headers, cause });
});

test.each([
  ['too long an answer', `${head('content-length: 2000')}${'x'.repeat(2_000)}`, 'response_too_large', 200],
  ['an answer that is cut', `${head('content-length: 20')}x`, 'connection_lost', 200],
  ['a connection that is cut without an answer', '', 'connection_lost', null],
])('loses %s', async (_title, bytes, detail, status) => {
  const call = await upstream((socket) => socket.end(bytes));
  expect(await exchange({ ...call, body, signal })).toMatchObject({ kind: 'lost', detail, status });
});

test('may have run once it is written: a time-out and an abort lose the answer', async () => {
  const silent = await upstream(() => {});
  const limits = { ...silent.limits, timeoutMs: 100 };
  expect(await exchange({ ...silent, limits, body, signal })).toMatchObject({ kind: 'lost', detail: 'timed_out' });
  const leaving = new AbortController();
  const heard = await upstream(() => leaving.abort());
  const outcome = await exchange({ ...heard, body, signal: leaving.signal });
  expect(outcome).toMatchObject({ kind: 'lost', detail: 'aborted', status: null });
});

test('is not sent where the signal is aborted or no server listens', async () => {
  const call = await upstream(() => expect.unreachable());
  expect(await exchange({ ...call, body, signal: AbortSignal.abort() })).toMatchObject({
    kind: 'not_sent',
    why: 'aborted',
  });
  const nobody = await callTo(call.request.origin);
  servers.splice(0).forEach((server) => server.close());
  expect(await exchange({ ...nobody, body, signal })).toMatchObject({ kind: 'not_sent', why: 'refused' });
});

test('is not sent where the body certainly did not go out whole', async () => {
  const cut = await upstream((socket) => socket.destroy());
  expect(await exchange({ ...cut, body: long, signal })).toMatchObject({ kind: 'not_sent', why: 'body_unfinished' });
  const cause = new Error('disk');
  const broken = await upstream(() => {});
  const unreadable = piecesOf(['x', cause], 10);
  expect(await exchange({ ...broken, body: unreadable, signal })).toEqual({
    kind: 'not_sent',
    why: 'body_unreadable',
    cause,
  });
});

test('takes the answer that comes before the body has gone out', async () => {
  const call = await upstream((socket) => socket.write(`${head('content-length: 4', '413 Too Large')}much`));
  expect(await exchange({ ...call, body: long, signal })).toMatchObject({
    kind: 'answered',
    status: 413,
    body: 'much',
  });
});
