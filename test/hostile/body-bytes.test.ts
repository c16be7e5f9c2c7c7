import { afterAll, beforeAll, expect, test } from 'vitest';
import { chatBody, choiceIn, errorIn, postChat } from '../clients/chat-call.ts';
import { mediaSamples } from '../clients/media-samples.ts';
import { lastOf, startGateway, type RunningGateway } from '../clients/running-gateway.ts';
import { chatHead, chunkOf, lastChunk, openSocket, type RawSocket } from './raw-socket.ts';

/** How long the hasty gateway waits for a body; the other one waits longer than any machine is busy. */
const hastyMs = 1_000;
const patientMs = 3_600_000;
const bytesMax = 2_000_000;

const starting = (bodyMs: number): Promise<RunningGateway> =>
  startGateway({ serving: { limits: { bodyMs, discardedBytesMax: 4_000_000 } } });

let running: RunningGateway;
let hasty: RunningGateway;
beforeAll(async () => {
  running = await starting(patientMs);
  hasty = await starting(hastyMs);
});
afterAll(async () => {
  // Whatever the clients did, the gateway still answers.
  expect((await postChat(running, chatBody('Hi'))).status).toBe(200);
  expect([...running.errors, ...hasty.errors]).toEqual([]);
  await running.close();
  await hasty.close();
});

const small = Buffer.from(chatBody('[[sandbox: echo Here I am.]]'));

/** A valid body of exactly that many bytes, filled up with a text of the letter. */
const bodyOf = (bytes: number, letter = 'a'): Buffer<ArrayBuffer> => {
  const empty = Buffer.byteLength(chatBody('x')) - 1;
  const width = Buffer.byteLength(letter);
  const count = Math.floor((bytes - empty) / width);
  const body = Buffer.from(chatBody(letter.repeat(count) + 'a'.repeat(bytes - empty - count * width)));
  expect(body.length).toBe(bytes);
  return body;
};

const inChunks = (socket: RawSocket, body: Buffer, size: number): void => {
  socket.write(chatHead(running.key, ['Transfer-Encoding: chunked']));
  for (let at = 0; at < body.length; at += size) socket.write(chunkOf(body.subarray(at, at + size)));
  socket.write(lastChunk);
};

const tooLarge = { status: 413, headers: { 'content-type': 'application/json' } };

test('takes 2,000,000 bytes and refuses 2,000,001, with their length told [chat:body:max-bytes] [errors:status:413-body-too-large]', async () => {
  const taken = await postChat(running, bodyOf(bytesMax));
  expect(taken.status).toBe(200);
  const before = running.calls.length;
  const refused = await postChat(running, bodyOf(bytesMax + 1));
  expect([refused.status, errorIn(refused).code]).toEqual([413, 'body_too_large']);
  expect(running.calls).toHaveLength(before);
});

test.each([65_536, 1_999_999])(
  'takes 2,000,000 bytes and refuses 2,000,001 in chunks of %i [chat:body:max-bytes] [errors:status:413-body-too-large]',
  async (size) => {
    const socket = await openSocket(running.origin);
    inChunks(socket, bodyOf(bytesMax), size);
    expect(await socket.answer()).toMatchObject({ status: 200 });
    inChunks(socket, bodyOf(bytesMax + 1), size);
    expect(await socket.answer()).toMatchObject(tooLarge);
    socket.destroy();
  },
);

test.each(['é', '語', '🛰'])(
  'counts bytes and not characters of %s [chat:body:media-counted-in-bytes]',
  async (letter) => {
    expect((await postChat(running, bodyOf(bytesMax, letter))).status).toBe(200);
    const [part] = lastOf(running.calls).contents[0]?.parts ?? [];
    expect(part?.kind === 'text' && part.text.startsWith(letter.repeat(1_000))).toBe(true);
    expect((await postChat(running, bodyOf(bytesMax + 1, letter))).status).toBe(413);
  },
);

