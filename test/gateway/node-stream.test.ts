import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OnParts } from '@tollgate/provider';
import { expect, onTestFinished, test } from 'vitest';
import { acceptOne, openRawSocket } from './raw-socket.ts';
import { postStream, serveOwnGateway, streamRequest, type OwnGateway } from './served-gateway.ts';

const text = (content: string) => ({ kind: 'text', text: content }) as const;
const end = {
  finish: 'stop',
  usage: [
    { unit: 'input_text_tokens', quantity: 10, confirmed: true },
    { unit: 'output_text_tokens', quantity: 5, confirmed: true },
  ],
} as const;

const start = async (options: Parameters<typeof serveOwnGateway>[0] = {}) => {
  const own = await serveOwnGateway({ drainMs: 0, ...options });
  onTestFinished(() => own.server.close());
  return own;
};

const stateOf = async ({ gateway, projectId }: OwnGateway) =>
  (await gateway.admin.listOperations({ kind: 'project', projectId }))[0]?.state;

/** Waits turn by turn until the one operation has ended well. */
const completed = async (own: OwnGateway): Promise<void> => {
  while ((await stateOf(own)) !== 'completed') await nextTurn();
};

/** A provider that hands out pieces until it is asked to stop, one each turn of the event loop. */
const endless = (piece: string) => {
  const stop = new AbortController();
  let handed = 0;
  return {
    stop: () => stop.abort(),
    handed: () => handed,
    generateStream: async (_call: unknown, _context: unknown, onParts: OnParts) => {
      while (!stop.signal.aborted) {
        onParts([text(piece)]);
        handed += 1;
        await nextTurn();
      }
      return end;
    },
  };
};

test('writes each piece to the socket as it comes [stream:generate:incremental]', async () => {
  const own = await start();
  const { promise: until, resolve } = Promise.withResolvers<void>();
  own.provider.script({
    kind: 'wait',
    pieces: [text('Good')],
    until,
    next: { kind: 'answer', pieces: [text(' day.')] },
  });
  const socket = await openRawSocket(own.server.origin);
  socket.write(streamRequest(own.key, 'incremental'));
  const head = await socket.received(/"Good"/);
  expect(head).toMatch(/^HTTP\/1\.1 200 /);
  expect(head).toMatch(/\r\ntransfer-encoding: chunked\r\n/i);
  expect(await stateOf(own)).toBe('processing');
  resolve();
  expect(await socket.received(/\r\n0\r\n\r\n$/)).toMatch(/data: \[DONE\]\n\n\r\n0\r\n\r\n$/);
  socket.socket.destroy();
});

test('ends a stream that fails in order, behind its error [stream:generate:error-midway]', async () => {
  const own = await start();
  own.provider.script({ kind: 'unknown', pieces: [text('Half')] });
  const socket = await openRawSocket(own.server.origin);
  socket.write(streamRequest(own.key, 'broken'));
  const received = await socket.received(/\r\n0\r\n\r\n$/);
  expect(received).toContain('event: error\ndata: {"error":{"code":"request_failed"');
  expect(received).not.toMatch(/content\.completed|\[DONE\]/);
  own.provider.script({ kind: 'unknown', pieces: [text('Half')] });
  const answer = await postStream(own);
  const id = answer.headers.get('x-request-id') ?? 'none';
  expect(await answer.text()).toMatch(new RegExp(`event: error\\ndata: .*"request_id":"${id}"}}\\n\\n$`));
});

test('finishes for a client whose socket is gone, and replays to it [requests:timeout:not-cancel]', async () => {
  const own = await start();
  const { promise: until, resolve } = Promise.withResolvers<void>();
  own.provider.script({
    kind: 'wait',
    pieces: [text('Left ')],
    until,
    next: { kind: 'answer', pieces: [text('over.')] },
  });
  const accepted = acceptOne(own.server.server);
  const socket = await openRawSocket(own.server.origin);
  const serverSide = await accepted;
  socket.write(streamRequest(own.key, 'left'));
  await socket.received(/"Left "/);
  const left = once(serverSide, 'close');
  socket.socket.destroy();
  await left;
  expect(own.provider.calls[0]?.context.signal.aborted).toBe(false);
  resolve();
  await completed(own);
  const replay = await postStream(own, { identity: 'left' });
  expect(replay.headers.get('idempotency-replayed')).toBe('true');
  expect(await replay.text()).toMatch(/"text":"Left "}.*\n\n.*"text":"over\."}/);
  expect(own.provider.calls.length).toBe(1);
});

