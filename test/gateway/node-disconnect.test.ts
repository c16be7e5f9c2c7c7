import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Storage } from '@tollgate/storage';
import { expect, onTestFinished, test } from 'vitest';
import { acceptOne, chatHead, openRawSocket } from './raw-socket.ts';
import {
  createOwnGateway,
  greeting,
  postChat,
  serveOwnGateway,
  streamRequest,
  type OwnGateway,
} from './served-gateway.ts';

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

test('finishes what was handed over when the client leaves, and responds to it later [requests:timeout:not-cancel]', async () => {
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

/** Tells when a storage has noted that a client left without its answer. */
const watchNotes = () => {
  const { promise: noted, resolve: note } = Promise.withResolvers<void>();
  const between = (storage: Storage): Storage => ({
    ...storage,
    transact: async (keys, decide) => {
      const answer = await storage.transact(keys, decide);
      if (keys.every(({ table }) => table === 'undelivered')) note();
      return answer;
    },
  });
  return { between, noted };
};

const debitsOf = async ({ gateway, accountId }: OwnGateway): Promise<number> =>
  (await gateway.admin.readStatement(accountId)).filter(({ kind }) => kind === 'debit').length;

/** What is asked of both ways to serve a gateway: the client leaves its first try and marks the second as a retry. */
const leaveAndRetry = async (
  own: OwnGateway,
  noted: Promise<void>,
  ask: (retries: number, signal?: AbortSignal) => Promise<Response>,
): Promise<string> => {
  const { promise: until, resolve } = Promise.withResolvers<void>();
  own.provider.script({ kind: 'wait', until, next: { kind: 'answer', generation: { text: 'Worth waiting for.' } } });
  const leaving = new AbortController();
  const left = ask(0, leaving.signal).catch(() => null);
  await own.provider.received(1);
  leaving.abort();
  await noted;
  const retried = ask(1);
  resolve();
  const answer = await retried;
  expect(answer.headers.get('idempotency-replayed')).toBe('true');
  await left;
  expect(own.provider.calls.length).toBe(1);
  expect(await debitsOf(own)).toBe(1);
  expect(answer.headers.get('x-request-id')).toBe((await onlyOperation(own))?.id);
  return answer.text();
};

const marked = (own: OwnGateway, url: string, retries: number): Request =>
  new Request(`${url}/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${own.key}`,
      'content-type': 'application/json',
      'x-stainless-retry-count': String(retries),
    },
    body: greeting,
  });

test('gives a retry that its client marks the answer that the client did not wait for, executed and charged once', async () => {
  const { between, noted } = watchNotes();
  const own = await serveOwnGateway({ drainMs: 0, between });
  onTestFinished(() => own.server.close());
  const text = await leaveAndRetry(own, noted, (retries, signal) =>
    fetch(marked(own, own.url, retries), { signal: signal ?? null }),
  );
  expect(text).toContain('Worth waiting for.');
});

test('does so where the gateway is mounted as fetch', async () => {
  const { between, noted } = watchNotes();
  const own = await createOwnGateway({ between });
  onTestFinished(() => own.gateway.close({ drainMs: 0 }));
  const url = 'http://gateway.test/api/v1/ai';
  const text = await leaveAndRetry(own, noted, (retries, signal) =>
    own.gateway.fetch(new Request(marked(own, url, retries), { signal: signal ?? null })),
  );
  expect(text).toContain('Worth waiting for.');
});

test('notes nothing of a client that left in the middle of its stream', async () => {
  let notes = 0;
  const between = (storage: Storage): Storage => ({
    ...storage,
    transact: (keys, decide) => {
      if (keys.every(({ table }) => table === 'undelivered')) notes += 1;
      return storage.transact(keys, decide);
    },
  });
  const own = await serveOwnGateway({ drainMs: 0, between });
  onTestFinished(() => own.server.close());
  const { promise: until, resolve } = Promise.withResolvers<void>();
  const piece = { kind: 'text', text: 'Half' } as const;
  own.provider.script({ kind: 'wait', pieces: [piece], until, next: { kind: 'answer', pieces: [piece] } });
  const accepted = acceptOne(own.server.server);
  const socket = await openRawSocket(own.server.origin);
  const serverSide = await accepted;
  socket.write(streamRequest(own.key, '').replace('Idempotency-Key: ', 'X-Stainless-Retry-Count: 0'));
  await socket.received(/"Half"/);
  const left = once(serverSide, 'close');
  socket.socket.destroy();
  await left;
  resolve();
  while ((await onlyOperation(own))?.state !== 'completed') await nextTurn();
  expect(notes).toBe(0);
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
    onGone: () => () => {},
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
