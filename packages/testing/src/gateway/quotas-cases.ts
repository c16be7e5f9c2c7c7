import assert from 'node:assert/strict';
import { assertRefused, okJson } from './answer.ts';
import { createEnvironment, deleteEnvironment, environmentIdleMs, inline } from './environment-ask.ts';
import { createdJson, deleteFile, fileKeptMs, upload, uploadedId } from './file-ask.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { imageModel, interactionClient } from './interaction-ask.ts';
import { mediaSamples as samples } from './media-samples.ts';
import { assertExactly, atOnce, usedBy } from './quota-ask.ts';
import { createDocument, createStore, deleteOne, storeId, textFileId } from './store-ask.ts';
import { createTrigger, deleteTrigger, hourly, triggerId } from './trigger-ask.ts';
import { createdHook, createHook, receiving } from './webhook-ask.ts';

const plain = (bytes: number) => ({
  display_name: 'notes.txt',
  mime_type: 'text/plain',
  data: Buffer.alloc(bytes, 'a').toString('base64'),
});

/** What a project may keep, how exactly that holds, and what gives room again. */
export const quotasCases: readonly GatewayCase[] = [
  gatewayCase(
    'keeps as many files as a project may have, however many come at once, and has room again for what was deleted or has expired',
    async (world) => {
      assertExactly(await atOnce(8, () => upload(world)), 3, 'files');
      const files = okJson(await world.send({ path: '/files' }))
        .at('data')
        .list();
      assert.equal(files.length, 3);
      assert.equal((await usedBy(world)).files, 3);
      okJson(await deleteFile(world, files[0]?.at('id').text() ?? ''));
      await world.runJobs();
      await uploadedId(world);
      assertRefused(await upload(world), 429, 'quota_exceeded');
      world.time.advance(fileKeptMs);
      await world.runJobs();
      assert.deepEqual(await usedBy(world), {});
      assertExactly(await atOnce(5, () => upload(world)), 3, 'files');
    },
    { quotas: { filesMax: 3 } },
  ),
  gatewayCase(
    'keeps as many bytes as a project may have, of files and environments together',
    async (world) => {
      const answers = await atOnce(6, () => upload(world, plain(4_000)));
      assert.deepEqual(
        answers.map(({ status }) => status).toSorted((a, b) => a - b),
        [201, 201, 429, 429, 429, 429],
      );
      assert.equal((await usedBy(world)).keptBytes, 8_000);
      const sources = [inline('a.txt', 'b'.repeat(1_500))];
      const id = okJson(await createEnvironment(world, { sources }))
        .at('id')
        .text();
      const { keptBytes = 0 } = await usedBy(world);
      assert.ok(keptBytes >= 9_500 && keptBytes < 10_000);
      assertRefused(await createEnvironment(world, { sources }), 429, 'quota_exceeded');
      okJson(await deleteEnvironment(world, id));
      await world.runJobs();
      assert.deepEqual(await usedBy(world), { files: 2, keptBytes: 8_000 });
      okJson(await createEnvironment(world, { sources }));
      world.time.advance(environmentIdleMs);
      await world.runJobs();
      await world.runJobs();
      assert.deepEqual(await usedBy(world), {});
    },
    { quotas: { keptBytesMax: 10_000 } },
  ),
  gatewayCase(
    'creates as many environments, agents and stores as a project may have, and holds no credits and uses up no identity for one more',
    async (world) => {
      const kinds = [
        ['environments', (more: object) => createEnvironment(world, {}, more)],
        ['agents', (more: object) => world.send({ ...more, path: '/agents', body: {} })],
        ['stores', (more: object) => createStore(world, {}, more)],
      ] as const;
      for (const [quota, create] of kinds) assertExactly(await atOnce(5, () => create({})), 2, quota);
      assert.equal((await world.wallet.read(world.accountId)).reservedMicros, 0n);
      const headers = { 'idempotency-key': 'one-more' };
      assertRefused(await createStore(world, {}, { headers }), 429, 'quota_exceeded');
      const [first] = okJson(await world.send({ path: '/stores' }))
        .at('data')
        .list();
      okJson(await deleteOne(world, 'stores', first?.at('id').text() ?? ''));
      await world.runJobs();
      const created = await createStore(world, {}, { headers });
      // What has its identity is recovered, also where there is no room for another.
      const again = await createStore(world, {}, { headers });
      assert.deepEqual(
        [okJson(again).at('id').value, again.headers.get('idempotency-replayed')],
        [okJson(created).at('id').value, 'true'],
      );
    },
    { quotas: { environmentsMax: 2, agentsMax: 2, storesMax: 2 } },
  ),
  gatewayCase(
    'indexes as many documents as a project may have',
    async (world) => {
      const [store, file] = [await storeId(world), await textFileId(world, 'Ships wait at anchor.')];
      assertExactly(await atOnce(4, () => createDocument(world, { store, file })), 1, 'documents');
      await world.runJobs();
      const [document] = okJson(await world.send({ path: '/documents' }))
        .at('data')
        .list();
      okJson(await deleteOne(world, 'documents', document?.at('id').text() ?? ''));
      await world.runJobs();
      okJson(await createDocument(world, { store, file }));
    },
    { quotas: { documentsMax: 1 } },
  ),
  gatewayCase(
    'schedules as many triggers as a project may have; a deleted one makes room, and its media once they are gone',
    async (world) => {
      assertExactly(await atOnce(5, () => createTrigger(world)), 2, 'triggers');
      const triggers = okJson(await world.send({ path: '/triggers' }))
        .at('data')
        .list();
      for (const trigger of triggers) okJson(await deleteTrigger(world, trigger.at('id').text()));
      assert.deepEqual(await usedBy(world), {});
      const image = { type: 'image', mime_type: 'image/png', data: samples.png };
      const tools = [{ type: 'function', name: 'look', description: 'x'.repeat(20_000) }];
      const id = await triggerId(world, { ...hourly, interaction: { input: [image], tools } });
      const { keptBytes = 0 } = await usedBy(world);
      // The record shows it, and a blob holds it sealed.
      assert.ok(keptBytes > 40_000);
      okJson(await deleteTrigger(world, id));
      assert.deepEqual(await usedBy(world), { keptBytes });
      world.time.advance(10 * 60_000);
      await world.runJobs();
      assert.deepEqual(await usedBy(world), {});
    },
    { quotas: { triggersMax: 2 } },
  ),
  gatewayCase(
    'counts the media that a completed interaction keeps until their time is over or it is deleted, and keeps no file beyond',
    async (world) => {
      const client = await interactionClient(world, imageModel);
      const png = { kind: 'media', mimeType: 'image/png', data: samples.png } as const;
      const madeOne = () => {
        world.provider.script({ kind: 'answer', generation: { text: '', parts: [png] } });
        return client.ended();
      };
      const keptBytes = Buffer.from(samples.png, 'base64').length;
      const first = await madeOne();
      assert.deepEqual(await usedBy(world), { keptBytes });
      assertRefused(await upload(world, plain(1_000)), 429, 'quota_exceeded');
      const second = await madeOne();
      assert.deepEqual(await usedBy(world), { keptBytes: 2 * keptBytes });
      okJson(await client.remove(second));
      await world.runJobs();
      await world.runJobs();
      assert.deepEqual(await usedBy(world), { keptBytes });
      world.time.advance(8 * 24 * 3_600_000);
      await world.runJobs();
      assert.deepEqual(await usedBy(world), {});
      assert.equal((await client.get(first)).at('status').value, 'completed');
      createdJson(await upload(world, plain(1_000)));
    },
    { quotas: { keptBytesMax: 1_000 } },
  ),
  gatewayCase(
    'registers as many webhooks as a project may have, paused ones too',
    async (world) => {
      const first = (await createdHook(world)).at('id').text();
      okJson(await world.send({ method: 'PATCH', path: `/webhooks/${first}`, body: { enabled: false } }));
      assertExactly(await atOnce(4, () => createHook(world)), 1, 'webhooks', 2);
      okJson(await world.send({ method: 'DELETE', path: `/webhooks/${first}` }));
      okJson(await createHook(world));
    },
    { ...receiving, quotas: { webhooksMax: 2 } },
  ),
  gatewayCase(
    'lets the administration give a project limits of its own',
    async (world) => {
      const { admin, projectId } = world;
      assertRefused(await upload(world), 429, 'quota_exceeded');
      const own = await admin.setProjectQuotas(projectId, { filesMax: 2 });
      assert.deepEqual([own?.quotas.filesMax, own?.quotas.storesMax], [2, 7]);
      createdJson(await upload(world));
      createdJson(await upload(world));
      assertRefused(await upload(world), 429, 'quota_exceeded');
      await admin.setProjectQuotas(projectId, { filesMax: null });
      createdJson(await upload(world));
      const other = await world.createCaller({ projectId: await world.createProject(world.accountId), model: null });
      assertRefused(await upload(world, undefined, { key: other.key }), 429, 'quota_exceeded');
      assert.equal((await admin.setProjectQuotas(projectId, null))?.quotas.filesMax, 0);
      assertRefused(await upload(world), 429, 'quota_exceeded');
      assert.equal((await usedBy(world)).files, 3);
      assert.equal(await admin.setProjectQuotas('99999999-9999-4999-8999-999999999999', { filesMax: 1 }), null);
    },
    { quotas: { filesMax: 0, storesMax: 7 } },
  ),
  gatewayCase(
    'counts no upload that broke off, and refuses a full project before its body is read',
    async (world) => {
      const broken = new ReadableStream({
        start: (controller) => {
          controller.enqueue(Buffer.from('{"display_name":"a.txt","mime_type":"text/plain","data":"aaaa'));
        },
        pull: (controller) => controller.error(new Error('the client is gone')),
      });
      await world.send({ path: '/files', body: broken }).catch(() => undefined);
      assert.deepEqual(await usedBy(world), {});
      createdJson(await upload(world, plain(5)));
      // What would be refused as JSON is never checked.
      assertRefused(await upload(world, 'no JSON'), 429, 'quota_exceeded');
    },
    { quotas: { filesMax: 1 } },
  ),
];
