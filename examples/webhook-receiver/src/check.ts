// Events that come twice, a crash between storing and answering, and a forged one: it asserts, and ends by itself.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createGateway, sandboxProvider, sqliteStorage, type GatewayOptions } from 'tollgate';

type Sender = NonNullable<Exclude<GatewayOptions['webhooks'], false | undefined>['sender']>;

const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-receiver-'));
const handled: string[] = [];
let receiverUrl = 'http://127.0.0.1:1/';

/** A gateway sends to public addresses only; this one, for the check, to the receiver on this machine. */
const sender: Sender = {
  check: (url) => Promise.resolve({ kind: 'allowed', url }),
  send: async ({ headers, body }) => {
    try {
      const { status } = await fetch(receiverUrl, { method: 'POST', headers, body });
      return { kind: 'answered', status, retryAfterMs: null };
    } catch {
      return { kind: 'unreachable' };
    }
  },
  close: () => Promise.resolve(),
};

const startReceiver = async (environment: Readonly<Record<string, string>>) => {
  const child = fork(path.join(import.meta.dirname, 'receiver.ts'), {
    execArgv: [...process.execArgv, '--disable-warning=ExperimentalWarning'],
    env: { ...process.env, PORT: '0', DATABASE: path.join(folder, 'events.db'), ...environment },
  });
  const { promise: address, resolve } = Promise.withResolvers<number>();
  child.on('message', (word: { address?: { port: number }; handled?: string }) => {
    if (word.address !== undefined) resolve(word.address.port);
    if (word.handled !== undefined) handled.push(word.handled);
  });
  receiverUrl = `http://127.0.0.1:${await address}/`;
  return {
    ended: once(child, 'exit'),
    stop: async () => {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
};

let laterMs = 0;
const gateway = await createGateway({
  storage: sqliteStorage({ path: path.join(folder, 'gateway.db'), now: () => Date.now() + laterMs }),
  provider: sandboxProvider(),
  webhooks: { sender },
});
const { admin, jobs } = gateway;
const account = await admin.createAccount({ name: 'example' });
await admin.deposit({ accountId: account.id, amountMicros: 100_000_000n, reference: 'example' });
const project = await admin.createProject({ accountId: account.id, name: 'example' });
const key = project === null ? null : await admin.createKey({ projectId: project.id, model: 'flash-2.5' });
assert.ok(key !== null);

const ask = async (route: string, body?: object): Promise<Record<string, unknown>> => {
  const response = await gateway.fetch(
    new Request(`http://gateway.test/api/v1/ai${route}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
  assert.equal(response.status, 200);
  // The contract says what each route answers.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (await response.json()) as Record<string, unknown>;
};

const hook = await ask('/webhooks', { url: 'https://hooks.example.com/' });
const WEBHOOK_SECRET = String(hook['signing_secret']);
interface Delivery {
  readonly id: string;
  readonly status: string;
  readonly attempts: number;
}
const deliveries = async (): Promise<readonly Delivery[]> => {
  const { data } = await ask(`/webhooks/${String(hook['id'])}/deliveries`);
  // The contract says what a delivery holds.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return data as readonly Delivery[];
};

try {
  const crashing = await startReceiver({ WEBHOOK_SECRET, CRASH_AFTER_STORE: '1' });
  await ask('/chat/completions', { messages: [{ role: 'user', content: 'Hello' }] });
  await jobs.runDue();
  await crashing.ended;
  assert.equal((await deliveries())[0]?.status, 'pending');
  assert.equal(handled.length, 0);
  console.log('ok  stored, and killed before it answered: the delivery is pending');

  const receiver = await startReceiver({ WEBHOOK_SECRET });
  laterMs += 6_000;
  await jobs.runDue();
  const [delivery] = await deliveries();
  assert.deepEqual([delivery?.status, delivery?.attempts], ['delivered', 2]);
  console.log('ok  sent again, known already, acknowledged');

  await admin.redeliver({ webhookId: String(hook['id']), deliveryId: delivery?.id ?? '' });
  await jobs.runDue();
  await ask('/chat/completions', { messages: [{ role: 'user', content: 'And again' }] });
  await jobs.runDue();
  assert.equal((await fetch(receiverUrl, { method: 'POST', body: '{"id":"forged"}' })).status, 401);
  await receiver.stop();
  assert.equal(handled.length, 2);
  assert.equal(new Set(handled).size, 2);
  console.log('ok  two events handled, each once, although one came three times; a forged one was refused');
} finally {
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
}
