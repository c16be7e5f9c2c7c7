import { NotExecuted, type UpstreamFileState } from '@tollgate/provider';
import { describe, expect, test } from 'vitest';
import { openPromise } from '../../test/engine-world.ts';
import { createFileWorld } from '../../test/file-world.ts';
import { deleteFile } from './delete-file.ts';
import { findFile, listFiles } from './find-file.ts';
import { refreshFile } from './refresh-file.ts';
import { sweep } from '../../test/process-parts.ts';

const hour = 3_600_000;

describe('uploading', () => {
  test('makes a file of a pending blob, active at once where no provider wants a copy', async () => {
    const world = await createFileWorld();
    const file = await world.upload();
    expect(file).toMatchObject({ status: 'active', provider: null, sizeBytes: 5, uses: 0, notes: {} });
    expect(file.expiresAtMs).toBe(file.createdAtMs + 48 * hour);
    expect(await world.bytes(file.id)).toBe('hello');
    await world.clock.advance(2 * hour);
    expect(await world.pending()).toBe(0);
    expect(world.asked).toEqual([]);
  });

  test('gives the provider a copy and waits for it', async () => {
    const world = await createFileWorld();
    const file = await world.upload({ copied: true });
    expect(file).toMatchObject({ status: 'active', provider: 'copier', notes: { copier: 'copy of f1' }, owner: null });
    expect(world.asked).toEqual(['upload f1 hello']);
  });

  test('does not wait longer than it may, and the copy goes on', async () => {
    const world = await createFileWorld();
    const { promise, resolve } = openPromise<UpstreamFileState>();
    world.script(promise);
    const uploading = world.upload({ copied: true });
    await world.clock.advance(10_000);
    const file = await uploading;
    expect(file.status).toBe('processing');
    // No other worker makes a second copy in the meantime.
    await sweep(world.engine);
    expect(await refreshFile(world.engine, world, file.id)).toMatchObject({ status: 'processing' });
    resolve('active');
    await world.clock.advance(0);
    expect(await world.file(file.id)).toMatchObject({ status: 'active' });
    expect(world.asked).toEqual(['upload f1 hello']);
  });

  test('fails a file that the provider refuses, with a code and without its words [files:move:processing-failed]', async () => {
    const world = await createFileWorld();
    world.script(new NotExecuted({ reason: 'input_limit', cause: new Error('upstream words') }));
    const file = await world.upload({ copied: true });
    expect(file).toMatchObject({ status: 'failed', errorCode: 'input_limit' });
    expect(JSON.stringify(file)).not.toContain('upstream words');
    await sweep(world.engine);
    expect(await world.bytes(file.id)).toBeUndefined();
    expect(await world.file(file.id)).toMatchObject({ status: 'failed' });
  });

  test('tries again what may pass, and gives up after an hour', async () => {
    const world = await createFileWorld();
    world.script(new NotExecuted({ reason: 'rate_limited', retryAfterMs: 20_000 }), new Error('lost'), 'active');
    const file = await world.upload({ copied: true });
    expect(file.status).toBe('processing');
    await world.clock.advance(19_999);
    await sweep(world.engine);
    expect(world.asked).toHaveLength(1);
    await world.clock.advance(1);
    await sweep(world.engine);
    await world.clock.advance(5_000);
    await sweep(world.engine);
    expect(await world.file(file.id)).toMatchObject({ status: 'active' });
    expect(world.asked).toEqual(Array.from({ length: 3 }, () => 'upload f1 hello'));

    const hopeless = await createFileWorld();
    hopeless.script(...Array.from({ length: 20 }, () => new Error('lost')));
    const never = await hopeless.upload({ copied: true });
    await hopeless.clock.advance(hour);
    await sweep(hopeless.engine);
    expect(await hopeless.file(never.id)).toMatchObject({ status: 'processing' });
    await hopeless.clock.advance(5_000);
    await sweep(hopeless.engine);
    expect(await hopeless.file(never.id)).toMatchObject({ status: 'failed', errorCode: 'service_unavailable' });
  });

  test('is carried on by another process when one died in the middle', async () => {
    const world = await createFileWorld();
    world.script(openPromise<UpstreamFileState>().promise);
    const uploading = world.upload({ copied: true });
    await world.clock.advance(10_000);
    const { id } = await uploading;
    await world.clock.advance(320_000);
    await sweep(world.another());
    expect(await world.file(id)).toMatchObject({ status: 'active' });
  });
});

describe('asking', () => {
  test('checks the state of a copy that was processing [files:get:refreshes]', async () => {
    const world = await createFileWorld();
    world.script('processing', 'processing', 'active');
    const { id } = await world.upload({ copied: true });
    expect(await refreshFile(world.engine, world, id)).toMatchObject({ status: 'processing' });
    expect(await refreshFile(world.engine, world, id)).toMatchObject({ status: 'active' });
    expect(await refreshFile(world.engine, world, id)).toMatchObject({ status: 'active' });
    expect(world.asked).toEqual(['upload f1 hello', 'state f1 copy of f1', 'state f1 copy of f1']);
  });

  test('carries on where no worker has the lease', async () => {
    const world = await createFileWorld();
    world.script(new Error('lost'));
    const { id } = await world.upload({ copied: true });
    expect((await refreshFile(world.engine, world, id))?.status).toBe('processing');
    await world.clock.advance(5_000);
    expect((await refreshFile(world.engine, world, id))?.status).toBe('active');
  });

  test('knows no file of another project', async () => {
    const world = await createFileWorld();
    const { id } = await world.upload();
    expect(await refreshFile(world.engine, { projectId: 'another' }, id)).toBeNull();
    expect(await findFile(world.engine, 'another', id)).toBeNull();
    expect(await listFiles(world.engine, 'another')).toEqual([]);
    expect(await deleteFile(world.engine, 'another', id)).toEqual({ kind: 'missing' });
  });

  test('lists the newest first, expired ones too and deleted ones not [files:list:states-included]', async () => {
    const world = await createFileWorld();
    const old = await world.upload();
    await world.clock.advance(48 * hour);
    const gone = await world.upload();
    world.script('processing');
    await world.clock.advance(1);
    const processing = await world.upload({ copied: true });
    await deleteFile(world.engine, world.projectId, gone.id);
    const listed = await listFiles(world.engine, world.projectId);
    expect(listed.map(({ id, status }) => [id, status])).toEqual([
      [processing.id, 'processing'],
      [old.id, 'expired'],
    ]);
  });
});

