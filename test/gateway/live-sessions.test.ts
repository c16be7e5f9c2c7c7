import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Provider } from '@tollgate/provider';
import type { Storage } from '@tollgate/storage';
import { createMemoryDisk, memoryStorage } from '@tollgate/storage-memory';
import { sqliteStorage } from '@tollgate/storage-sqlite';
import { dialSocket, socketPair, type SuiteSocket } from '@tollgate/testing/gateway';
import { createGateway, sandboxProvider, serve, silentLogger, type Gateway } from 'tollgate';
import { expect, onTestFinished, test } from 'vitest';

const model = 'flash-2.5-native-audio-latest';

/** A key of an account with credits. */
const createKey = async ({ admin }: Gateway): Promise<{ readonly key: string; readonly accountId: string }> => {
  const { id: accountId } = await admin.createAccount({ name: 'Sessions' });
  await admin.deposit({ accountId, amountMicros: 1_000_000_000n, reference: crypto.randomUUID() });
  const project = await admin.createProject({ accountId, name: 'Sessions' });
  const created = project === null ? null : await admin.createKey({ projectId: project.id, model });
  if (created === null) throw new Error('no key was made');
  return { key: created.key, accountId };
};

const startGateway = async (
  storage: Storage = memoryStorage({ disk: createMemoryDisk() }),
  provider: Provider = sandboxProvider(),
) => {
  const gateway = await createGateway({ storage, provider, logger: silentLogger });
  const server = await serve(gateway, { port: 0, drainMs: 5_000 });
  onTestFinished(() => server.close());
  return { gateway, server, ...(await createKey(gateway)) };
};

interface Access {
  readonly id: string;
  readonly url: string;
  readonly access_key: string;
}

const ask = async (origin: string, key: string, config: object): Promise<Access> => {
  const answer = await fetch(`${origin}/api/v1/ai/live`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ config }),
  });
  expect(answer.status).toBe(200);
  // The contract's answer, which the suite checks field by field.
  return (await answer.json()) as Access;
};

/** An open session. */
const open = async (origin: string, key: string, config: object = {}) => {
  const access = await ask(origin, key, config);
  const socket = await dialSocket(access.url);
  socket.send(JSON.stringify({ id: access.id, access_key: access.access_key }));
  expect(JSON.parse(await socket.next())).toEqual({ setupComplete: {} });
  return { id: access.id, socket };
};

const text = { generationConfig: { responseModalities: ['TEXT'] } };
const say = (words: string): string =>
  JSON.stringify({ clientContent: { turns: [{ role: 'user', parts: [{ text: words }] }], turnComplete: true } });

/** Frames up to the one that completes the turn. */
const readTurn = async (socket: SuiteSocket): Promise<readonly string[]> => {
  const frames: string[] = [];
  for (;;) {
    const frame = await socket.next();
    frames.push(frame);
    if (frame.includes('turnComplete')) return frames;
  }
};

test('speaks with the sandbox over a real socket, and charges what was said', async () => {
  const { gateway, server, key } = await startGateway();
  const { id, socket } = await open(server.origin, key, { outputAudioTranscription: {} });
  socket.send(say('[[sandbox: echo Good day]]'));
  const frames = await readTurn(socket);
  expect(frames.filter((frame) => frame.includes('audio/pcm')).length).toBeGreaterThan(3);
  socket.close();
  await expect.poll(async () => (await gateway.admin.readOperation(id))?.state).toBe('completed');
  const operation = await gateway.admin.readOperation(id);
  expect(operation?.chargedMicros).toBeGreaterThan(0n);
  expect(operation?.attempts).toMatchObject([{ provider: 'sandbox', outcome: 'answered' }]);
});

test('closes sessions for a restart, and settles them before it stops [live:close:normal-and-restart]', async () => {
  const disk = createMemoryDisk();
  const storage = () => memoryStorage({ disk });
  const gateway = await createGateway({ storage: storage(), provider: sandboxProvider(), logger: silentLogger });
  const server = await serve(gateway, { port: 0, drainMs: 5_000 });
  const { key } = await createKey(gateway);
  const { id, socket } = await open(server.origin, key, text);
  socket.send(say('Hello'));
  await readTurn(socket);
  await server.close();
  expect(await socket.closed).toBe(1012);
  const next = await createGateway({ storage: storage(), logger: silentLogger });
  onTestFinished(() => next.close({ drainMs: 0 }));
  expect((await next.admin.readOperation(id))?.state).toBe('completed');
});

test('ends alike for the client whichever way it goes, with the process unharmed', async () => {
  const { gateway, server, key } = await startGateway();
  const steps: readonly ((socket: SuiteSocket) => void)[] = [
    (socket) => socket.send('x'),
    (socket) => socket.send('a'.repeat(1_048_577)),
    (socket) => socket.send(new Uint8Array(3)),
    (socket) => socket.send(say('[[sandbox: drop]]')),
  ];
  const codes: number[] = [];
  for (const step of steps) {
    const { socket } = await open(server.origin, key, text);
    step(socket);
    codes.push(await socket.closed);
  }
  expect(codes).toEqual([1007, 1009, 1003, 1011]);
  await expect.poll(() => gateway.live.count()).toBe(0);
  const { socket } = await open(server.origin, key, text);
  socket.send(say('Still there?'));
  expect((await readTurn(socket)).join('')).toContain('Still there?');
  socket.close();
});

