import assert from 'node:assert/strict';
import { assertRefused, okJson } from './answer.ts';
import { chatAbout, deleteFile, getFile, uploadedId } from './file-ask.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { Ask, GatewayWorld } from './gateway-world.ts';
import { everyKind, kindRows } from './kind-rows.ts';
import {
  assertDescribed,
  finishAll,
  keyRing,
  listOne,
  makeOne,
  nextHanded,
  readOne,
  removeOne,
  whileProcessing,
  type MadeResource,
  usesOf,
} from './made-resource.ts';
import { workThrough } from './video-ask.ts';

const balanceMicros = async (world: GatewayWorld): Promise<bigint> =>
  (await world.wallet.read(world.accountId)).balanceMicros;

/** Holds one that uses a resource in the middle, and tries to delete the resource meanwhile. */
const deleteWhileUsed = async (world: GatewayWorld, one: MadeResource, use: Ask): Promise<void> => {
  const gate = Promise.withResolvers<void>();
  const wait = { kind: 'wait', until: gate.promise, next: { kind: 'answer' } } as const;
  if (one.row.kind === 'video') world.provider.scriptVideos(wait);
  else world.provider.script(wait);
  const handed = nextHanded(world);
  const asked = world.send(use);
  const jobs = one.row.kind === 'cache' ? Promise.resolve() : asked.then(() => world.runJobs());
  await handed;
  const refused = await removeOne(world, one);
  gate.resolve();
  okJson(await asked);
  await jobs;
  await workThrough(world);
  assertRefused(refused, 409, 'request_in_progress');
  okJson(await removeOne(world, one));
};

/** The end of every kind by DELETE. */
export const resourceDeleteCases: readonly GatewayCase[] = [
  gatewayCase(
    'answers DELETE once with the record as deleted, and it stays readable by its id alone [resources:delete:response] [resources:delete:repeat] [resources:get:after-delete]',
    async (world) => {
      for (const one of await finishAll(world, keyRing(world))) {
        const { path } = one.row;
        const before = await listOne(world, path);
        const deleted = assertDescribed(await removeOne(world, one), 'DELETE', `${path}/{id}`);
        assert.deepEqual(
          ['id', 'object', 'status', 'deleted'].map((name) => deleted.at(name).value),
          [one.id, one.row.kind, 'deleted', true],
        );
        assertRefused(await removeOne(world, one), 404, 'not_found');
        assert.equal((await readOne(world, one)).at('status').value, 'deleted');
        assert.equal((await listOne(world, path)).length, before.length - 1);
        for (const use of usesOf(one)) assertRefused(await world.send(use), 404, 'not_found');
        await world.runJobs();
        assert.equal((await readOne(world, one)).at('status').value, 'deleted');
        assertRefused(await removeOne(world, one), 404, 'not_found');
      }
    },
    everyKind,
  ),
  gatewayCase('deletes a file as it deletes everything else', async (world) => {
    const id = await uploadedId(world);
    const deleted = assertDescribed(await deleteFile(world, id), 'DELETE', '/files/{file_id}');
    assert.deepEqual([deleted.at('status').value, deleted.at('deleted').value], ['deleted', true]);
    assertRefused(await deleteFile(world, id), 404, 'not_found');
    assert.equal(okJson(await getFile(world, id)).at('status').value, 'deleted');
    assert.deepEqual(await listOne(world, '/files'), []);
    assertRefused(await chatAbout(world, id), 404, 'not_found');
  }),
  gatewayCase(
    'gives nothing back for what was deleted, and goes on telling what it cost [resources:delete:no-refund]',
    async (world) => {
      for (const one of await finishAll(world, keyRing(world))) {
        // A cache is settled once its time is over, and not by its deletion.
        if (one.row.kind === 'cache') world.time.advance(3_600_000);
        await world.runJobs();
        const balance = await balanceMicros(world);
        const charged = (await readOne(world, one)).at('charged_credits').number();
        assert.equal(charged > 0, one.row.deferred, one.row.kind);
        const deleted = okJson(await removeOne(world, one));
        await world.runJobs();
        assert.equal(await balanceMicros(world), balance);
        assert.deepEqual(
          [deleted.at('charged_credits').value, (await world.record(one.id)).at('charged_credits').value],
          [charged, charged],
        );
        assert.equal((await world.record(one.id)).at('status').value, 'completed');
      }
    },
    everyKind,
  ),
  gatewayCase(
    'refuses to delete what is still worked on [resources:delete:active-execution]',
    async (world) => {
      const keys = keyRing(world);
      for (const row of kindRows) {
        // The others are never worked on: they can be used, and deleted, at once.
        if (!row.deferred) {
          okJson(await removeOne(world, await makeOne(world, keys, row)));
          continue;
        }
        const one = await whileProcessing(world, keys, row, async (running) => {
          assert.equal((await readOne(world, running)).at('status').value, 'processing');
          assertRefused(await removeOne(world, running), 409, 'request_in_progress');
        });
        okJson(await removeOne(world, one));
        const waiting = await makeOne(world, keys, row);
        assertRefused(await removeOne(world, waiting), 409, 'request_in_progress');
        await workThrough(world);
        okJson(await removeOne(world, waiting));
      }
    },
    everyKind,
  ),
  gatewayCase(
    'refuses to delete what another resource uses, until that has ended [resources:delete:in-use]',
    async (world) => {
      for (const one of await finishAll(world, keyRing(world))) {
        const use = usesOf(one)[0];
        if (use !== undefined) await deleteWhileUsed(world, one, use);
      }
    },
    everyKind,
  ),
];
