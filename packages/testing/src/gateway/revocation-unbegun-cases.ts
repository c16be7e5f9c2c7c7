import assert from 'node:assert/strict';
import { okJson } from './answer.ts';
import { batchClient, batchOf, batchSettings } from './batch-ask.ts';
import { cacheClient, cacheSettings } from './cache-ask.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { agentModel, interactionClient, withJobs } from './interaction-ask.ts';
import { doomed, revoke, availability } from './revocation-ask.ts';
import { createDocument, storeId, textFileId } from './store-ask.ts';
import { videoClient, workThrough } from './video-ask.ts';

const refused = ['failed', 0n, 0n, 'invalid_api_key'] as const;

/** What is created just before its key is revoked, and is then not delivered (docs/concepts/revocation.md). */
export const revocationUnbegunCases: readonly GatewayCase[] = [
  gatewayCase('begins no interaction once its key was revoked', async (world) => {
    const client = await interactionClient(world);
    const id = await client.created();
    await revoke(world, client);
    await workThrough(world);
    assert.deepEqual([await availability(world, id), world.provider.calls], [refused, []]);
  }),
  gatewayCase(
    'hands no interaction to its provider once its key was revoked',
    async (world) => {
      const client = await interactionClient(world, agentModel);
      const id = await client.created();
      await revoke(world, client);
      await workThrough(world);
      assert.deepEqual([await availability(world, id), world.provider.interactionLog.started], [refused, []]);
    },
    withJobs,
  ),
  gatewayCase(
    'begins no batch once its key was revoked',
    async (world) => {
      const caller = await doomed(world);
      const id = await batchClient(world, caller.key).created(batchOf('a', 'b'));
      await revoke(world, caller);
      await workThrough(world);
      assert.deepEqual([await availability(world, id), world.provider.calls], [refused, []]);
    },
    batchSettings,
  ),
  gatewayCase(
    'hands no batch to its provider once its key was revoked',
    async (world) => {
      const caller = await doomed(world);
      const id = await batchClient(world, caller.key).created(batchOf('a', 'b'));
      await revoke(world, caller);
      await workThrough(world);
      assert.deepEqual([await availability(world, id), world.provider.batchLog.started], [refused, []]);
    },
    { ...batchSettings, batchSteps: [] },
  ),
  gatewayCase('begins no video once its key was revoked', async (world) => {
    const caller = await videoClient(world);
    const id = await caller.created();
    await revoke(world, caller);
    await workThrough(world);
    assert.deepEqual([await availability(world, id), world.provider.videoCalls], [refused, []]);
  }),
  gatewayCase(
    'creates no cache once its key was revoked',
    async (world) => {
      const caller = await doomed(world);
      const id = okJson(await cacheClient(world, caller.key).create())
        .at('id')
        .text();
      await revoke(world, caller);
      await world.runJobs();
      assert.deepEqual(await availability(world, id), refused);
    },
    cacheSettings,
  ),
  gatewayCase('indexes no document once its key was revoked', async (world) => {
    const caller = await doomed(world);
    const body = { store: await storeId(world), file: await textFileId(world, 'Ships wait at anchor.') };
    const id = okJson(await createDocument(world, body, { key: caller.key }))
      .at('id')
      .text();
    await revoke(world, caller);
    await world.runJobs();
    assert.deepEqual([await availability(world, id), world.provider.embedCalls], [refused, []]);
  }),
];
