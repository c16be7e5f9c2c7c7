import assert from 'node:assert/strict';
import { assertRefused, okJson } from './answer.ts';
import { batchClient, batchOf, batchSettings } from './batch-ask.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { assertExactly, atOnce, usedBy } from './quota-ask.ts';
import { revoke } from './revocation-ask.ts';
import { suiteModel } from './suite-tariff.ts';
import { videoClient, workThrough } from './video-ask.ts';

const underWay = async (world: GatewayWorld): Promise<number> => (await usedBy(world)).batchesUnderWay ?? 0;

const oneBatch = { ...batchSettings, quotas: { batchesUnderWayMax: 1 } };

/** How many batches and videos of a project may be under way, and that every way of ending makes room. */
export const underWayCases: readonly GatewayCase[] = [
  gatewayCase(
    'begins as many batches as a project may have under way, however many come at once, and holds no credits for one more',
    async (world) => {
      const client = batchClient(world);
      assertExactly(await atOnce(6, () => client.create(batchOf('a'))), 2, 'batchesUnderWay');
      assert.equal(await underWay(world), 2);
      const { reservedMicros } = await world.wallet.read(world.accountId);
      const headers = { 'idempotency-key': 'one-more' };
      const refused = assertRefused(await client.create(batchOf('a'), { headers }), 429, 'quota_exceeded');
      assert.ok(refused.at('message').text().endsWith('Wait until one has ended, or cancel one.'));
      assert.equal((await world.wallet.read(world.accountId)).reservedMicros, reservedMicros);
      await world.runJobs();
      assert.deepEqual(await usedBy(world), {});
      // The identity was not used up. What it stands for is recovered, also where there is no room for another.
      const id = await client.created(batchOf('a'), { headers });
      await client.created(batchOf('a'));
      assertRefused(await client.create(batchOf('a')), 429, 'quota_exceeded');
      assert.equal(await client.created(batchOf('a'), { headers }), id);
    },
    { ...batchSettings, quotas: { batchesUnderWayMax: 2 } },
  ),
  gatewayCase(
    'counts a batch no more once it was cancelled, has failed inside, ran out of time or lost its key',
    async (world) => {
      const client = batchClient(world);
      okJson(await client.cancel(await client.created(batchOf('a'))));
      await world.runJobs();
      assert.equal(await underWay(world), 0);
      world.provider.script({ kind: 'not_executed', reason: 'failed' });
      await client.created(batchOf('a'));
      await world.runJobs();
      assert.equal(await underWay(world), 0);
      await client.created(batchOf('a'));
      world.time.advance(48 * 3_600_000);
      await world.runJobs();
      assert.equal(await underWay(world), 0);
      const caller = await world.createCaller({ projectId: world.projectId, model: suiteModel });
      await batchClient(world, caller.key).created(batchOf('a'));
      await revoke(world, caller);
      await world.runJobs();
      assert.equal(await underWay(world), 0);
      const id = await client.created(batchOf('a'));
      await world.runJobs();
      okJson(await client.remove(id));
      await world.runJobs();
      assert.deepEqual(await usedBy(world), {});
    },
    oneBatch,
  ),
  gatewayCase(
    'counts a batch that is being cancelled or is uncertain until it has ended',
    async (world) => {
      const client = batchClient(world);
      const go = Promise.withResolvers<void>();
      world.provider.script({ kind: 'wait', until: go.promise, next: { kind: 'unknown' } });
      const id = await client.created(batchOf('a'));
      const jobs = world.runJobs();
      await world.provider.received(1);
      assert.equal(okJson(await client.cancel(id)).at('status').value, 'cancelling');
      assertRefused(await client.create(batchOf('a')), 429, 'quota_exceeded');
      go.resolve();
      await jobs;
      assert.equal((await client.get(id)).at('status').value, 'uncertain');
      assertRefused(await client.create(batchOf('a')), 429, 'quota_exceeded');
      await world.admin.resolveOperation(id, { executed: true });
      assert.equal(await underWay(world), 0);
      await client.created(batchOf('a'));
    },
    oneBatch,
  ),
  gatewayCase(
    'counts no batch that its account cannot pay for',
    async (world) => {
      const accountId = await world.createAccount(1n);
      const projectId = await world.createProject(accountId);
      const { key } = await world.createCaller({ projectId, model: suiteModel });
      assertRefused(await batchClient(world, key).create(batchOf('a')), 402, 'ai_insufficient_credits');
      assert.deepEqual((await world.admin.readProjectQuotas(projectId))?.used, {});
    },
    batchSettings,
  ),
  gatewayCase(
    'begins as many videos as a project may have under way; one that completed or failed makes room',
    async (world) => {
      const client = await videoClient(world);
      assertExactly(await atOnce(4, () => client.create()), 1, 'videosUnderWay');
      await workThrough(world);
      assert.deepEqual(await usedBy(world), {});
      world.provider.scriptPolls({ kind: 'not_executed', reason: 'failed' });
      const failing = await client.created();
      await workThrough(world);
      assert.equal((await client.get(failing)).at('status').value, 'failed');
      world.provider.scriptVideos({ kind: 'unknown' });
      const uncertain = await client.created();
      await workThrough(world);
      assert.deepEqual(await usedBy(world), { videosUnderWay: 1 });
      await world.admin.resolveOperation(uncertain, { executed: false });
      assert.deepEqual(await usedBy(world), {});
    },
    { quotas: { videosUnderWayMax: 1 } },
  ),
];
