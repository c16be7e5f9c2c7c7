import { createHash, randomUUID } from 'node:crypto';
import { open, readdir, readFile, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { blobChunkBytes, isBlobKey, rangeWithin, type BlobRange, type BlobStore } from '@tollgate/storage';
import { makeFolder, syncFolder } from './durable-folder.ts';

/** Two levels of folders by the hash of the key: no folder grows large, and a key can lead nowhere else. */
const placeOf = (root: string, key: string): string => {
  if (!isBlobKey(key)) throw new Error('not a blob key');
  const hash = createHash('sha256').update(key).digest('hex');
  return join(root, hash.slice(0, 2), hash.slice(2, 4), hash);
};

const isAbsent = (cause: unknown): boolean => cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';

/** Answers undefined where there is no file. */
const unlessAbsent = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work;
  } catch (cause) {
    if (isAbsent(cause)) return undefined;
    throw cause;
  }
};

const withFile = async <T>(place: string, flags: string, body: (handle: FileHandle) => Promise<T>): Promise<T> => {
  const handle = await open(place, flags);
  try {
    return await body(handle);
  } finally {
    await handle.close();
  }
};

/** Writes aside and puts the whole in place; what was written of a failure is removed. */
const writeDurably = async (place: string, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<number> => {
  const aside = `${place}.${randomUUID()}.part`;
  await makeFolder(dirname(place));
  try {
    const sizeBytes = await withFile(aside, 'wx', async (handle) => {
      await handle.writeFile(content);
      await handle.sync();
      return (await handle.stat()).size;
    });
    await rename(aside, place);
    await syncFolder(dirname(place));
    return sizeBytes;
  } catch (cause) {
    await rm(aside, { force: true });
    throw cause;
  }
};

/** The blob and all that writers of it have left behind; one that still writes finds its bytes gone, and throws. */
const removeAll = async (place: string): Promise<void> => {
  const folder = dirname(place);
  const names = (await unlessAbsent(readdir(folder))) ?? [];
  const found = names.filter((name) => name.startsWith(basename(place)));
  for (const name of found) await rm(join(folder, name), { force: true });
  if (found.length > 0) await syncFolder(folder);
};

const readFully = async (handle: FileHandle, position: number, length: number): Promise<Uint8Array> => {
  const bytes = new Uint8Array(length);
  let read = 0;
  while (read < length) {
    const { bytesRead } = await handle.read(bytes, read, length - read, position + read);
    if (bytesRead === 0) throw new Error('the blob ended before its end');
    read += bytesRead;
  }
  return bytes;
};

/** Opens the file when the first chunk is asked for, so that a stream that nobody reads holds nothing open. */
async function* readChunks(place: string, sizeBytes: number, range: Required<BlobRange>): AsyncGenerator<Uint8Array> {
  const handle = await open(place, 'r');
  try {
    if ((await handle.stat()).size !== sizeBytes) throw new Error('the blob was replaced');
    for (let at = range.fromByte; at < range.toByte; at += blobChunkBytes)
      yield await readFully(handle, at, Math.min(blobChunkBytes, range.toByte - at));
  } finally {
    await handle.close();
  }
}

/** Blobs as files below a folder, each written aside and put in place whole. */
export const diskBlobs = (folder: string): BlobStore => {
  const root = resolve(folder);
  return {
    put: async (key, bytes) => {
      await writeDurably(placeOf(root, key), Uint8Array.from(bytes));
    },
    get: async (key) => {
      const bytes = await unlessAbsent(readFile(placeOf(root, key)));
      return bytes && Uint8Array.from(bytes);
    },
    putStream: async (key, chunks) => writeDurably(placeOf(root, key), chunks),
    getStream: async (key, range) => {
      const place = placeOf(root, key);
      const found = await unlessAbsent(stat(place));
      if (found === undefined) return undefined;
      return { sizeBytes: found.size, chunks: readChunks(place, found.size, rangeWithin(found.size, range)) };
    },
    delete: async (key) => removeAll(placeOf(root, key)),
  };
};
