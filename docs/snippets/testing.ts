import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { memoryLimits } from '@tollgate/limits';
import { sign, verify } from '@tollgate/signature';
import { memoryStorage } from '@tollgate/storage-memory';
import { fakeClock, startFakeOpenai } from '@tollgate/testing/fakes';
import {
  createGateway,
  microsFromCredits,
  openaiProvider,
  sandboxProvider,
  silentLogger,
  toNodeListener,
  type Gateway,
  type GatewayOptions,
} from 'tollgate';
import { expect, test } from 'vitest';
import { z } from 'zod';

// #region open
/** A credit is a million tokens, so that a test can count. */
const tariff = {
  version: 'test',
  models: { '*': { perMillion: { input_text_tokens: '1', output_text_tokens: '1' } } },
};

/** What the tests read of a response. */
const Answer = z.object({
  service: z.object({ credits: z.number() }).optional(),
  error: z.object({ code: z.string() }).optional(),
});

/** A gateway of its own for each test: in memory, with the sandbox, and a clock that the test turns. */
const openTestGateway = async (options: GatewayOptions = {}, credits = '100') => {
  const clock = fakeClock(Date.parse('2026-11-01T00:00:00Z'));
  const gateway = await createGateway({
    storage: memoryStorage({ now: clock.now }),
    provider: sandboxProvider(),
    world: { wallClockMs: clock.now, monotonicMs: clock.monotonicMs, sleep: clock.sleep, after: clock.after },
    logger: silentLogger,
    tariff,
    ...options,
  });
  const { admin } = gateway;
  const { id: accountId } = await admin.createAccount({ name: 'test' });
  if (credits !== '0') await admin.deposit({ accountId, amountMicros: microsFromCredits(credits), reference: 'test' });
  const project = await admin.createProject({ accountId, name: 'test' });
  const projectId = project?.id ?? '';
  const created = await admin.createKey({ projectId });
  const key = created?.key ?? '';
  const chat = async (content: string, headers: Readonly<Record<string, string>> = {}) => {
    const response = await gateway.fetch(
      new Request('http://gateway.test/api/v1/ai/chat/completions', {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ messages: [{ role: 'user', content }] }),
      }),
    );
    const body = Answer.parse(await response.json());
    return {
      status: response.status,
      headers: response.headers,
      credits: body.service?.credits,
      code: body.error?.code,
    };
  };
  return { gateway, admin, clock, accountId, projectId, keyId: created?.id ?? '', key, chat };
};
// #endregion open

// #region charge
test('a call is charged by what was measured', async () => {
  const { admin, accountId, chat } = await openTestGateway();
  expect(await chat('[[sandbox: tokens in=1000 out=500]]')).toMatchObject({ status: 200, credits: 0.0015 });
  expect(await admin.readWallet(accountId)).toMatchObject({
    balanceMicros: microsFromCredits('99.9985'),
    reservedMicros: 0n,
  });
});

test('a repeat under the same key gets the same response and is not charged', async () => {
  const { admin, accountId, chat } = await openTestGateway();
  const identity = { 'idempotency-key': 'order-7' };
  await chat('Hello', identity);
  const before = await admin.readWallet(accountId);
  expect((await chat('Hello', identity)).headers.get('idempotency-replayed')).toBe('true');
  expect(await admin.readWallet(accountId)).toEqual(before);
});
// #endregion charge

// #region low-balance
test('an account without credits is refused before a model runs', async () => {
  const { chat } = await openTestGateway({}, '0');
  expect(await chat('Hello')).toMatchObject({ status: 402, code: 'ai_insufficient_credits' });
});

test('the host hears of a low balance', async () => {
  const heard: string[] = [];
  const { gateway, accountId, chat } = await openTestGateway({
    hooks: { onLowBalance: (event) => void heard.push(event.accountId), lowBalanceMicros: microsFromCredits('99.9') },
  });
  await chat('[[sandbox: tokens in=200000]]');
  await gateway.jobs.runDue();
  expect(heard).toEqual([accountId]);
});
// #endregion low-balance

// #region uncertain
test('a lost response keeps its hold until it is decided', async () => {
  const { admin, accountId, chat } = await openTestGateway();
  await chat('[[sandbox: unknown]]');
  const { items } = await admin.findOperations({ state: 'uncertain' });
  expect(items).toHaveLength(1);
  const wallet = await admin.readWallet(accountId);
  expect(wallet?.reservedMicros).toBeGreaterThan(0n);
  await admin.resolveOperation(items[0]?.id ?? '', { executed: false });
  expect(await admin.readWallet(accountId)).toMatchObject({
    balanceMicros: microsFromCredits(100),
    reservedMicros: 0n,
  });
});
// #endregion uncertain

