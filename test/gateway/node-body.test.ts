import { expect, onTestFinished, test } from 'vitest';
import { acceptOne, chatHead, openRawSocket } from './raw-socket.ts';
import { greeting, postChat, serveOwnGateway } from './served-gateway.ts';

const bodyBytesMax = 2_000_000;

const bodyOf = (bytes: number): string => {
  const frame = JSON.stringify({ messages: [{ role: 'user', content: '' }] }).length;
  return JSON.stringify({ messages: [{ role: 'user', content: 'a'.repeat(bytes - frame) }] });
};

const start = async (options: Parameters<typeof serveOwnGateway>[0] = {}) => {
  const own = await serveOwnGateway({ drainMs: 0, ...options });
  onTestFinished(() => own.server.close());
  return own;
};

const operationsOf = ({ gateway, projectId }: Awaited<ReturnType<typeof start>>) =>
  gateway.admin.listOperations({ kind: 'project', projectId });

test('takes 2,000,000 bytes and refuses one more, of known length or in chunks [chat:body:max-bytes] [errors:status:413-body-too-large]', async () => {
  const own = await start();
  for (const [bytes, status] of [
    [bodyBytesMax, 200],
    [bodyBytesMax + 1, 413],
  ] as const) {
    const text = bodyOf(bytes);
    expect(Buffer.byteLength(text)).toBe(bytes);
    expect((await postChat(own, { body: text })).status).toBe(status);
    const socket = await openRawSocket(own.server.origin);
    socket.write(chatHead(own.key, 'Transfer-Encoding: chunked', 'Connection: close'));
    for (let from = 0; from < bytes; from += 65_536) {
      const chunk = text.slice(from, from + 65_536);
      socket.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
    }
    socket.write('0\r\n\r\n');
    expect(await socket.received(/^HTTP\/1\.1 \d+/)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    socket.socket.destroy();
  }
  expect(own.provider.calls.length).toBe(2);
});

test('refuses a declared length at once, before the body comes [errors:status:413-body-too-large]', async () => {
  const own = await start();
  const socket = await openRawSocket(own.server.origin);
  socket.write(chatHead(own.key, `Content-Length: ${bodyBytesMax + 1}`));
  expect(await socket.received(/body_too_large/)).toMatch(/^HTTP\/1\.1 413 /);
  socket.socket.destroy();
});

test('refuses a chunked body as soon as it is too large, without its end [errors:status:413-body-too-large]', async () => {
  const own = await start();
  const socket = await openRawSocket(own.server.origin);
  socket.write(chatHead(own.key, 'Transfer-Encoding: chunked'));
  const chunk = 'a'.repeat(65_536);
  for (let sent = 0; sent <= bodyBytesMax; sent += chunk.length) socket.write(`10000\r\n${chunk}\r\n`);
  expect(await socket.received(/body_too_large/)).toMatch(/^HTTP\/1\.1 413 /);
  socket.socket.destroy();
});

/** What libuv reads of one socket before the event loop goes on: 32 reads of 64 KiB. */
const readAtOnceBytesMax = 32 * 65_536;

test('cuts off a client that goes on sending after the refusal', async () => {
  const discardedBytesMax = 1_000_000;
  const own = await start({ limits: { discardedBytesMax } });
  const accepted = acceptOne(own.server.server);
  const socket = await openRawSocket(own.server.origin);
  const serverSide = await accepted;
  socket.write(chatHead(own.key, 'Transfer-Encoding: chunked'));
  const chunk = `10000\r\n${'a'.repeat(65_536)}\r\n`;
  // The connection is reset under a client that still writes; an error of it is no fault.
  const closed = new Promise((resolve) => socket.socket.once('close', resolve));
  const flood = (): void => {
    while (!socket.socket.destroyed && socket.socket.write(chunk));
  };
  socket.socket.on('drain', flood);
  flood();
  await closed;
  expect(serverSide.bytesRead).toBeLessThan(bodyBytesMax + discardedBytesMax + readAtOnceBytesMax);
  expect(own.provider.calls.length).toBe(0);
});

test('runs nothing of a body that ends too early', async () => {
  const own = await start();
  const socket = await openRawSocket(own.server.origin);
  socket.write(chatHead(own.key, `Content-Length: ${greeting.length + 10}`));
  socket.write(greeting);
  socket.socket.destroy();
  const [answer] = await own.answered(1);
  expect(answer?.status).toBe(400);
  expect(own.provider.calls.length).toBe(0);
  expect(await operationsOf(own)).toEqual([]);
  expect((await postChat(own)).status).toBe(200);
});

test('limits the time for a body that does not arrive', async () => {
  const own = await start({ limits: { bodyMs: 20 } });
  const socket = await openRawSocket(own.server.origin);
  socket.write(chatHead(own.key, 'Content-Length: 100'));
  socket.write('{');
  expect(await socket.received(/invalid_json/)).toMatch(/^HTTP\/1\.1 400 /);
  socket.socket.destroy();
});

test('reads a chat without a content type as JSON over a socket [errors:body:content-type]', async () => {
  const own = await start();
  const socket = await openRawSocket(own.server.origin);
  const head = chatHead(own.key, `Content-Length: ${greeting.length}`).replace(
    'Content-Type: application/json\r\n',
    '',
  );
  socket.write(head + greeting);
  expect(await socket.received(/chatcmpl-/)).toMatch(/^HTTP\/1\.1 200 /);
  socket.socket.destroy();
});
