import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { blobsOf, diskBlobs, writeChunks } from './disk-blobs.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-blobs-'));
afterAll(() => rmSync(folder, { recursive: true }));

const filesIn = (root: string): string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));

test('puts each blob in one file two folders down, and leaves nothing else behind', async () => {
  const root = join(folder, 'deep', 'blobs');
  const blobs = diskBlobs(root);
  await Promise.all(['one', 'one', 'a/b'].map((key) => blobs.put(key, Buffer.from(key))));
  const files = filesIn(root);
  expect(files).toHaveLength(2);
  for (const file of files) expect(existsSync(join(root, file.slice(0, 2), file.slice(2, 4), file))).toBe(true);
  await blobs.delete('one');
  expect(filesIn(root)).toHaveLength(1);
});

test('leaves nothing behind when it cannot put the blob in place', async () => {
  const root = join(folder, 'blocked');
  const blobs = diskBlobs(root);
  await blobs.put('one', Buffer.from('one'));
  const [file = ''] = filesIn(root);
  await blobs.delete('one');
  mkdirSync(join(root, file.slice(0, 2), file.slice(2, 4), file, 'in-the-way'), { recursive: true });
  await expect(blobs.put('one', Buffer.from('one'))).rejects.toThrow('rename');
  expect(filesIn(root)).toEqual([]);
});

test('deletes with a blob what a process left behind that died while it wrote it, and nothing of others', async () => {
  const root = join(folder, 'died');
  const blobs = diskBlobs(root);
  await blobs.put('one', Buffer.from('one'));
  const [file = ''] = filesIn(root);
  const place = join(root, file.slice(0, 2), file.slice(2, 4));
  writeFileSync(join(place, `${file}.0f0f.part`), 'on');
  writeFileSync(join(place, 'another'), 'other');
  await blobs.delete('one');
  expect(filesIn(root)).toEqual(['another']);
  // The blob was never put in place: only what was written aside is there.
  writeFileSync(join(place, `${file}.0f0f.part`), 'on');
  await blobs.delete('one');
  expect(filesIn(root)).toEqual(['another']);
});

test('throws where the key was deleted while the blob was written', async () => {
  const blobs = diskBlobs(join(folder, 'overtaken'));
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('one');
    await blobs.delete('one');
    yield Buffer.from('two');
  }
  await expect(blobs.putStream('one', chunks())).rejects.toThrow('ENOENT');
  expect(await blobs.get('one')).toBeUndefined();
});

const large = Buffer.alloc(9_500_003, 'every part another ');

async function* inOddChunks(failing: boolean): AsyncGenerator<Uint8Array> {
  // One buffer for all of them, as a source may have it.
  const chunk = Buffer.alloc(50_001);
  for (let at = 0; at < large.length; at += chunk.length) yield chunk.subarray(0, large.copy(chunk, 0, at));
  if (failing) throw new Error('the client has gone');
}

test('stores a blob that is written and synced in many parts byte for byte', async () => {
  const root = join(folder, 'large');
  const blobs = diskBlobs(root);
  expect(await blobs.putStream('one', inOddChunks(false))).toBe(large.length);
  expect(Buffer.from((await blobs.get('one')) ?? []).equals(large)).toBe(true);
  const read: Uint8Array[] = [];
  for await (const chunk of (await blobs.getStream('one', { fromByte: 3 }))?.chunks ?? []) read.push(chunk);
  expect(Buffer.concat(read).equals(large.subarray(3))).toBe(true);
});

test('leaves nothing of a large blob whose source fails at its end', async () => {
  const root = join(folder, 'failing');
  await expect(diskBlobs(root).putStream('one', inOddChunks(true))).rejects.toThrow('the client has gone');
  expect(filesIn(root)).toEqual([]);
});

test('responds to a put or a deletion when the folder that names the blob is on disk as it is then', async () => {
  const root = join(folder, 'synced');
  /** The files that a folder had when it was synced. */
  const synced: string[][] = [];
  const blobs = diskBlobs(root, async (at) => void synced.push(filesIn(at)));
  await blobs.put('one', Buffer.from('one'));
  const [file = ''] = filesIn(root);
  expect(synced.at(-1)).toEqual([file]);
  await blobs.delete('one');
  expect(synced.at(-1)).toEqual([]);
  await blobs.putStream('one', Readable.from([Buffer.from('one')]));
  expect(synced.at(-1)).toEqual([file]);
});

/** The end comes late. */
async function* inTwoParts(): AsyncGenerator<Uint8Array> {
  yield large.subarray(0, 3_000_000);
  for (let turns = 0; turns < 3; turns += 1) await new Promise(setImmediate);
  yield large.subarray(3_000_000);
}

test('throws to its caller, and to nothing else, where a sync fails while the source is waited for', async () => {
  const unheard: unknown[] = [];
  const hear = (cause: unknown): void => void unheard.push(cause);
  process.on('unhandledRejection', hear);
  const handle = {
    write: async (bytes: Uint8Array, at: number) => ({ bytesWritten: bytes.length - at }),
    datasync: () => Promise.reject(new Error('EIO')),
  };
  await expect(writeChunks(handle, inTwoParts())).rejects.toThrow('EIO');
  process.off('unhandledRejection', hear);
  expect(unheard).toEqual([]);
});

test('keeps the blobs of a database in a file on disk, and those of one in memory there', async () => {
  const root = join(folder, 'of-database');
  await blobsOf(null, root).put('one', Buffer.from('one'));
  expect(existsSync(root)).toBe(false);
  await blobsOf('gateway.db', root).put('one', Buffer.from('one'));
  expect(filesIn(root)).toHaveLength(1);
});