// #region hook
test('a hook refuses what the host does not want', async () => {
  const { chat } = await openTestGateway({
    hooks: {
      onRequest: ({ header }) =>
        header('x-customer-id') === null
          ? { refuse: { code: 'invalid_request', message: 'Name a customer.' } }
          : undefined,
    },
  });
  expect((await chat('Hello')).code).toBe('invalid_request');
  expect((await chat('Hello', { 'x-customer-id': '7' })).status).toBe(200);
});
// #endregion hook

// #region clock
test('a key stops at its expiry', async () => {
  const { admin, clock, keyId, chat } = await openTestGateway();
  await admin.changeKey(keyId, { expiresAtMs: clock.now() + 60_000 });
  expect((await chat('Hello')).status).toBe(200);
  await clock.advance(60_001);
  expect(await chat('Hello')).toMatchObject({ status: 401, code: 'ai_key_expired' });
});
// #endregion clock

// #region limit
test('a key over its limit gets 429, and is served when the time is over', async () => {
  const clock = fakeClock();
  const limiter = memoryLimits({
    monotonicMs: clock.monotonicMs,
    limitsOf: () => ({ key: { requestsPerMinute: 1 } }),
  });
  const { chat } = await openTestGateway({ limiter });
  expect((await chat('Hello')).status).toBe(200);
  const refused = await chat('Hello');
  expect(refused).toMatchObject({ status: 429, code: 'rate_limited' });
  await clock.advance(Number(refused.headers.get('retry-after')) * 1_000);
  expect((await chat('Hello')).status).toBe(200);
});
// #endregion limit

// #region receiver
test('the receiver takes a genuine event and refuses a changed one', () => {
  const event = { id: 'evt_1', type: 'request.completed' };
  const body = Buffer.from(JSON.stringify(event));
  const timestamp = '1795000000';
  const signature = sign('whsec_test', { eventId: event.id, timestamp, body });
  // What your receiver reads of the headers `x-service-event-id`, `x-service-timestamp` and `x-service-signature`.
  const delivery = { eventId: event.id, timestamp, signature, body };
  const changed = { ...delivery, body: Buffer.from('{"id":"evt_1"}') };
  const nowMs = 1_795_000_010_000;
  expect(verify(['whsec_test'], delivery, { nowMs }).kind).toBe('valid');
  expect(verify(['whsec_test'], changed, { nowMs }).kind).toBe('invalid');
  expect(verify(['whsec_test'], delivery, { nowMs: nowMs + 300_000 }).kind).toBe('invalid');
});
// #endregion receiver

// #region upstream
test('an upstream that refuses costs nothing', async () => {
  const upstream = await startFakeOpenai();
  const provider = openaiProvider({ baseUrl: upstream.url, apiKey: 'test' });
  const { admin, accountId, chat } = await openTestGateway({ provider });
  upstream.script({ kind: 'status', status: 401 });
  expect((await chat('Hello')).status).toBeGreaterThanOrEqual(400);
  expect(await admin.readWallet(accountId)).toMatchObject({
    balanceMicros: microsFromCredits(100),
    reservedMicros: 0n,
  });
  await upstream.close();
});
// #endregion upstream

// #region host
/** Stands for the function of your program that makes its server from a gateway. */
const serverOf = (gateway: Gateway): Server => {
  const gatewayListener = toNodeListener(gateway.handle);
  return createServer((request, response) => {
    if (request.url?.startsWith('/api/v1/ai/') === true) gatewayListener(request, response);
    else response.end('the other routes');
  });
};

test('the host serves its own routes, and charges a call that comes over HTTP', async () => {
  const { gateway, admin, accountId, key } = await openTestGateway();
  const server = serverOf(gateway).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const call = (authorization: string) =>
    fetch(`${origin}/api/v1/ai/chat/completions`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ role: 'user', content: '[[sandbox: tokens in=1000 out=500]]' }] }),
    });
  expect(await (await fetch(origin)).text()).toBe('the other routes');
  expect((await call('Bearer wrong')).status).toBe(401);
  expect((await call(`Bearer ${key}`)).status).toBe(200);
  expect(await admin.readWallet(accountId)).toMatchObject({ balanceMicros: microsFromCredits('99.9985') });
  expect(await admin.audit()).toMatchObject({ violations: [] });
  server.close();
  server.closeAllConnections();
  await gateway.close();
});
// #endregion host
