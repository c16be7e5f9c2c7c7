import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import OpenAI from 'openai';
import { microsFromCredits } from 'tollgate';
import { openAccount } from '../src/accounts.ts';
import { prices } from '../src/prices.ts';
import { startTestServer, type TestServer } from './start-test-server.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

const clientOf = (apiKey: string): OpenAI =>
  new OpenAI({ baseURL: `${server.origin}/api/v1/ai`, apiKey, maxRetries: 0 });

const ask = (client: OpenAI, identity: string) =>
  client.chat.completions.create(
    { model: 'small', messages: [{ role: 'user', content: 'Hello' }] },
    { headers: { 'Idempotency-Key': identity } },
  );

/** What a chat with `small` costs by src/prices.ts, in whole micro-credits: what is below one goes with the next charge. */
const chargeOf = (input: number, output: number): bigint => {
  const { input_text_tokens: inputPrice = 0, output_text_tokens: outputPrice = 0 } =
    prices.models['small']?.perMillion ?? {};
  const micros = (tokens: number, price: number | string) => BigInt(tokens) * microsFromCredits(String(price));
  return (micros(input, inputPrice) + micros(output, outputPrice)) / 1_000_000n;
};

test('a chat is charged by the price list, and once however often it is sent', async () => {
  const { admin } = server.gateway;
  const { accountId, key } = await openAccount(admin, { name: 'Ada', credits: '1' });
  const client = clientOf(key);
  const first = await ask(client, 'order-1');
  assert.deepEqual(await ask(client, 'order-1'), first);
  assert.ok(first.choices[0]?.message.content);

  const { prompt_tokens: input = 0, completion_tokens: output = 0 } = first.usage ?? {};
  assert.ok(input > 0 && output > 0);
  const wallet = await admin.readWallet(accountId);
  assert.equal(wallet?.balanceMicros, microsFromCredits('1') - chargeOf(input, output));
  assert.equal(wallet?.reservedMicros, 0n);
  assert.deepEqual((await admin.audit()).violations, []);
});

test('a chat streams', async () => {
  const { key } = await openAccount(server.gateway.admin, { name: 'Grace', credits: '1' });
  const stream = await clientOf(key).chat.completions.create({
    model: 'small',
    messages: [{ role: 'user', content: 'Hello' }],
    stream: true,
  });
  let text = '';
  for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
  assert.notEqual(text, '');
});

test('an account without credits is refused', async () => {
  const { key } = await openAccount(server.gateway.admin, { name: 'Poor', credits: '0.000001' });
  await assert.rejects(ask(clientOf(key), 'order-1'), { status: 402 });
});

test('probes tell that the server is alive and ready', async () => {
  for (const path of ['/healthz', '/readyz']) assert.equal((await fetch(server.origin + path)).status, 200);
});
