import assert from 'node:assert/strict';
import { assertRefused, okJson, type Json } from './answer.ts';
import {
  cacheBody,
  cacheClient,
  cacheOf,
  cacheSettings,
  hourMs,
  storageCredits,
  tokensOf,
  upstreamCacheSettings,
} from './cache-ask.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { suiteModel } from './suite-tariff.ts';

const operationLedger = (record: Json): readonly unknown[] => [
  record.at('charged_credits').value,
  record.at('reserved_credits').value,
];

const iso = (ms: number): string => new Date(ms).toISOString();

const reservedMicros = async (world: GatewayWorld): Promise<bigint> =>
  (await world.wallet.read(world.accountId)).reservedMicros;

const requestStatus = async (world: GatewayWorld, id: string): Promise<unknown> =>
  (await world.record(id)).at('status').value;

/** A cache from its creation to its end. */
export const cachesLifeCases: readonly GatewayCase[] = [
  gatewayCase(
    'is active with its name and its size for as long as was asked, and holds for all of it [caches:record:name-and-result] [caches:record:expires-at] [caches:hold:whole-ttl] [caches:request-record:processing]',
    async (world) => {
      const client = cacheClient(world);
      const createdAtMs = world.time.now();
      const created = okJson(await client.create());
      const id = created.at('id').text();
      assert.deepEqual(
        ['object', 'status', 'model', 'name', 'ttl_seconds', 'result'].map((name) => created.at(name).value),
        ['cache', 'reserved', suiteModel, `caches/${id}`, 3_600, null],
      );
      world.time.advance(5_000);
      await world.runJobs();
      const record = await client.get(id);
      const tokens = tokensOf(record);
      assert.ok(tokens > 100);
      assert.equal(record.at('status').value, 'active');
      assert.equal(record.at('expires_at').value, iso(createdAtMs + hourMs));
      assert.deepEqual(record.at('result').value, {
        total_tokens: tokens,
        expires_at: iso(createdAtMs + hourMs),
        service: { request_id: id, project_id: world.projectId, credits: 0 },
      });
      assert.deepEqual(operationLedger(record), [0, storageCredits(tokens, 3_600)]);
      assert.equal(await reservedMicros(world), BigInt(tokens * 3_600));
      assert.equal(await requestStatus(world, id), 'processing');
      const [listed] = okJson(await world.send({ path: '/caches' }))
        .at('data')
        .list();
      assert.deepEqual(listed?.value, record.value);
    },
    cacheSettings,
  ),
  gatewayCase(
    'expires by itself, and is charged for the time that it was stored [caches:expire:moves] [ledger:charged:cache-storage]',
    async (world) => {
      const client = cacheClient(world);
      const active = await client.active();
      const id = active.at('id').text();
      world.time.advance(hourMs - 1);
      await world.runJobs();
      assert.equal((await client.get(id)).at('status').value, 'active');
      world.time.advance(1);
      await world.runJobs();
      const record = await client.get(id);
      assert.equal(record.at('status').value, 'expired');
      assert.deepEqual(operationLedger(record), [storageCredits(tokensOf(active), 3_600), 0]);
      assert.equal(record.at('expires_at').value, active.at('expires_at').value);
      assert.equal(await reservedMicros(world), 0n);
      assert.equal(await requestStatus(world, id), 'completed');
      const listed = okJson(await world.send({ path: '/caches' }))
        .at('data')
        .list();
      assert.deepEqual(
        listed.map((each) => each.at('status').value),
        ['expired'],
      );
      assertRefused(await client.use(id), 404, 'not_found');
      assertRefused(await client.patch(id, { ttl_seconds: 60 }), 404, 'not_found');
      const deleted = okJson(await client.remove(id));
      assert.deepEqual([deleted.at('status').value, deleted.at('deleted').value], ['deleted', true]);
    },
    cacheSettings,
  ),
  gatewayCase(
    'is ended early for the time really stored [caches:delete:charges-period-stored] [caches:delete:moves]',
    async (world) => {
      const client = cacheClient(world);
      const { balanceMicros } = await world.wallet.read(world.accountId);
      const active = await client.active();
      const id = active.at('id').text();
      world.time.advance(600_000);
      const deleted = okJson(await client.remove(id));
      const micros = BigInt(tokensOf(active) * 600);
      assert.deepEqual([deleted.at('status').value, deleted.at('deleted').value], ['deleted', true]);
      assert.deepEqual(operationLedger(deleted), [storageCredits(tokensOf(active), 600), 0]);
      const wallet = await world.wallet.read(world.accountId);
      assert.deepEqual([wallet.balanceMicros, wallet.reservedMicros], [balanceMicros - micros, 0n]);
      assert.equal(await requestStatus(world, id), 'completed');
      await world.runJobs();
      assertRefused(await client.remove(id), 404, 'not_found');
      assertRefused(await client.use(id), 404, 'not_found');
      assert.equal((await client.get(id)).at('status').value, 'deleted');
      assert.deepEqual(okJson(await world.send({ path: '/caches' })).at('data').value, []);
    },
    cacheSettings,
  ),
  gatewayCase(
    'is not ended before it was created, nor by another project',
    async (world) => {
      const client = cacheClient(world);
      const id = okJson(await client.create())
        .at('id')
        .text();
      assertRefused(await client.remove(id), 409, 'request_in_progress');
      assertRefused(await client.patch(id, { ttl_seconds: 60 }), 409, 'request_in_progress');
      const { key } = await world.createCaller({
        projectId: await world.createProject(world.accountId),
        model: suiteModel,
      });
      const foreign = cacheClient(world, key);
      assertRefused(await foreign.remove(id), 404, 'not_found');
      assertRefused(await foreign.patch(id, { ttl_seconds: 60 }), 404, 'not_found');
    },
    cacheSettings,
  ),
  gatewayCase(
    'is given another time, counted from now, and reserves for it again [caches:patch:re-reserves] [caches:patch:ttl-required]',
    async (world) => {
      const client = cacheClient(world);
      const active = await client.active();
      const id = active.at('id').text();
      const tokens = tokensOf(active);
      for (const wrong of [{}, { ttl_seconds: 0 }, { ttl_seconds: 604_801 }, { ttl_seconds: '60' }])
        assertRefused(await client.patch(id, wrong), 422, 'invalid_request');
      assertRefused(await client.patch(id, { ttl_seconds: 60, name: 'x' }), 422, 'unsupported_parameter');
      world.time.advance(100_000);
      const longer = okJson(await client.patch(id, { ttl_seconds: 7_200 }));
      const expiresAt = iso(world.time.now() + 7_200_000);
      assert.deepEqual(
        [longer.at('ttl_seconds').value, longer.at('expires_at').value, longer.at('result', 'expires_at').value],
        [7_200, expiresAt, expiresAt],
      );
      assert.deepEqual(operationLedger(longer), [0, storageCredits(tokens, 7_300)]);
      assert.equal(await reservedMicros(world), BigInt(tokens * 7_300));
      const shorter = okJson(await client.patch(id, { ttl_seconds: 60 }));
      assert.ok(shorter.at('reserved_credits').number() <= longer.at('reserved_credits').number());
      world.time.advance(60_000);
      await world.runJobs();
      assert.deepEqual(operationLedger(await client.get(id)), [storageCredits(tokens, 160), 0]);
    },
    cacheSettings,
  ),
  gatewayCase(
    'keeps its time where another one cannot be reserved [caches:patch:insufficient]',
    async (world) => {
      const accountId = await world.createAccount(1_000_000n);
      const projectId = await world.createProject(accountId);
      const { key } = await world.createCaller({ projectId, model: suiteModel });
      const client = cacheClient(world, key);
      const active = await client.active();
      const id = active.at('id').text();
      assertRefused(await client.patch(id, { ttl_seconds: 604_800 }), 402, 'ai_insufficient_credits');
      assert.deepEqual((await client.get(id)).value, active.value);
    },
    cacheSettings,
  ),
  gatewayCase(
    'recovers a cache by its identity, and keeps it once [idempotency:async:recover]',
    async (world) => {
      const client = cacheClient(world);
      const headers = { 'idempotency-key': 'once' };
      const id = okJson(await client.create(cacheBody, { headers }))
        .at('id')
        .text();
      await world.runJobs();
      const again = okJson(await client.create(cacheBody, { headers }));
      assert.deepEqual([again.at('id').value, again.at('status').value], [id, 'active']);
      assertRefused(await client.create(cacheOf(60), { headers }), 409, 'ai_idempotency_conflict');
      assert.equal(
        okJson(await world.send({ path: '/caches' }))
          .at('data')
          .list().length,
        1,
      );
    },
    cacheSettings,
  ),
  gatewayCase(
    'is created, extended and removed at an upstream that keeps caches, and charged for its creation',
    async (world) => {
      const client = cacheClient(world);
      const active = await client.active();
      const id = active.at('id').text();
      const { created, extended, removed } = world.provider.cacheLog;
      assert.deepEqual(
        created.map(({ ttlSeconds }) => ttlSeconds),
        [3_600],
      );
      assert.equal(tokensOf(active), 10);
      okJson(await client.use(id));
      assert.deepEqual(world.provider.calls.at(-1)?.call.cached, { reference: `note of ${id}`, tokens: 10 });
      assert.equal(world.provider.calls.at(-1)?.call.contents.length, 1);
      okJson(await client.patch(id, { ttl_seconds: 60 }));
      assert.deepEqual(extended, [{ reference: `note of ${id}`, ttlSeconds: 60 }]);
      world.provider.scriptCaches({ kind: 'unknown' });
      assertRefused(await client.patch(id, { ttl_seconds: 120 }), 503, 'service_unavailable');
      assert.equal((await client.get(id)).at('ttl_seconds').value, 60);
      world.time.advance(30_000);
      const deleted = okJson(await client.remove(id));
      assert.deepEqual(operationLedger(deleted), [0.01 + storageCredits(10, 30), 0]);
      await world.runJobs();
      assert.deepEqual(removed, [`note of ${id}`]);
    },
    upstreamCacheSettings,
  ),
  gatewayCase(
    'fails without a charge where its upstream refuses it, and is uncertain where the outcome is unknown',
    async (world) => {
      const client = cacheClient(world);
      world.provider.scriptCaches({ kind: 'not_executed', reason: 'invalid_request' }, { kind: 'unknown' });
      const refused = okJson(await client.create())
        .at('id')
        .text();
      await world.runJobs();
      assert.equal((await client.get(refused)).at('status').value, 'failed');
      assert.deepEqual(operationLedger(await client.get(refused)), [0, 0]);
      assertRefused(await client.use(refused), 422, 'invalid_request');
      const uncertain = okJson(await client.create())
        .at('id')
        .text();
      await world.runJobs();
      const record = await client.get(uncertain);
      assert.equal(record.at('status').value, 'uncertain');
      assert.ok(record.at('reserved_credits').number() > 0);
      assertRefused(await client.use(uncertain), 409, 'request_in_progress');
      await world.admin.resolveOperation(uncertain, { executed: true, amountMicros: 0n });
      assert.equal((await client.get(uncertain)).at('status').value, 'expired');
    },
    upstreamCacheSettings,
  ),
];
