import assert from 'node:assert/strict';
import { decimalFromMicros, type Administration } from '@tollgate/engine';
import { assertRefused, jsonOf, okJson, type Answer } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { accessFrame, liveBody, liveModel } from './live-ask.ts';
import { greeting, type GatewayWorld } from './gateway-world.ts';
import { suiteModel } from './suite-tariff.ts';

type TokenInput = Parameters<Administration['createToken']>[0];

const tokenOf = async (
  world: GatewayWorld,
  terms: Omit<TokenInput, 'keyId'> = {},
  keyId = world.keyId,
): Promise<{ readonly key: string; readonly id: string; readonly expiresAtMs: number }> => {
  const created = await world.admin.createToken({ keyId, ...terms });
  assert.ok(created !== null, 'the key of a token must exist');
  const { id, token, expiresAtMs } = created;
  return { key: token, id, expiresAtMs };
};

const page = 'https://app.example.com';

const messageOf = (answer: Answer): string => jsonOf(JSON.parse(answer.text)).at('error', 'message').text();

/** What one chat holds, as its record says while it waits with the provider. */
const holdOfChat = async (world: GatewayWorld): Promise<bigint> => {
  const { promise: until, resolve } = Promise.withResolvers<void>();
  world.provider.script({ kind: 'wait', until, next: { kind: 'answer' } });
  const before = world.provider.calls.length;
  const asked = world.chat(greeting);
  await world.provider.received(before + 1);
  const { reservedMicros } = await world.wallet.read(world.accountId);
  resolve();
  okJson(await asked);
  return reservedMicros;
};

const hook = { url: 'https://hooks.example.com/in', events: ['request.completed'] };