describe('the end of a file', () => {
  test('expires when its time is over, bytes and copies with it [files:move:active-expired]', async () => {
    const world = await createFileWorld();
    const { id } = await world.upload({ copied: true });
    await world.clock.advance(48 * hour - 1);
    expect((await findFile(world.engine, world.projectId, id))?.status).toBe('active');
    await world.clock.advance(1);
    await sweep(world.engine);
    expect(await world.file(id)).toMatchObject({ status: 'expired', notes: {} });
    expect(await world.bytes(id)).toBeUndefined();
    expect(world.asked).toEqual(['upload f1 hello', 'remove f1 copy of f1']);
  });

  test('is deleted once, with bytes and copies, and its record stays until retention', async () => {
    const world = await createFileWorld();
    const { id } = await world.upload({ copied: true });
    expect(await deleteFile(world.engine, world.projectId, id)).toMatchObject({ file: { status: 'deleted' } });
    expect(await deleteFile(world.engine, world.projectId, id)).toEqual({ kind: 'missing' });
    await sweep(world.engine);
    expect(await world.bytes(id)).toBeUndefined();
    expect(world.asked).toEqual(['upload f1 hello', 'remove f1 copy of f1']);
    expect(await world.file(id)).toMatchObject({ status: 'deleted' });
    await world.clock.advance(90 * 24 * hour);
    await sweep(world.engine);
    expect(await world.file(id)).toBeUndefined();
  });

  test('goes even where the provider cannot remove its copy', async () => {
    const world = await createFileWorld();
    const { id } = await world.upload({ copied: true });
    world.script(new Error('unreachable'));
    await deleteFile(world.engine, world.projectId, id);
    await sweep(world.engine);
    expect(await world.bytes(id)).toBeUndefined();
  });

  test('is not deleted while it is processing', async () => {
    const world = await createFileWorld();
    world.script('processing');
    const { id } = await world.upload({ copied: true });
    expect(await deleteFile(world.engine, world.projectId, id)).toEqual({ kind: 'in_use' });
  });
});

describe('using a file', () => {
  test('keeps it from being deleted until the operation has ended [files:delete:in-use]', async () => {
    const world = await createFileWorld();
    const { id } = await world.upload();
    const { promise, resolve } = openPromise<number>();
    const running = world.run({ files: [id], execute: () => promise });
    await world.clock.advance(0);
    expect(await deleteFile(world.engine, world.projectId, id)).toEqual({ kind: 'in_use' });
    resolve(5);
    await running;
    expect(await deleteFile(world.engine, world.projectId, id)).toMatchObject({ kind: 'deleted' });
  });

  test('refuses what is not active, and registers nothing [files:use:must-be-active]', async () => {
    const world = await createFileWorld();
    const active = await world.upload();
    world.script('processing');
    const processing = await world.upload({ copied: true });
    world.script('failed');
    const failed = await world.upload({ copied: true });
    const deleted = await world.upload();
    await deleteFile(world.engine, world.projectId, deleted.id);
    const use = async (...files: readonly string[]) => world.run({ files });
    expect(await use(active.id)).toMatchObject({ kind: 'completed' });
    expect(await use(active.id, processing.id)).toMatchObject({ code: 'request_in_progress', requestId: null });
    expect(await use(failed.id)).toMatchObject({ code: 'unsupported_content', requestId: null });
    expect(await use(deleted.id)).toMatchObject({ code: 'not_found', requestId: null });
    expect(await use('unknown')).toMatchObject({ code: 'not_found', requestId: null });
    // Its time is over by the storage's clock, though no sweep has come by.
    await world.clock.advance(48 * hour);
    expect(await use(active.id)).toMatchObject({ code: 'not_found', requestId: null });
    expect(world.executions()).toBe(1);
  });

  test('replays what was completed with a file that is gone by now', async () => {
    const world = await createFileWorld();
    const { id } = await world.upload();
    const first = await world.run({ identity: 'once', files: [id] });
    await deleteFile(world.engine, world.projectId, id);
    await sweep(world.engine);
    expect(await world.run({ identity: 'once', files: [id] })).toEqual({ ...first, replayed: true });
  });

  test('forgets uses of operations that have ended, and no others', async () => {
    const world = await createFileWorld();
    const { id } = await world.upload();
    const { promise, resolve } = openPromise<number>();
    const running = world.run({ files: [id], execute: () => promise });
    await world.run({ files: [id] });
    const uses = () => world.storage.list('fileUsesByFile', { of: id, limit: 100 });
    expect(await uses()).toHaveLength(2);
    await world.clock.advance(590_000);
    await sweep(world.engine);
    expect(await uses()).toHaveLength(2);
    await world.clock.advance(9_000);
    // The operation that still runs is alive.
    await world.clock.advance(1_000);
    await sweep(world.engine);
    expect(await uses()).toHaveLength(1);
    expect(await world.file(id)).toMatchObject({ uses: 2 });
    resolve(5);
    await running;
  });
});