test('finishes for a client of fetch that leaves', async () => {
  const own = await start();
  const { promise: until, resolve } = Promise.withResolvers<void>();
  own.provider.script({
    kind: 'wait',
    pieces: [text('Left ')],
    until,
    next: { kind: 'answer', pieces: [text('over.')] },
  });
  const leaving = new AbortController();
  const answer = await postStream(own, { identity: 'fetch', signal: leaving.signal });
  leaving.abort();
  await expect(answer.text()).rejects.toThrow('aborted');
  resolve();
  await completed(own);
  const replay = await postStream(own, { identity: 'fetch' });
  expect(replay.headers.get('idempotency-replayed')).toBe('true');
  expect(await replay.text()).toMatch(/"text":"Left "}.*\n\n.*"text":"over\."}/);
});

test('cuts off a client that does not read, whose operation goes on', async () => {
  const source = endless('x'.repeat(262_144));
  const own = await start({ generateStream: source.generateStream });
  const accepted = acceptOne(own.server.server);
  const socket = await openRawSocket(own.server.origin);
  const serverSide = await accepted;
  socket.write(streamRequest(own.key, 'slow'));
  await socket.received(/x{10}/);
  socket.socket.pause();
  await once(serverSide, 'close');
  // What waited was bounded: what the model wrote beyond that and the buffers of the two sockets was never kept.
  const cutAt = source.handed();
  expect(serverSide.writableLength).toBeLessThan(8_000_000);
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
  expect(source.handed()).toBeGreaterThan(cutAt);
  expect(await stateOf(own)).toBe('processing');
  source.stop();
  await completed(own);
  socket.socket.destroy();
});

test('cuts off a client that takes nothing for too long, however little waits for it', async () => {
  const { promise: until, resolve } = Promise.withResolvers<void>();
  const own = await start({
    limits: { answerMs: 50 },
    generateStream: async (_call, _context, onParts) => {
      // More than the buffers of the two sockets hold, in one piece: nothing waits but this.
      onParts([text('x'.repeat(30_000_000))]);
      await until;
      return end;
    },
  });
  const accepted = acceptOne(own.server.server);
  const socket = await openRawSocket(own.server.origin);
  const serverSide = await accepted;
  socket.write(streamRequest(own.key, 'stalled'));
  await socket.received(/x{10}/);
  socket.socket.pause();
  await once(serverSide, 'close');
  expect(await stateOf(own)).toBe('processing');
  resolve();
  await completed(own);
  socket.socket.destroy();
});

test('waits for a client that reads slowly but reads', async () => {
  const pieces = Array.from({ length: 100 }, (_, index) => text(`${index} ${'x'.repeat(100_000)}`));
  const own = await start({
    generateStream: async (_call, _context, onParts) => {
      for (const piece of pieces) {
        onParts([piece]);
        await nextTurn();
      }
      return end;
    },
  });
  const answer = await postStream(own);
  let received = '';
  for await (const chunk of answer.body ?? []) {
    received += Buffer.from(chunk).toString('latin1');
    await nextTurn();
  }
  expect(received.match(/"text":"[^"]/g)).toHaveLength(pieces.length);
  expect(received).toMatch(/data: \[DONE\]\n\n$/);
});

test('lets a stream under way finish before it closes', async () => {
  const own = await serveOwnGateway();
  const { promise: until, resolve } = Promise.withResolvers<void>();
  own.provider.script({
    kind: 'wait',
    pieces: [text('Nearly ')],
    until,
    next: { kind: 'answer', pieces: [text('there.')] },
  });
  const answer = await postStream(own);
  const closing = own.server.close();
  resolve();
  expect(await answer.text()).toMatch(/"there\."[^]*content\.completed[^]*data: \[DONE\]\n\n$/);
  await closing;
});