/** Tokens for pages: what a key gives away for a few minutes. */
export const tokenCases: readonly GatewayCase[] = [
  gatewayCase('a token calls as its key does until it expires, and then lets nothing in', async (world) => {
    const { key, expiresAtMs } = await tokenOf(world);
    assert.equal(expiresAtMs, world.time.now() + 600_000);
    const request = okJson(await world.chat(undefined, { key }));
    const own = request.at('service', 'request_id').text();
    assert.equal((await world.send({ path: `/requests/${own}`, key })).status, 200);
    assert.equal((await world.admin.readOperation(own))?.keyId, world.keyId);
    world.time.advance(600_000);
    assertRefused(await world.chat(undefined, { key }), 401, 'ai_key_expired');
    assert.equal((await world.send({ path: '/models', key })).status, 401);
    okJson(await world.chat());
  }),
  gatewayCase('a token is for the pages of its origins, and says nothing of an origin to a server', async (world) => {
    const { key } = await tokenOf(world, { origins: [page] });
    okJson(await world.chat(undefined, { key, headers: { origin: page } }));
    okJson(await world.chat(undefined, { key }));
    const before = world.provider.calls.length;
    const elsewhere = { key, headers: { origin: 'https://other.example.com' } };
    assertRefused(await world.chat(undefined, elsewhere), 403, 'token_not_allowed');
    assert.equal((await world.send({ path: '/models', ...elsewhere })).status, 403);
    assert.equal((await world.chat(undefined, { key, headers: { origin: 'null' } })).status, 403);
    assert.equal(world.provider.calls.length, before);
  }),
  gatewayCase('a token calls its models alone, and never one that its key may not call', async (world) => {
    const all = okJson(await world.send({ path: '/models' }))
      .at('data')
      .list();
    const other = all.map((row) => row.at('id').text()).find((id) => id !== suiteModel);
    assert.ok(other !== undefined, 'the catalog of the suite has several models');
    const { keyId } = await world.createCaller({ projectId: world.projectId, model: null });
    const { key } = await tokenOf(world, { models: [suiteModel] }, keyId);
    okJson(await world.chat({ ...greeting, model: suiteModel }, { key }));
    assertRefused(await world.chat({ ...greeting, model: other }, { key }), 403, 'model_not_allowed');
    await world.admin.changeKey(keyId, { models: [other] });
    assert.equal((await world.chat({ ...greeting, model: suiteModel }, { key })).status, 403);
    await assert.rejects(world.admin.createToken({ keyId, models: [suiteModel] }), /models/);
  }),
  gatewayCase('64 calls at once by one token never pass its budget', async (world) => {
    const held = await holdOfChat(world);
    const { key } = await tokenOf(world, { budgetMicros: held * 5n });
    const { promise: until, resolve } = Promise.withResolvers<void>();
    const { promise: allRefused, resolve: countedAll } = Promise.withResolvers<void>();
    for (let call = 0; call < 64; call += 1) world.provider.script({ kind: 'wait', until, next: { kind: 'answer' } });
    const before = world.provider.calls.length;
    let refused = 0;
    const asked = Array.from({ length: 64 }, async () => {
      const answer = await world.chat(greeting, { key });
      if (answer.status === 402) refused += 1;
      if (refused === 59) countedAll();
      return answer.status;
    });
    await Promise.race([allRefused, world.provider.received(before + 6)]);
    const { reservedMicros } = await world.wallet.read(world.accountId);
    resolve();
    const statuses = await Promise.all(asked);
    assert.equal(reservedMicros, held * 5n);
    assert.equal(statuses.filter((status) => status === 200).length, 5);
  }),
  gatewayCase('the cap of a key counts what its tokens spend, beside the budget of each', async (world) => {
    const held = await holdOfChat(world);
    await world.admin.changeKey(world.keyId, { cap: { amountMicros: held, window: 'day' } });
    const small = await tokenOf(world, { budgetMicros: held - 1n });
    const refused = await world.chat(greeting, small);
    assertRefused(refused, 402, 'ai_key_budget_exceeded');
    assert.ok(messageOf(refused).includes('token'), messageOf(refused));
    const large = await tokenOf(world, { budgetMicros: held * 100n });
    okJson(await world.chat(greeting, large));
    assertRefused(await world.chat(greeting, large), 402, 'ai_key_budget_exceeded');
  }),
  gatewayCase('a token sees when it expires and what is left of its budget, beside its key', async (world) => {
    const held = await holdOfChat(world);
    await world.admin.changeKey(world.keyId, { cap: { amountMicros: held * 9n, window: 'total' } });
    const { key, expiresAtMs } = await tokenOf(world, { budgetMicros: held * 5n });
    const before = await world.wallet.read(world.accountId);
    okJson(await world.chat(greeting, { key }));
    const spent = before.balanceMicros - (await world.wallet.read(world.accountId)).balanceMicros;
    const limits = okJson(await world.send({ path: '/account/limits', key }));
    assert.equal(limits.at('expires_at').text(), new Date(expiresAtMs).toISOString());
    const [cap, budget] = limits.at('caps').list();
    assert.ok(cap !== undefined && budget !== undefined, 'the cap of the key and the budget of the token');
    assert.equal(cap.at('limit_credits').text(), decimalFromMicros(held * 9n));
    assert.equal(budget.at('limit_credits').text(), decimalFromMicros(held * 5n));
    assert.equal(budget.at('spent_credits').text(), decimalFromMicros(spent));
    assert.equal(budget.at('remaining_credits').text(), decimalFromMicros(held * 5n - spent));
    const own = okJson(await world.send({ path: '/account/limits' }));
    assert.equal(own.at('caps').list().length, 1);
  }),
  gatewayCase('a token ends with its revocation, and with its key, project or account', async (world) => {
    const revoked = await tokenOf(world);
    okJson(await world.chat(undefined, revoked));
    assert.equal((await world.admin.revokeToken(revoked.id))?.id, revoked.id);
    assertRefused(await world.chat(undefined, revoked), 401, 'invalid_api_key');
    assert.equal(await world.admin.revokeToken('99999999-9999-4999-8999-999999999999'), null);
    const { key } = await tokenOf(world);
    await world.admin.setProjectStatus(world.projectId, 'paused');
    assertRefused(await world.chat(undefined, { key }), 403, 'project_paused');
    await world.admin.setProjectStatus(world.projectId, 'active');
    await world.admin.setAccountStatus(world.accountId, 'blocked');
    assertRefused(await world.chat(undefined, { key }), 403, 'access_blocked');
    await world.admin.setAccountStatus(world.accountId, 'active');
    okJson(await world.chat(undefined, { key }));
    await world.admin.setKeyStatus(world.keyId, 'revoked');
    assertRefused(await world.chat(undefined, { key }), 401, 'invalid_api_key');
    assert.equal(await world.admin.createToken({ keyId: world.keyId }), null);
  }),
  gatewayCase(
    'a token is taken wherever a key is, on every wire',
    async (world) => {
      const { key } = await tokenOf(world, { models: [suiteModel] });
      const body = { model: suiteModel, max_tokens: 50, messages: greeting.messages };
      const messages = {
        path: '/v1/messages',
        key: null,
        headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01' },
      };
      okJson(await world.send({ ...messages, body }));
      const google = {
        path: `/v1beta/models/${suiteModel}:generateContent`,
        key: null,
        headers: { 'x-goog-api-key': key },
      };
      okJson(await world.send({ ...google, body: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] } }));
      okJson(await world.chat({ ...greeting, model: suiteModel }, { key }));
    },
    { compatibility: { openai: true, anthropic: true, google: true } },
  ),
  gatewayCase('a token opens the sessions of POST /live, and changes no webhooks and no triggers', async (world) => {
    const { key } = await tokenOf(world);
    assertRefused(await world.send({ path: '/webhooks', key, body: hook }), 403, 'token_not_allowed');
    assertRefused(await world.send({ path: '/triggers', key, body: {} }), 403, 'token_not_allowed');
    const { keyId } = await world.createCaller({ projectId: world.projectId, model: liveModel });
    const live = await tokenOf(world, {}, keyId);
    assert.equal((await world.send({ path: '/live', key: live.key, body: liveBody })).status, 200);
  }),
  gatewayCase('the access that a token asked for opens its socket to the pages of the token alone', async (world) => {
    const { keyId } = await world.createCaller({ projectId: world.projectId, model: liveModel });
    const { key } = await tokenOf(world, { origins: [page] }, keyId);
    const access = async () => {
      const answer = await world.send({ path: '/live', key, body: liveBody, headers: { origin: page } });
      return accessFrame(okJson(answer));
    };
    const frame = await access();
    for (const origin of ['https://other.example.com', 'null']) {
      const other = await world.socket(origin);
      other.send(frame);
      assert.match(await other.next(), /wrong, expired or used/, origin);
      assert.equal(await other.closed, 4401, origin);
    }
    // The refusals have not used the first access up. The second is brought by a client that names no origin.
    for (const [brought, origin] of [[frame, page] as const, [await access(), undefined] as const]) {
      const socket = await world.socket(origin);
      socket.send(brought);
      assert.equal(await socket.next(), '{"setupComplete":{}}', origin);
      socket.close();
      await socket.closed;
    }
    assert.deepEqual((await world.admin.audit()).violations, []);
  }),
  gatewayCase('the access that a key asked for opens its socket to every page', async (world) => {
    const { key } = await world.createCaller({ projectId: world.projectId, model: liveModel });
    const access = okJson(await world.send({ path: '/live', key, body: liveBody }));
    const socket = await world.socket('https://other.example.com');
    socket.send(accessFrame(access));
    assert.equal(await socket.next(), '{"setupComplete":{}}');
    socket.close();
  }),
  gatewayCase(
    'the text of a token is in no message and no line, and it is forgotten after it expired',
    async (world) => {
      const { key, id } = await tokenOf(world, { ttlSeconds: 60 });
      const shown = await world.send({ path: `/requests/${key}`, key });
      assert.ok(!shown.text.includes(key), shown.text);
      assert.ok(!world.logged().includes(key));
      assert.equal(
        JSON.stringify(await world.admin.readToken(id), (_, value: unknown) => String(value)).includes('hash'),
        false,
      );
      world.time.advance(60_000 + 24 * 3_600_000);
      await world.runJobs();
      assert.equal(await world.admin.readToken(id), null);
    },
  ),
];