test('cuts off a client that does not read before its frames fill the memory, and settles what it used', async () => {
  const { gateway, server, key } = await startGateway();
  const access = await ask(server.origin, key, text);
  const { client, server: end } = socketPair();
  let waiting = 0;
  gateway.live.accept({ ...end, bufferedBytes: () => waiting });
  client.send(JSON.stringify({ id: access.id, access_key: access.access_key }));
  await client.next();
  waiting = gateway.live.limits.bufferedBytesMax;
  client.send(say('Hello'));
  expect(await client.closed).toBe(1006);
  await expect.poll(async () => (await gateway.admin.readOperation(access.id))?.state).toBe('completed');
  expect((await gateway.admin.readOperation(access.id))?.chargedMicros).toBeGreaterThan(0n);
});

test('takes a client for a stranger until its access is taken, or it is gone', async () => {
  const { gateway, server, key } = await startGateway();
  const bring = async (accessKey: string, id: string) => {
    const { client, server: end } = socketPair();
    let known = 0;
    gateway.live.accept(end, () => {
      known += 1;
    });
    expect(known).toBe(0);
    client.send(JSON.stringify({ id, access_key: accessKey }));
    return { client, known: () => known };
  };
  const { id, access_key: accessKey } = await ask(server.origin, key, text);
  const wrong = await bring('x'.repeat(accessKey.length), id);
  expect(await wrong.client.closed).toBe(4401);
  expect(wrong.known()).toBe(1);
  const right = await bring(accessKey, id);
  expect(await right.client.next()).toBe('{"setupComplete":{}}');
  right.client.close();
  await expect.poll(async () => (await gateway.admin.readOperation(id))?.state).toBe('completed');
  expect(right.known()).toBe(1);
});

test('is drained once every session is settled, however long the storage takes for it', async () => {
  const storage = memoryStorage({ disk: createMemoryDisk() });
  let passes = 0;
  const { gateway, server, key } = await startGateway({
    ...storage,
    transact: async (keys, decide) => {
      for (let pass = 0; pass < passes; pass += 1) await setImmediate();
      return storage.transact(keys, decide);
    },
  });
  const { id, socket } = await open(server.origin, key, text);
  socket.send(say('Hello'));
  await readTurn(socket);
  passes = 20;
  await gateway.live.drain();
  expect((await gateway.admin.readOperation(id))?.state).toBe('completed');
});

test('keeps 64 upstream requests of a session whose upstream is reconnected to again and again', async () => {
  const sandbox = sandboxProvider();
  const { live } = sandbox;
  if (live === undefined) throw new Error('the sandbox holds sessions');
  const attempt = { startedAtMs: 0, durationMs: 0, status: 101, outcome: 'answered' } as const;
  const { gateway, server, key } = await startGateway(undefined, {
    ...sandbox,
    live: {
      connect: (call, context) => {
        for (let request = 0; request < 70; request += 1) context.recordAttempt(attempt);
        return live.connect(call, context);
      },
    },
  });
  const { id, socket } = await open(server.origin, key, text);
  socket.close();
  await expect.poll(async () => (await gateway.admin.readOperation(id))?.state).toBe('completed');
  expect((await gateway.admin.readOperation(id))?.attempts).toHaveLength(64);
});

test('leaves a session whose process was killed uncertain, with the turns it had noted and its hold', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'tollgate-live-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const storage = () => sqliteStorage({ path: `${directory}/tollgate.db` });
  const first = await createGateway({ storage: storage(), logger: silentLogger });
  const { key, accountId } = await createKey(first);
  await first.close({ drainMs: 0 });
  const child = fork(new URL('live-session-holder.ts', import.meta.url), [directory], {
    execArgv: ['--conditions=@tollgate/source'],
  });
  const [origin] = (await once(child, 'message')) as [string];
  const { id, socket } = await open(origin, key, text);
  socket.send(say('[[sandbox: tokens in=700 out=7]] Hello'));
  await readTurn(socket);
  const read = async () => {
    const answer = await fetch(`${origin}/api/v1/ai/requests/${id}`, { headers: { authorization: `Bearer ${key}` } });
    return (await answer.json()) as { readonly status: string; readonly reserved_credits: number };
  };
  // A turn is recorded a moment after it was reported.
  const held = await read();
  expect(held.status).toBe('processing');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await socket.closed).toBe(1006);
  const second = await createGateway({ storage: storage(), logger: silentLogger });
  onTestFinished(() => second.close({ drainMs: 0 }));
  await expect
    .poll(
      async () => {
        await second.admin.sweep();
        return (await second.admin.readOperation(id))?.state;
      },
      { interval: 100 },
    )
    .toBe('uncertain');
  expect((await second.admin.readWallet(accountId))?.reservedMicros).toBeGreaterThan(0n);
  const resolved = await second.admin.resolveOperation(id, { executed: true });
  expect(resolved).toMatchObject({ kind: 'resolved', operation: { state: 'completed' } });
  const { violations } = await second.admin.audit();
  expect(violations).toEqual([]);
});
