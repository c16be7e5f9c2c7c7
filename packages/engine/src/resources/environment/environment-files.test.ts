import { environmentBounds } from '@tollgate/contract';
import { expect, test } from 'vitest';
import { breathe } from '../../../test/engine-world.ts';
import { bytesOf, createEnvironmentWorld, environmentPlan } from '../../../test/environment-world.ts';
import { createResource } from '../create-resource.ts';
import { deleteResource } from '../delete-resource.ts';
import { findResource } from '../find-resource.ts';
import { readProjectQuotas } from '../../administration/quotas.ts';
import { environmentMimeType } from './environment-mime-type.ts';
import { storeEnvironmentFiles } from './environment-files.ts';
import { useOfEnvironment } from './use-environment.ts';
import { sweep } from '../../../test/process-parts.ts';

const day = 86_400_000;

test('keeps the files that an environment was opened with, and owns their blobs', async () => {
  const world = await createEnvironmentWorld();
  const id = await world.createEnvironment({ 'b.txt': 'b', 'a/c': 'c' });
  expect(await world.contents(id)).toEqual({ 'a/c': 'c', 'b.txt': 'b' });
  const listed = (await world.trees.list(id)) ?? [];
  expect(listed.map(({ path, sizeBytes, mimeType }) => [path, sizeBytes, mimeType])).toEqual([
    ['a/c', 1, 'application/octet-stream'],
    ['b.txt', 1, 'text/plain'],
  ]);
  expect(await world.pendingBlobs(listed.map(({ blobKey }) => blobKey))).toEqual([]);
  await world.clock.advance(day);
  await sweep(world.engine);
  expect(await world.contents(id)).toEqual({ 'a/c': 'c', 'b.txt': 'b' });
});

