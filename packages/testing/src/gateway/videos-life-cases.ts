import assert from 'node:assert/strict';
import { assertRefused, okJson, type Json } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { videoBody, videoClient, videoMicros, videoModel, workThrough } from './video-ask.ts';

const running = { kind: 'answer', jobProgress: { kind: 'running' } } as const;

const heldMicros = async (world: GatewayWorld): Promise<bigint> =>
  (await world.wallet.read(world.accountId)).reservedMicros;

const balanceMicros = async (world: GatewayWorld): Promise<bigint> =>
  (await world.wallet.read(world.accountId)).balanceMicros;

const operationLedger = (record: Json): readonly unknown[] => [
  record.at('charged_credits').value,
  record.at('reserved_credits').value,
];

/** A video from its creation to its end. */
export const videosLifeCases: readonly GatewayCase[] = [
  gatewayCase(
    'is reserved, processed, copied and settled [videos:record:fields] [requests:move:preparing-reserved] [requests:move:reserved-processing]',
    async (world) => {
      const client = await videoClient(world);
      world.provider.scriptPolls(running);
      const created = okJson(await client.create({ ...videoBody, aspect_ratio: '9:16' }));
      const id = created.at('id').text();
      assert.deepEqual(
        ['object', 'request_id', 'status', 'model', 'duration_seconds', 'resolution', 'aspect_ratio', 'result'].map(
          (name) => created.at(name).value,
        ),
        ['video', id, 'reserved', videoModel, 8, '720p', '9:16', null],
      );
      assert.ok(!created.keys().includes('video'));
      assert.deepEqual(operationLedger(created), [0, 8]);
      assert.equal(await heldMicros(world), videoMicros);
      assert.ok(!JSON.stringify(created.value).includes(videoBody.prompt));
      await world.runJobs();
      assert.equal((await client.get(id)).at('status').value, 'processing');
      assertRefused(await client.remove(id), 409, 'request_in_progress');
      await workThrough(world);
      const done = await client.get(id);
      assert.equal(done.at('status').value, 'completed');
      assert.deepEqual(operationLedger(done), [8, 0]);
      assert.equal(done.at('result', 'service', 'credits').value, 8);
      assert.equal(await heldMicros(world), 0n);
      assert.deepEqual((await world.record(id)).at('response').value, done.value);
    },
  ),
  gatewayCase(
    'recovers a video by its identity, running or done, with one job [idempotency:async:recover]',
    async (world) => {
      const client = await videoClient(world);
      const headers = { 'idempotency-key': 'once' };
      const first = await client.create(videoBody, { headers });
      const id = okJson(first).at('id').text();
      const again = await client.create(videoBody, { headers });
      assert.deepEqual([okJson(again).at('id').value, again.headers.get('idempotency-replayed')], [id, 'true']);
      await workThrough(world);
      const done = okJson(await client.create(videoBody, { headers }));
      assert.deepEqual([done.at('id').value, done.at('status').value], [id, 'completed']);
      assert.equal(world.provider.videoCalls.length, 1);
      assertRefused(await client.create({ prompt: 'Another.' }, { headers }), 409, 'ai_idempotency_conflict');
    },
  ),
  gatewayCase('ends without a debit where the upstream says that it failed', async (world) => {
    const client = await videoClient(world);
    world.provider.scriptPolls(running, { kind: 'not_executed', reason: 'failed' });
    const headers = { 'idempotency-key': 'failing' };
    const id = okJson(await client.create(videoBody, { headers }))
      .at('id')
      .text();
    await workThrough(world);
    const record = await client.get(id);
    assert.deepEqual([record.at('status').value, record.at('error_code').value], ['failed', 'request_failed']);
    assert.deepEqual(operationLedger(record), [0, 0]);
    assert.equal(await heldMicros(world), 0n);
    assertRefused(await client.create(videoBody, { headers }), 409, 'previous_request_failed');
    okJson(await client.remove(id));
  }),
  gatewayCase('is uncertain and keeps its hold where it is unknown whether it began', async (world) => {
    const client = await videoClient(world);
    world.provider.scriptVideos({ kind: 'unknown' });
    const id = await client.created();
    await workThrough(world);
    const record = await client.get(id);
    assert.deepEqual([record.at('status').value, record.at('error_code').value], ['uncertain', 'settlement_pending']);
    assert.equal(world.provider.videoCalls.length, 1);
    assert.equal(await heldMicros(world), videoMicros);
    assertRefused(await client.remove(id), 409, 'request_in_progress');
    await world.admin.resolveOperation(id, { executed: false });
    assert.equal(await heldMicros(world), 0n);
  }),
  gatewayCase(
    'is uncertain where the upstream does not say what it measured, and shown once decided',
    async (world) => {
      const client = await videoClient(world);
      world.provider.scriptPolls({ kind: 'answer', videos: { usage: [] } });
      const id = await client.created();
      await workThrough(world);
      const record = await client.get(id);
      assert.deepEqual([record.at('status').value, record.at('result').value], ['uncertain', null]);
      assert.equal((await client.content(id)).status, 409);
      await world.admin.resolveOperation(id, { executed: true, amountMicros: 3_000_000n });
      assert.equal((await client.get(id)).at('status').value, 'completed');
      const content = await client.content(id);
      assert.equal(content.status, 200);
      await content.body?.cancel();
    },
  ),
  gatewayCase('begins again where the upstream was busy, and asks again where it gave no answer', async (world) => {
    const client = await videoClient(world);
    world.provider.scriptVideos({ kind: 'not_executed', reason: 'rate_limited', retryAfterMs: 5_000 });
    world.provider.scriptPolls({ kind: 'unknown' }, { kind: 'not_executed', reason: 'unavailable' });
    const id = await client.created();
    await workThrough(world, 6);
    assert.equal((await client.get(id)).at('status').value, 'completed');
    assert.equal(world.provider.videoCalls.length, 2);
  }),
  gatewayCase(
    'waits for an upstream that is busy for long and takes long, and counts its pauses in whole milliseconds',
    async (world) => {
      const client = await videoClient(world);
      const busy = { kind: 'not_executed', reason: 'unavailable' } as const;
      world.provider.scriptVideos(busy, busy, busy, { ...busy, retryAfterMs: 1_234.567 });
      world.provider.scriptPolls(...Array.from({ length: 10 }, () => running));
      const id = await client.created();
      await workThrough(world, 20);
      assert.equal((await client.get(id)).at('status').value, 'completed');
      assert.equal(world.provider.videoCalls.length, 5);
      assert.ok(!world.logged().includes('could not be stored'), world.logged());
    },
  ),
  gatewayCase('gives up on an upstream that never ends, and leaves it uncertain', async (world) => {
    const client = await videoClient(world);
    world.provider.scriptPolls(...Array.from({ length: 10 }, () => running));
    const id = await client.created();
    await workThrough(world);
    world.time.advance(4 * 3_600_000);
    await world.runJobs();
    assert.equal((await client.get(id)).at('status').value, 'uncertain');
    await world.admin.resolveOperation(id, { executed: false });
  }),
  gatewayCase('asks for what the balance does not cover 402, and registers nothing', async (world) => {
    const client = await videoClient(world);
    const answer = await client.create({ ...videoBody, duration_seconds: 2_000 });
    assertRefused(answer, 402, 'ai_insufficient_credits');
    assert.deepEqual(okJson(await world.send({ path: '/videos' })).at('data').value, []);
  }),
  gatewayCase('lists the newest first, without deleted ones, and returns a deleted one by its id', async (world) => {
    const client = await videoClient(world);
    const first = await client.completed();
    const second = await client.completed();
    const before = await balanceMicros(world);
    const listed = okJson(await world.send({ path: '/videos' }));
    assert.deepEqual(
      [
        listed.at('object').value,
        ...listed
          .at('data')
          .list()
          .map((video) => video.at('id').value),
      ],
      ['list', second, first],
    );
    const deleted = okJson(await client.remove(first));
    assert.deepEqual([deleted.at('status').value, deleted.at('deleted').value], ['deleted', true]);
    assertRefused(await client.remove(first), 404, 'not_found');
    assert.equal((await client.get(first)).at('status').value, 'deleted');
    assert.deepEqual(
      okJson(await world.send({ path: '/videos' }))
        .at('data')
        .list()
        .map((video) => video.at('id').value),
      [second],
    );
    assert.equal(await balanceMicros(world), before);
    assert.equal((await world.record(first)).at('charged_credits').value, 8);
  }),
  gatewayCase("is of the whole project, and of no other's", async (world) => {
    const client = await videoClient(world);
    const id = await client.completed();
    const projectId = await world.createProject(world.accountId);
    const { key } = await world.createCaller({ projectId, model: videoModel });
    okJson(await world.send({ path: `/videos/${id}` }));
    assertRefused(await world.send({ key, path: `/videos/${id}` }), 404, 'not_found');
    assertRefused(await client.remove(id, { key }), 404, 'not_found');
    assertRefused(await client.create({ video: id }, { key }), 404, 'not_found');
    assert.equal((await client.content(id, { key })).status, 404);
  }),
];
