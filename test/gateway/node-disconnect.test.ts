import { once } from 'node:events';
import type { Storage } from '@tollgate/storage';
import { expect, onTestFinished, test } from 'vitest';
import { acceptOne, chatHead, openRawSocket } from './raw-socket.ts';
import { createOwnGateway, greeting, postChat, serveOwnGateway, type OwnGateway } from './served-gateway.ts';

const onlyOperation = async ({ gateway, projectId }: OwnGateway) => {
  const operations = await gateway.admin.listOperations({ kind: 'project', projectId });
  expect(operations.length).toBe(1);
  return operations[0];
};

/** Holds back the step that opens an operation until it is let go. */
const holdOpening = () => {
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const between = (storage: Storage): Storage => ({
    ...storage,
    transact: async (keys, decide) => {
      const opens = keys.some(({ table, ...key }) => table === 'operation' && 'fresh' in key);
      if (opens) {
        reach();
        await released;
      }
      return storage.transact(keys, decide);
    },
  });
  return { between, reached, release };
};

/** Everything that must hold of an operation that was cancelled before its hand-over. */
const expectCancelled = async (own: OwnGateway): Promise<void> => {
  const [answer] = await own.answered(1);
  expect(answer?.status).toBe(499);
  const body = typeof answer?.body === 'string' ? answer.body : '{}';
  expect(JSON.parse(body)).toMatchObject({ error: { code: 'request_cancelled' } });
  const operation = await onlyOperation(own);
  expect([operation?.state, operation?.errorCode, operation?.holdMicros]).toEqual(['failed', 'request_cancelled', 0n]);
  expect(own.provider.calls.length).toBe(0);
  expect(own.logged()).toContain('"code":"request_cancelled"');
  const wallet = await own.gateway.admin.readWallet(own.accountId);
  expect([wallet?.balanceMicros, wallet?.reservedMicros]).toEqual([1_000_000_000n, 0n]);
};

test('finishes what was handed over when the client leaves, and answers it later [requests:timeout:not-cancel]', async () => {
  const own = await serveOwnGateway({ drainMs: 0 });
  onTestFinished(() => own.server.close());
  const { promise: until, resolve } = Promise.withResolvers<void>();
  own.provider.script({ kind: 'wait', until, next: { kind: 'answer', generation: { text: 'Worth waiting for.' } } });
  const socket = await openRawSocket(own.server.origin);
  socket.write(chatHead(own.key, 'Idempotency-Key: patient', `Content-Length: ${greeting.length}`) + greeting);
  await own.provider.received(1);
  socket.socket.destroy();
  resolve();
  const [answer] = await own.answered(1);
  expect(answer?.status).toBe(200);
  expect((await onlyOperation(own))?.state).toBe('completed');
  const replay = await postChat(own, { identity: 'patient' });
  expect(replay.status).toBe(200);
  expect(replay.headers.get('idempotency-replayed')).toBe('true');
  expect(await replay.text()).toBe(answer?.body);
  expect(own.provider.calls.length).toBe(1);
});

test('finishes what was handed over when a client of fetch leaves [requests:timeout:not-cancel]', async () => {
  const own = await serveOwnGateway({ drainMs: 0 });
  onTestFinished(() => own.server.close());
  const { promise: until, resolve } = Promise.withResolvers<void>();
  own.provider.script({ kind: 'wait', until, next: { kind: 'answer' } });
  const leaving = new AbortController();
  const asked = postChat(own, { identity: 'impatient', signal: leaving.signal });
  await own.provider.received(1);
  leaving.abort();
  await expect(asked).rejects.toThrow('aborted');
  resolve();
  const [answer] = await own.answered(1);
  expect(await (await postChat(own, { identity: 'impatient' })).text()).toBe(answer?.body);
});

test('cancels what was not handed over when the client leaves [errors:status:499] [requests:move:reserved-aborted]', async () => {
  const { between, reached, release } = holdOpening();
  const own = await serveOwnGateway({ drainMs: 0, between });
  onTestFinished(() => own.server.close());
  const accepted = acceptOne(own.server.server);
  const socket = await openRawSocket(own.server.origin);
  const serverSide = await accepted;
  socket.write(chatHead(own.key, `Content-Length: ${greeting.length}`) + greeting);
  await reached;
  const left = once(serverSide, 'close');
  socket.socket.destroy();
  await left;
  release();
  expect(await own.answered(1)).toHaveLength(1);
  await expectCancelled(own);
});

test('cancels what was not handed over when a request is aborted [errors:status:499] [requests:move:reserved-aborted]', async () => {
  const { between, reached, release } = holdOpening();
  const own = await createOwnGateway({ between });
  onTestFinished(() => own.gateway.close({ drainMs: 0 }));
  const leaving = new AbortController();
  const asked = own.gateway.handle({
    method: 'POST',
    path: '/api/v1/ai/chat/completions',
    query: '',
    header: (name) => (name === 'authorization' ? `Bearer ${own.key}` : null),
    readBody: () => Promise.resolve({ kind: 'read', bytes: Buffer.from(greeting) }),
    readBodyChunks: async function* () {
      yield Buffer.from(greeting);
    },
    isGone: () => leaving.signal.aborted,
  });
  await reached;
  leaving.abort();
  release();
  await asked;
  expect(await own.answered(1)).toHaveLength(1);
  await expectCancelled(own);
});

test('refuses to run again what was cancelled under one identity', async () => {
  const { between, reached, release } = holdOpening();
  const own = await serveOwnGateway({ drainMs: 0, between });
  onTestFinished(() => own.server.close());
  const accepted = acceptOne(own.server.server);
  const socket = await openRawSocket(own.server.origin);
  const serverSide = await accepted;
  socket.write(chatHead(own.key, 'Idempotency-Key: gone', `Content-Length: ${greeting.length}`) + greeting);
  await reached;
  const left = once(serverSide, 'close');
  socket.socket.destroy();
  await left;
  release();
  await own.answered(1);
  const repeat = await postChat(own, { identity: 'gone' });
  expect([repeat.status, await repeat.json()]).toMatchObject([409, { error: { code: 'previous_request_failed' } }]);
});
