import { createHash, randomUUID } from 'node:crypto';
import { open, readdir, readFile, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isBlobKey, memoryBlobs, rangeWithin, regroupChunks, type BlobRange, type BlobStore } from '@tollgate/storage';
import { makeFolder, syncFolder } from './durable-folder.ts';
import { privateFileMode } from './private-files.ts';

/** Read or written at once: each is a journey to another thread, which costs as much as what it carries where it carries little. */
const writtenBytes = 262_144;
const readBytes = 262_144;
/** Written before a sync is begun: of a large blob little is left to the last one, which all wait for. */
const unsyncedBytesMax = 2_097_152;

/** Makes the names in a folder durable. */
type SyncFolder = (folder: string) => Promise<void>;

/** Two levels of folders by the hash of the key: no folder grows large, and a key can lead nowhere else. */
const placeOf = (root: string, key: string): string => {
  if (!isBlobKey(key)) throw new Error('not a blob key');
  const hash = createHash('sha256').update(key).digest('hex');
  return join(root, hash.slice(0, 2), hash.slice(2, 4), hash);
};

const isAbsent = (cause: unknown): boolean => cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';

/** Returns undefined where there is no file. */
const unlessAbsent = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work;
  } catch (cause) {
    if (isAbsent(cause)) return undefined;
    throw cause;
  }
};

const withNewFile = async <T>(place: string, body: (handle: FileHandle) => Promise<T>): Promise<T> => {
  const handle = await open(place, 'wx', privateFileMode);
  try {
    return await body(handle);
  } finally {
    await handle.close();
  }
};

/** What writing needs of an open file. */
interface Written {
  write(bytes: Uint8Array, at: number): Promise<{ readonly bytesWritten: number }>;
  datasync(): Promise<void>;
}

const writeFully = async (handle: Written, bytes: Uint8Array): Promise<void> => {
  for (let at = 0; at < bytes.length;) at += (await handle.write(bytes, at)).bytesWritten;
};

/** Begins a sync. Its failure is thrown to the caller that waits for it, be it later. */
const beginSync = (handle: Written): Promise<void> => {
  const syncing = handle.datasync();
  syncing.catch(() => undefined);
  return syncing;
};

/** Writes a stream to a file, most of it synced before its end is there. */
export const writeChunks = async (handle: Written, chunks: AsyncIterable<Uint8Array>): Promise<void> => {
  let unsyncedBytes = 0;
  let syncing = Promise.resolve();
  try {
    for await (const part of regroupChunks(chunks, writtenBytes)) {
      await writeFully(handle, part);
      unsyncedBytes += part.length;
      if (unsyncedBytes < unsyncedBytesMax) continue;
      await syncing;
      syncing = beginSync(handle);
      unsyncedBytes = 0;
    }
  } finally {
    await syncing;
  }
};

/** Writes aside and puts the whole in place; what was written of a failure is removed. */
const writeDurably = async (
  place: string,
  sync: SyncFolder,
  write: (handle: FileHandle) => Promise<void>,
): Promise<number> => {
  const aside = `${place}.${randomUUID()}.part`;
  await makeFolder(dirname(place));
  try {
    const sizeBytes = await withNewFile(aside, async (handle) => {
      await write(handle);
      await handle.sync();
      return (await handle.stat()).size;
    });
    await rename(aside, place);
    await sync(dirname(place));
    return sizeBytes;
  } catch (cause) {
    await rm(aside, { force: true });
    throw cause;
  }
};

/** The blob and all that writers of it have left behind; one that still writes finds its bytes gone, and throws. */
const removeAll = async (place: string, sync: SyncFolder): Promise<void> => {
  const folder = dirname(place);
  const names = (await unlessAbsent(readdir(folder))) ?? [];
  const found = names.filter((name) => name.startsWith(basename(place)));
  for (const name of found) await rm(join(folder, name), { force: true });
  if (found.length > 0) await sync(folder);
};

const readFully = async (handle: FileHandle, position: number, length: number): Promise<Uint8Array> => {
  const bytes = Buffer.allocUnsafeSlow(length);
  let read = 0;
  while (read < length) {
    const { bytesRead } = await handle.read(bytes, read, length - read, position + read);
    if (bytesRead === 0) throw new Error('the blob ended before its end');
    read += bytesRead;
  }
  return bytes;
};

/** Opens the file when the first chunk is asked for, so that an unread stream holds nothing open. */
async function* readChunks(place: string, sizeBytes: number, range: Required<BlobRange>): AsyncGenerator<Uint8Array> {
  const handle = await open(place, 'r');
  try {
    if ((await handle.stat()).size !== sizeBytes) throw new Error('the blob was replaced');
    for (let at = range.fromByte; at < range.toByte; at += readBytes)
      yield await readFully(handle, at, Math.min(readBytes, range.toByte - at));
  } finally {
    await handle.close();
  }
}

/** Blobs as files below a folder, each written aside and put in place whole, for this user alone. */
export const diskBlobs = (folder: string, sync: SyncFolder = syncFolder): BlobStore => {
  const root = resolve(folder);
  return {
    put: async (key, bytes) => {
      const copy = Uint8Array.from(bytes);
      await writeDurably(placeOf(root, key), sync, (handle) => writeFully(handle, copy));
    },
    get: async (key) => {
      const bytes = await unlessAbsent(readFile(placeOf(root, key)));
      return bytes && Uint8Array.from(bytes);
    },
    putStream: async (key, chunks) => writeDurably(placeOf(root, key), sync, (handle) => writeChunks(handle, chunks)),
    getStream: async (key, range) => {
      const place = placeOf(root, key);
      const found = await unlessAbsent(stat(place));
      if (found === undefined) return undefined;
      return { sizeBytes: found.size, chunks: readChunks(place, found.size, rangeWithin(found.size, range)) };
    },
    delete: async (key) => removeAll(placeOf(root, key), sync),
  };
};

/** The blobs of a database: on disk beside its file, or in memory where it has none. */
export const blobsOf = (file: string | null, folder: string): BlobStore =>
  file === null ? memoryBlobs() : diskBlobs(folder);