test('counts inline images too [chat:body:media-counted-in-bytes]', async () => {
  const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${mediaSamples.png}` } };
  const many = Array.from({ length: 900 }, () => image);
  const body = (text: string) => chatBody([{ type: 'text', text }, ...many]);
  const filler = 'a'.repeat(bytesMax - Buffer.byteLength(body('')));
  expect((await postChat(running, body(filler))).status).toBe(200);
  expect((await postChat(running, body(`${filler}a`))).status).toBe(413);
});

test('says at once that a body is too large, without waiting for it [errors:status:413-body-too-large]', async () => {
  const socket = await openSocket(running.origin);
  socket.write(chatHead(running.key, ['Content-Length: 9000000000']));
  expect(await socket.answer()).toMatchObject(tooLarge);
  // A client that goes on sending is disconnected in the end.
  const piece = Buffer.alloc(1_000_000, ' ');
  for (let sent = 0; sent < 8; sent += 1) socket.write(piece);
  await socket.closed;
});

test('stops reading an endless body of chunks [errors:status:413-body-too-large]', async () => {
  const socket = await openSocket(running.origin);
  socket.write(chatHead(running.key, ['Transfer-Encoding: chunked']));
  const piece = chunkOf(Buffer.alloc(500_000, ' '));
  for (let sent = 0; sent < 20; sent += 1) socket.write(piece);
  expect(await socket.answer()).toMatchObject(tooLarge);
  await socket.closed;
});

test('takes a body that comes byte by byte, as long as it is in time', async () => {
  const socket = await openSocket(running.origin);
  socket.write(chatHead(running.key, [`Content-Length: ${small.length}`]));
  for (const byte of small) {
    socket.write(Uint8Array.of(byte));
    await new Promise(setImmediate);
  }
  const answer = await socket.answer();
  expect([answer?.status, answer?.body.includes('Here I am.')]).toEqual([200, true]);
  socket.destroy();
});

test('takes a head and a chunked body that come byte by byte', async () => {
  const socket = await openSocket(running.origin);
  const bytes = Buffer.concat([
    Buffer.from(chatHead(running.key, ['Transfer-Encoding: chunked'])),
    ...Array.from(small, (byte) => chunkOf(Uint8Array.of(byte))),
    Buffer.from(lastChunk),
  ]);
  for (let at = 0; at < bytes.length; at += 7) {
    socket.write(bytes.subarray(at, at + 7));
    await new Promise(setImmediate);
  }
  expect(await socket.answer()).toMatchObject({ status: 200 });
  socket.destroy();
});

test('gives up on a body that never ends, registers nothing and closes the connection [errors:status:400-invalid-json]', async () => {
  const before = { calls: hasty.calls.length, seq: (await hasty.gateway.admin.readWallet(hasty.accountId))?.seq };
  const socket = await openSocket(hasty.origin);
  socket.write(chatHead(hasty.key, [`Content-Length: ${small.length + 1}`]));
  socket.write(small);
  const answer = await socket.answer();
  expect(answer?.status).toBe(400);
  expect(answer?.body).toContain('"code":"invalid_json"');
  await socket.closed;
  expect(hasty.calls).toHaveLength(before.calls);
  expect((await hasty.gateway.admin.readWallet(hasty.accountId))?.seq).toBe(before.seq);
});

test.each([
  ['a length and chunks', ['Content-Length: 5', 'Transfer-Encoding: chunked']],
  ['two lengths', ['Content-Length: 5', 'Content-Length: 6']],
  ['a length that is no number', ['Content-Length: five']],
  ['a negative length', ['Content-Length: -1']],
  ['a length in hexadecimal', ['Content-Length: 0x10']],
  ['an unknown transfer encoding', ['Transfer-Encoding: gzip']],
  ['chunks under another name', ['Transfer-Encoding: xchunked']],
  ['a header without a colon', ['Nonsense']],
  ['a header name with a space', ['Content Length: 5']],
  ['a folded header', ['X-One: a', ' b']],
  ['a NUL in a header', ['X-One: a\0b']],
  ['a bare carriage return', ['X-One: a\rX-Two: b']],
])('refuses a request with %s and closes the connection', async (_, headers) => {
  const before = running.calls.length;
  const socket = await openSocket(running.origin);
  socket.write(chatHead(running.key, headers));
  socket.write(`0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n`);
  const answer = await socket.answer();
  expect(answer === null || answer.status === 400).toBe(true);
  await socket.closed;
  // Nothing behind it was taken for a request of its own.
  expect(await socket.answer()).toBeNull();
  expect(running.wire.some(({ path }) => path === '/smuggled')).toBe(false);
  expect(running.calls).toHaveLength(before);
});

test('refuses chunks that are no chunks, and runs nothing', async () => {
  const before = running.calls.length;
  for (const nonsense of ['zz\r\n', '-1\r\n', 'fffffffffffffffff\r\n', '5\r\nabcdeXX', '5;\0\r\nabcde\r\n']) {
    const socket = await openSocket(running.origin);
    socket.write(chatHead(running.key, ['Transfer-Encoding: chunked']) + nonsense);
    socket.end();
    const answer = await socket.answer();
    expect([nonsense, answer === null || answer.status === 400]).toEqual([nonsense, true]);
    await socket.closed;
  }
  expect(running.calls).toHaveLength(before);
});

test('takes a length that is too short for what it says, and the rest for the next request', async () => {
  const socket = await openSocket(running.origin);
  socket.write(chatHead(running.key, ['Content-Length: 10']));
  socket.write(small);
  expect(await socket.answer()).toMatchObject({ status: 400 });
  // What follows is no request line.
  await socket.closed;
  expect((await socket.answer())?.status ?? 400).toBe(400);
});

test('answers pipelined requests in order', async () => {
  const socket = await openSocket(running.origin);
  const texts = ['[[sandbox: slow 60]] [[sandbox: echo one]]', '[[sandbox: echo two]]', '[[sandbox: echo three]]'];
  for (const text of texts) {
    const body = chatBody(text);
    socket.write(chatHead(running.key, [`Content-Length: ${Buffer.byteLength(body)}`]) + body);
  }
  const contents: (string | null)[] = [];
  for (const _ of texts) {
    const answer = await socket.answer();
    if (answer === null) throw new Error('the connection was closed');
    const read = { status: answer.status, headers: new Headers(answer.headers), text: answer.body };
    contents.push(choiceIn(read).message.content);
  }
  expect(contents).toEqual(['one', 'two', 'three']);
  socket.destroy();
});

test('goes on to read on the same connection after a refusal that left the body unread', async () => {
  const socket = await openSocket(running.origin);
  const wrongKey = chatHead('tg_wrong', [`Content-Length: ${small.length}`]);
  socket.write(wrongKey);
  socket.write(small);
  expect(await socket.answer()).toMatchObject({ status: 401 });
  socket.write(chatHead(running.key, [`Content-Length: ${small.length}`]));
  socket.write(small);
  expect(await socket.answer()).toMatchObject({ status: 200 });
  socket.destroy();
});

test('responds to a client that waits for 100 Continue', async () => {
  const socket = await openSocket(running.origin);
  socket.write(chatHead(running.key, ['Expect: 100-continue', `Content-Length: ${small.length}`]));
  expect(await socket.answer()).toMatchObject({ status: 100 });
  socket.write(small);
  expect(await socket.answer()).toMatchObject({ status: 200 });
  socket.destroy();
});

test('leaves no operation behind when the client goes before its body is whole [idempotency:refused:not-consumed]', async () => {
  const before = running.calls.length;
  const head = chatHead(running.key, [`Content-Length: ${small.length}`, 'Idempotency-Key: early']);
  const stages = [
    head.slice(0, 10),
    head.slice(0, -2),
    head,
    head + small.subarray(0, 1).toString(),
    head + small.subarray(0, -1).toString(),
  ];
  for (const stage of stages) {
    const socket = await openSocket(running.origin);
    socket.write(stage);
    await new Promise(setImmediate);
    socket.destroy();
    await socket.closed;
  }
  const after = await postChat(running, small.toString(), { 'idempotency-key': 'early' });
  expect([after.status, after.headers.get('idempotency-replayed')]).toEqual([200, 'false']);
  expect(running.calls).toHaveLength(before + 1);
});

test('finishes, charges and keeps what a client did not wait for [requests:timeout:not-cancel]', async () => {
  const body = chatBody('[[sandbox: slow 1000]] [[sandbox: echo For later.]]');
  const calls = running.calls.length;
  const socket = await openSocket(running.origin);
  socket.write(chatHead(running.key, [`Content-Length: ${body.length}`, 'Idempotency-Key: gone']) + body);
  while (running.calls.length === calls) await new Promise(setImmediate);
  socket.destroy();
  await socket.closed;
  const during = await postChat(running, body, { 'idempotency-key': 'gone' });
  expect([during.status, errorIn(during).code]).toEqual([409, 'request_in_progress']);
  // The first request has its answer when its exchange is on record; the other one is the refusal above.
  const isOver = () => running.wire.some(({ identity, answer }) => identity === 'gone' && answer.status === 200);
  while (!isOver()) await new Promise(setImmediate);
  const after = await postChat(running, body, { 'idempotency-key': 'gone' });
  expect([after.status, after.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
  expect(choiceIn(after).message.content).toBe('For later.');
  expect(running.calls).toHaveLength(calls + 1);
});

test('keeps an answer whose client left in the middle of it [requests:timeout:not-cancel] [idempotency:replay:equal-answer]', async () => {
  const text = 'word '.repeat(50_000);
  const body = chatBody(`[[sandbox: echo ${text}]]`);
  const calls = running.calls.length;
  const leaving = new AbortController();
  const answer = await fetch(`${running.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${running.key}`,
      'content-type': 'application/json',
      'idempotency-key': 'middle',
    },
    body,
    signal: leaving.signal,
  });
  leaving.abort();
  await expect(answer.text()).rejects.toThrow('abort');
  const replay = await postChat(running, body, { 'idempotency-key': 'middle' });
  expect([replay.status, replay.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
  expect(choiceIn(replay).message.content === text.trim()).toBe(true);
  expect(running.calls).toHaveLength(calls + 1);
});

test('keeps answering others while hundreds of connections dawdle', async () => {
  const sockets = await Promise.all(Array.from({ length: 300 }, () => openSocket(hasty.origin)));
  for (const socket of sockets) socket.write(`${chatHead(hasty.key, ['Content-Length: 100'])}{`);
  const answer = await postChat(hasty, chatBody('Hi'));
  expect(answer.status).toBe(200);
  const refusals = await Promise.all(sockets.map((socket) => socket.answer()));
  expect(new Set(refusals.map((refusal) => refusal?.status))).toEqual(new Set([400]));
  for (const socket of sockets) socket.destroy();
});
