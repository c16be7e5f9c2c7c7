import { afterAll, beforeAll, expect, test } from 'vitest';
import { memoryStorage } from '../../packages/storage-memory/src/index.ts';
import { createGateway, serve, silentLogger, type Gateway } from '../../packages/tollgate/src/index.ts';

/** Over a socket, as only there a body has a length before it has been read. */
const model = 'flash-2.5';
let gateway: Gateway;
let server: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  gateway = await createGateway({ storage: memoryStorage(), logger: silentLogger });
  server = await serve(gateway, { port: 0 });
});
afterAll(() => server.close());

const createCaller = async (amountMicros: bigint): Promise<{ readonly key: string; readonly accountId: string }> => {
  const { id: accountId } = await gateway.admin.createAccount({ name: 'caller' });
  if (amountMicros > 0n) await gateway.admin.deposit({ accountId, amountMicros, reference: accountId });
  const project = await gateway.admin.createProject({ accountId, name: 'caller' });
  const made = await gateway.admin.createKey({ projectId: project?.id ?? '', model });
  return { accountId, key: made?.key ?? '' };
};

interface Sent {
  readonly path: string;
  readonly key: string;
  readonly body: string | ReadableStream;
  readonly headers?: Readonly<Record<string, string>>;
}

const send = async ({ path, key, body, headers = {} }: Sent) => {
  const answer = await fetch(`${server.origin}/api/v1/ai${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body,
    duplex: 'half',
  });
  const text = await answer.text();
  return { status: answer.status, code: /"code":"(\w+)"/.exec(text)?.[1], text };
};

const paths = ['/chat/completions', `/models/${model}:generateContent`, '/interactions', '/batches', '/caches'];
const broken = `{"messages":[${' '.repeat(300_000)}`;
const chatOf = (content: string, more: object = {}): string =>
  JSON.stringify({ messages: [{ role: 'user', content }], ...more });

const withSchema = (schema: object): string =>
  chatOf('Hello', { response_format: { type: 'json_schema', json_schema: { name: 'a', schema } } });

test.each(paths)('refuses a caller without credits before it reads a large body of POST %s', async (path) => {
  const { key } = await createCaller(0n);
  const refused = { status: 402, code: 'ai_insufficient_credits' };
  expect(await send({ path, key, body: broken })).toMatchObject(refused);
  expect(await send({ path, key, body: new Blob([broken]).stream() })).toMatchObject(refused);
  const headers = { 'idempotency-key': 'never' };
  expect(await send({ path, key, body: broken, headers })).toMatchObject(refused);
  const retried = { 'x-stainless-retry-count': '1' };
  expect(await send({ path, key, body: broken, headers: retried })).toMatchObject(refused);
  const rich = await createCaller(1_000_000n);
  expect(await send({ path, key: rich.key, body: broken })).toMatchObject({ status: 400, code: 'invalid_json' });
});

test('reads what is short, what is too large for its route, and what is free, of every caller', async () => {
  const { key } = await createCaller(0n);
  const path = '/chat/completions';
  expect(await send({ path, key, body: broken.slice(0, 1_000) })).toMatchObject({ status: 400 });
  expect(await send({ path, key, body: ' '.repeat(2_000_001) })).toMatchObject({ status: 413 });
  for (const free of ['/environments', '/agents', '/stores', '/files'])
    expect(await send({ path: free, key, body: broken })).toMatchObject({ status: 400, code: 'invalid_json' });
});

test('replays what was paid for, though nothing is left and the body is large', async () => {
  const { key, accountId } = await createCaller(1_000_000_000n);
  const sent = { path: '/chat/completions', key, body: chatOf('a'.repeat(300_000)) };
  const once = { ...sent, headers: { 'idempotency-key': 'once' } };
  const first = await send(once);
  expect(first.status).toBe(200);
  const wallet = await gateway.admin.readWallet(accountId);
  await gateway.admin.compensate({ accountId, amountMicros: -(wallet?.balanceMicros ?? 0n), reference: 'all of it' });
  expect(await send(once)).toEqual(first);
  expect(await send({ ...once, body: chatOf('b'.repeat(300_000)) })).toMatchObject({ code: 'ai_idempotency_conflict' });
  expect(await send(sent)).toMatchObject({ status: 402, code: 'ai_insufficient_credits' });
  expect(await send({ ...sent, headers: { 'x-stainless-retry-count': '0' } })).toMatchObject({ status: 402 });
});

test('refuses a caller who cannot pay for the response before it checks a schema', async () => {
  const path = '/chat/completions';
  const useless = withSchema({ $ref: '#' });
  const poor = await createCaller(1_000n);
  for (const headers of [{}, { 'idempotency-key': 'once' }])
    expect(await send({ path, key: poor.key, body: useless, headers })).toMatchObject({ status: 402 });
  const rich = await createCaller(1_000_000_000n);
  expect(await send({ path, key: rich.key, body: useless })).toMatchObject({ status: 422, code: 'invalid_request' });
});