test('changes files in one step, and clears away the bytes that they had', async () => {
  const world = await createEnvironmentWorld();
  const id = await world.createEnvironment({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' });
  const before = (await world.trees.list(id)) ?? [];
  await world.clock.advance(1_000);
  const put = bytesOf({ 'a.txt': 'A', 'd/e.txt': 'e' });
  expect(await world.trees.change(id, { put, remove: ['b.txt', 'gone'] })).toBe('changed');
  expect(await world.contents(id)).toEqual({ 'a.txt': 'A', 'c.txt': 'c', 'd/e.txt': 'e' });
  const [changed] = (await world.trees.list(id)) ?? [];
  expect((changed?.modifiedAtMs ?? 0) - (changed?.createdAtMs ?? 0)).toBe(1_000);
  await sweep(world.engine);
  const left = await Promise.all(before.map(({ blobKey }) => world.storage.blobs.get(blobKey)));
  expect(left.map((bytes) => bytes !== undefined)).toEqual([false, false, true]);
});

test('changes of several at once all count', async () => {
  const world = await createEnvironmentWorld();
  const id = await world.createEnvironment({});
  const names = ['a', 'b', 'c', 'd', 'e'];
  const changes = names.map((name) => world.trees.change(id, { put: bytesOf({ [name]: name }), remove: [] }));
  expect(await Promise.all(changes)).toEqual(names.map(() => 'changed'));
  expect(await world.contents(id)).toEqual({ a: 'a', b: 'b', c: 'c', d: 'd', e: 'e' });
});

test('refuses what no tree can have, and changes nothing', async () => {
  const world = await createEnvironmentWorld();
  const id = await world.createEnvironment({ 'a/b': 'b' });
  for (const path of ['../x', '/x', 'a', 'a/b/c'])
    expect(await world.trees.change(id, { put: bytesOf({ [path]: 'x', fine: 'y' }), remove: [] })).toBe('bad_path');
  const big = { path: 'big', bytes: new Uint8Array(environmentBounds.fileBytesMax + 1) };
  expect(await world.trees.change(id, { put: [big], remove: [] })).toBe('too_large');
  const many = Array.from({ length: environmentBounds.filesMax }, (_, at) => ({
    path: `f${at}`,
    bytes: new Uint8Array(),
  }));
  expect(await world.trees.change(id, { put: many, remove: [] })).toBe('too_large');
  expect(await world.trees.change(id, { put: many, remove: ['a/b'] })).toBe('changed');
  expect((await world.trees.list(id))?.length).toBe(environmentBounds.filesMax);
});

test('a file may take the place of a folder that the same change removes', async () => {
  const world = await createEnvironmentWorld();
  const id = await world.createEnvironment({ 'a/b': 'b' });
  expect(await world.trees.change(id, { put: bytesOf({ a: 'a' }), remove: ['a/b'] })).toBe('changed');
  expect(await world.contents(id)).toEqual({ a: 'a' });
});

test('a step that was stored and not confirmed is not made twice', async () => {
  const world = await createEnvironmentWorld();
  const id = await world.createEnvironment({ a: 'a' });
  let lost = false;
  world.faults = (call) => {
    if (lost || call.name !== 'transact' || !call.keys.some(({ table }) => table === 'environmentTree'))
      return undefined;
    lost = true;
    return { kind: 'unconfirmed' };
  };
  expect(await world.trees.change(id, { put: bytesOf({ a: 'A' }), remove: [] })).toBe('changed');
  expect(lost).toBe(true);
  expect(await world.contents(id)).toEqual({ a: 'A' });
});

test('expires after seven days without use, and a use or a change begins them anew [environments:states:idle-expiry]', async () => {
  const world = await createEnvironmentWorld();
  const { engine } = world;
  const id = await world.createEnvironment({ a: 'a' });
  const availability = async () =>
    (await findResource(engine, world.projectId, 'environment', id))?.resource.availability ?? null;
  await world.clock.advance(6 * day);
  const used = await world.run({ uses: [useOfEnvironment(engine, id)] });
  expect(used.kind).toBe('completed');
  await world.clock.advance(6 * day);
  await sweep(engine);
  expect(await availability()).toBe('active');
  expect(await world.trees.change(id, { put: [], remove: ['b'] })).toBe('changed');
  await world.clock.advance(6 * day);
  await sweep(engine);
  expect(await availability()).toBe('active');
  await world.clock.advance(day);
  const late = await world.run({ uses: [useOfEnvironment(engine, id)] });
  expect(late).toMatchObject({ kind: 'refused', code: 'not_found' });
  await sweep(engine);
  expect(await availability()).toBe('expired');
  expect(await world.trees.change(id, { put: bytesOf({ a: 'A' }), remove: [] })).toBe('gone');
});

test('is in use, and not deleted, while an operation that opened with it goes on', async () => {
  const world = await createEnvironmentWorld();
  const { engine } = world;
  const id = await world.createEnvironment({ a: 'a' });
  const { promise, resolve } = Promise.withResolvers<number>();
  const running = world.run({ uses: [useOfEnvironment(engine, id)], execute: () => promise });
  await breathe();
  const name = { kind: 'environment', id } as const;
  expect(await deleteResource(engine, world.projectId, name)).toEqual({ kind: 'in_use' });
  resolve(1);
  await running;
  expect(await deleteResource(engine, world.projectId, name)).toMatchObject({ kind: 'deleted' });
});

test('whatever dies while files are cleared away, the next sweep clears the rest', async () => {
  for (let deaths = 0; deaths < 4; deaths += 1) {
    const world = await createEnvironmentWorld();
    const id = await world.createEnvironment({ a: 'a', b: 'b', c: 'c' });
    const keys = ((await world.trees.list(id)) ?? []).map(({ blobKey }) => blobKey);
    await deleteResource(world.engine, world.projectId, { kind: 'environment', id });
    let left = deaths;
    world.faults = (call) => {
      const clears = call.keys.some(({ table }) => table === 'environmentTree' || table === 'resource');
      if (left === 0 || call.name !== 'transact' || !clears) return undefined;
      left -= 1;
      return { kind: 'refused' };
    };
    for (let round = 0; round <= deaths; round += 1) {
      await sweep(world.engine);
      await world.clock.advance(world.engine.limits.leaseMs + 1);
    }
    await sweep(world.engine);
    expect(await Promise.all(keys.map((key) => world.storage.blobs.get(key)))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const records = await world.storage.read([{ table: 'environmentTree', id }]);
    expect(records.get('environmentTree', id)).toBeUndefined();
  }
});

test('opens nothing with bytes that the sweep has taken up', async () => {
  const world = await createEnvironmentWorld();
  const stored = await storeEnvironmentFiles(world.engine, bytesOf({ a: 'a' }), {});
  await world.clock.advance(world.engine.limits.pendingBlobMs + 1);
  await sweep(world.engine);
  const outcome = await createResource(world.engine, environmentPlan(world, stored, day));
  expect(outcome).toMatchObject({ kind: 'refused', code: 'service_unavailable' });
});

test('what was stored for an environment that never came is deleted in its time', async () => {
  const world = await createEnvironmentWorld();
  const [file] = await storeEnvironmentFiles(world.engine, bytesOf({ a: 'a' }), {});
  await world.clock.advance(world.engine.limits.pendingBlobMs + 1);
  await sweep(world.engine);
  expect(await world.storage.blobs.get(file?.blobKey ?? '')).toBeUndefined();
});

test.each([
  ['a.txt', 'text/plain'],
  ['dir.csv/x', 'application/octet-stream'],
  ['x.CSV', 'text/csv'],
  ['.gitignore', 'application/octet-stream'],
  ['photo.png', 'image/png'],
  ['README', 'application/octet-stream'],
])('takes %s for %s [environments:files:download]', (path, mimeType) => {
  expect(environmentMimeType(path)).toBe(mimeType);
});

test('keeps no more bytes than the project may, and counts what a change adds and takes away', async () => {
  const world = await createEnvironmentWorld({ quotas: { keptBytesMax: 2_000 } });
  const id = await world.createEnvironment({ a: 'x'.repeat(1_000) });
  const used = async () => (await readProjectQuotas(world.engine, world.projectId))?.used.keptBytes ?? 0;
  const before = await used();
  expect(await world.trees.change(id, { put: bytesOf({ b: 'y'.repeat(1_000) }), remove: [] })).toBe('over_quota');
  expect(await world.contents(id)).toEqual({ a: 'x'.repeat(1_000) });
  expect(await used()).toBe(before);
  expect(await world.trees.change(id, { put: bytesOf({ b: 'y'.repeat(700) }), remove: ['a'] })).toBe('changed');
  expect(await used()).toBe(before - 300);
  expect((await world.admin.audit()).violations).toEqual([]);
});
