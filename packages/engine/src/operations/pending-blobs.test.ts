import { expect, test } from 'vitest';
import { createFileWorld } from '../../test/file-world.ts';
import { createFileStep } from '../decisions/create-file.ts';
import { mediaBlobKey } from '../files/file-blob-key.ts';
import { dropPendingBlob, removePendingBlob, storePendingBlob, storeSharedBlob } from './pending-blobs.ts';
import { sweep } from '../../test/process-parts.ts';
import { commitOnce } from './persist.ts';

const hour = 3_600_000;

async function* chunks(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text));
}

async function* breaking(): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from('half'));
  throw new Error('the client has left');
}

test('deletes a blob that no operation took in time, and its row', async () => {
  const world = await createFileWorld();
  await storePendingBlob(world.engine, mediaBlobKey('a'), chunks('bytes'));
  await world.clock.advance(hour - 1);
  await sweep(world.engine);
  expect(await world.bytes('a')).toBe('bytes');
  await world.clock.advance(1);
  await sweep(world.engine);
  expect(await world.bytes('a')).toBeUndefined();
  await world.clock.advance(hour);
  expect(await world.pending()).toBe(0);
});

test('removes a blob with its row, and takes one without a row for removed', async () => {
  const world = await createFileWorld();
  await storePendingBlob(world.engine, mediaBlobKey('a'), chunks('bytes'));
  for (let time = 0; time < 2; time += 1) await removePendingBlob(world.engine, mediaBlobKey('a'));
  expect(await world.bytes('a')).toBeUndefined();
  await world.clock.advance(hour);
  expect(await world.pending()).toBe(0);
});

test('leaves nothing where the source breaks', async () => {
  const world = await createFileWorld();
  await expect(storePendingBlob(world.engine, mediaBlobKey('a'), breaking())).rejects.toThrow('the client has left');
  expect(await world.bytes('a')).toBeUndefined();
  await world.clock.advance(hour);
  expect(await world.pending()).toBe(0);
});

test('leaves to the sweep what it cannot delete now', async () => {
  const world = await createFileWorld();
  await storePendingBlob(world.engine, mediaBlobKey('a'), chunks('bytes'));
  world.faults = ({ target, name }) => (target === 'blobs' && name === 'delete' ? { kind: 'refused' } : undefined);
  await expect(dropPendingBlob(world.engine, mediaBlobKey('a'))).rejects.toThrow('injected');
  await world.clock.advance(hour);
  await sweep(world.engine);
  world.faults = () => undefined;
  expect(await world.bytes('a')).toBe('bytes');
  await world.clock.advance(hour);
  await sweep(world.engine);
  expect(await world.bytes('a')).toBeUndefined();
});

test('leaves no bytes without a row where a key is dropped while it is stored', async () => {
  const world = await createFileWorld();
  const { engine } = world;
  const key = mediaBlobKey('a');
  async function* dropped(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(Buffer.from('by'));
    await dropPendingBlob(engine, key);
    yield Buffer.from('tes');
  }
  expect(await storeSharedBlob(engine, key, dropped())).toBe(5);
  expect(await world.bytes('a')).toBe('bytes');
  await world.clock.advance(hour + 10);
  await sweep(engine);
  expect(await world.bytes('a')).toBeUndefined();
  await world.clock.advance(hour);
  expect(await world.pending()).toBe(0);
});

test('leaves the row to the caller that stored again under a key while it was dropped', async () => {
  const world = await createFileWorld();
  const { engine } = world;
  const key = mediaBlobKey('a');
  await storeSharedBlob(engine, key, chunks('first'));
  const { storage } = engine;
  const stored: Promise<number>[] = [];
  const blobs = {
    ...storage.blobs,
    delete: async (id: string) => {
      await storage.blobs.delete(id);
      // Between the bytes and their row.
      stored.push(storeSharedBlob(engine, key, chunks('again')));
      await Promise.all(stored);
    },
  };
  await dropPendingBlob({ ...engine, storage: { ...storage, blobs } }, key);
  expect(await world.bytes('a')).toBe('again');
  await world.clock.advance(hour + 10);
  await sweep(engine);
  expect(await world.bytes('a')).toBeUndefined();
});

test('does not drop a blob that became a file', async () => {
  const world = await createFileWorld();
  const { id } = await world.upload();
  await dropPendingBlob(world.engine, mediaBlobKey(id));
  expect(await world.bytes(id)).toBe('hello');
});

test('no file is made of a blob that the sweep has taken up', async () => {
  const world = await createFileWorld();
  const { engine, accountId, projectId, keyId } = world;
  const blobKey = mediaBlobKey('late');
  await storePendingBlob(engine, blobKey, chunks('bytes'));
  await world.clock.advance(hour);
  world.faults = ({ target, name }) => (target === 'blobs' && name === 'delete' ? { kind: 'refused' } : undefined);
  await sweep(engine);
  const command = {
    accountId,
    projectId,
    keyId,
    fileId: 'late',
    blobKey,
    displayName: '',
    mimeType: 'text/plain',
    sizeBytes: 5,
    sha256: '',
    provider: null,
    model: null,
    keptMs: hour,
    owner: 'me',
    leaseMs: 1,
    quotas: engine.policy.quotas,
  };
  expect(await commitOnce(engine, createFileStep(command))).toEqual({ kind: 'lost' });
  expect(await world.file('late')).toBeUndefined();
});

test('a step that makes a file can be repeated', async () => {
  const world = await createFileWorld();
  let faults = 1;
  world.faults = ({ keys }) =>
    keys.some(({ table }) => table === 'file') && faults-- > 0 ? { kind: 'unconfirmed' } : undefined;
  const file = await world.upload();
  expect(await world.file(file.id)).toMatchObject({ status: 'active' });
  expect(await world.bytes(file.id)).toBe('hello');
});
